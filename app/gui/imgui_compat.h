#pragma once

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Differences between Dear ImGui 1.86 and 1.92, and access to ImGui's internals. No other file checks
/// ImGui's version or includes imgui_internal.h.
namespace loom::app::imgui_compat {

/// An OpenGL texture as ImGui's draw lists identify it.
inline ImTextureID texture_id(unsigned gl_name) {
  return (ImTextureID)(std::uintptr_t{gl_name});  // NOLINT: a pointer or an integer, by version
}

/// Call after rebuilding the fonts later than the first frame. ImGui 1.92 and later do this themselves.
inline void upload_fonts() {
#if IMGUI_VERSION_NUM < 19200
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

/// x, y and z as subscripts are at kSubscripts plus the letter, where add_subscripts() can add them.
inline constexpr ImWchar kSubscripts = 0xE000;
inline constexpr bool kHasSubscripts = IMGUI_VERSION_NUM < 19200;

/// Adds the subscripts, which Unicode lacks, as smaller copies of the letters. Call after loading the fonts.
inline void add_subscripts() {
#if IMGUI_VERSION_NUM < 19200
  constexpr float kSize = 0.72f;
  constexpr float kDrop = 0.16f;  // in font sizes
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Build();
  for (ImFont* const font : atlas.Fonts) {
    for (const ImWchar letter : {'x', 'y', 'z'}) {
      const ImFontGlyph of = *font->FindGlyph(letter);
      const auto lowered = [&](float y) {
        return font->Ascent + kDrop * font->FontSize + kSize * (y - font->Ascent);
      };
      font->AddGlyph(nullptr, static_cast<ImWchar>(kSubscripts + letter), kSize * of.X0, lowered(of.Y0),
                     kSize * of.X1, lowered(of.Y1), of.U0, of.V0, of.U1, of.V1, kSize * of.AdvanceX);
    }
    font->BuildLookupTable();
  }
#endif
}

/// Builds the fonts for frames that no backend draws. Call after loading them.
inline void build_fonts() {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  if (!atlas.IsBuilt()) atlas.Build();
  atlas.SetTexID(texture_id(1));
}

/// The font texture, which contains glyphs and filled shapes. From 1.92 on, the atlas may replace it with a
/// larger one within a frame.
#if IMGUI_VERSION_NUM >= 19200
using FontTexture = ImTextureData;
#else
using FontTexture = ImFontAtlas;
#endif

/// The font texture that a command draws with; null if it draws with another texture.
inline FontTexture* font_texture(const ImDrawCmd& command, ImFontAtlas& atlas) {
#if IMGUI_VERSION_NUM >= 19200
  ImTextureData* const texture = command.TexRef._TexData;
  return texture != nullptr && atlas.TexList.contains(texture) ? texture : nullptr;
#else
  return command.TextureId == atlas.TexID ? &atlas : nullptr;
#endif
}

/// The alpha values, one byte per texel, row by row; empty if the texture is not in host memory.
inline std::vector<std::uint8_t> alpha_of(FontTexture& texture, int& width, int& height) {
#if IMGUI_VERSION_NUM >= 19200
  width = texture.Width;
  height = texture.Height;
  const unsigned char* const pixels = texture.Pixels;
  const auto step = static_cast<std::size_t>(texture.BytesPerPixel);
#else
  unsigned char* pixels = nullptr;
  const std::size_t step = 1;
  texture.GetTexDataAsAlpha8(&pixels, &width, &height);
#endif
  std::vector<std::uint8_t> alpha;
  if (pixels == nullptr) return alpha;
  alpha.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (std::size_t i = 0; i < alpha.size(); ++i)
    alpha[i] = pixels[(i + 1) * step - 1];  // RGBA or alpha alone
  return alpha;
}

/// The glyph of a character; null if the font has none.
inline const ImFontGlyph* find_glyph(ImFont& font, ImWchar letter) {
#if IMGUI_VERSION_NUM >= 19200
  return font.GetFontBaked(font.LegacySize)->FindGlyphNoFallback(letter);
#else
  return font.FindGlyphNoFallback(letter);
#endif
}

/// BeginChild() for a part of a window that keyboard navigation treats as the window itself.
inline bool begin_flat_child(const char* name, glm::vec2 size, bool border) {
#if IMGUI_VERSION_NUM >= 19090
  return ImGui::BeginChild(name, size, ImGuiChildFlags_NavFlattened | static_cast<ImGuiChildFlags>(border));
#else
  return ImGui::BeginChild(name, size, border, ImGuiWindowFlags_NavFlattened);
#endif
}

/// SetKeyboardFocusHere(). In ImGui 1.90.1, Debian 13's, it has no effect in a child window without the
/// focus.
inline void focus_next_item() {
#if IMGUI_VERSION_NUM >= 19000 && IMGUI_VERSION_NUM < 19020
  ImGui::SetWindowFocus();
#endif
  ImGui::SetKeyboardFocusHere();
}

// The clipboard.

#if IMGUI_VERSION_NUM >= 19110
using ClipboardContext = ImGuiContext*;
#else
using ClipboardContext = void*;
#endif
using ClipboardReader = const char* (*)(ClipboardContext context);

/// The function with which text fields read the clipboard.
inline ClipboardReader& clipboard_reader() {
#if IMGUI_VERSION_NUM >= 19110
  return ImGui::GetPlatformIO().Platform_GetClipboardTextFn;
#else
  return ImGui::GetIO().GetClipboardTextFn;
#endif
}

/// The argument of that function.
inline ClipboardContext clipboard_context() {
#if IMGUI_VERSION_NUM >= 19110
  return ImGui::GetCurrentContext();
#else
  return ImGui::GetIO().ClipboardUserData;
#endif
}

// Keys.

/// The key type of ImGui's functions: ImGuiKey, or GLFW's number up to 1.86.
#if IMGUI_VERSION_NUM >= 18700
using Key = ImGuiKey;
#else
using Key = int;
#endif

/// The ImGui key for a GLFW_KEY_*; ImGuiKey_None if ImGui does not know it. Up to 1.86, GLFW's own number.
inline Key key(int glfw_key) {
#if IMGUI_VERSION_NUM >= 18700
  const auto from = [glfw_key](int first, ImGuiKey result) {
    return static_cast<ImGuiKey>(result + (glfw_key - first));
  };
  if (glfw_key >= GLFW_KEY_A && glfw_key <= GLFW_KEY_Z) return from(GLFW_KEY_A, ImGuiKey_A);
  if (glfw_key >= GLFW_KEY_0 && glfw_key <= GLFW_KEY_9) return from(GLFW_KEY_0, ImGuiKey_0);
  if (glfw_key >= GLFW_KEY_F1 && glfw_key <= GLFW_KEY_F12) return from(GLFW_KEY_F1, ImGuiKey_F1);
  if (glfw_key >= GLFW_KEY_KP_0 && glfw_key <= GLFW_KEY_KP_9) return from(GLFW_KEY_KP_0, ImGuiKey_Keypad0);
  constexpr std::pair<int, ImGuiKey> kOthers[] = {{GLFW_KEY_TAB, ImGuiKey_Tab},
                                                  {GLFW_KEY_LEFT, ImGuiKey_LeftArrow},
                                                  {GLFW_KEY_RIGHT, ImGuiKey_RightArrow},
                                                  {GLFW_KEY_UP, ImGuiKey_UpArrow},
                                                  {GLFW_KEY_DOWN, ImGuiKey_DownArrow},
                                                  {GLFW_KEY_PAGE_UP, ImGuiKey_PageUp},
                                                  {GLFW_KEY_PAGE_DOWN, ImGuiKey_PageDown},
                                                  {GLFW_KEY_HOME, ImGuiKey_Home},
                                                  {GLFW_KEY_END, ImGuiKey_End},
                                                  {GLFW_KEY_INSERT, ImGuiKey_Insert},
                                                  {GLFW_KEY_DELETE, ImGuiKey_Delete},
                                                  {GLFW_KEY_BACKSPACE, ImGuiKey_Backspace},
                                                  {GLFW_KEY_SPACE, ImGuiKey_Space},
                                                  {GLFW_KEY_ENTER, ImGuiKey_Enter},
                                                  {GLFW_KEY_ESCAPE, ImGuiKey_Escape},
                                                  {GLFW_KEY_LEFT_CONTROL, ImGuiKey_LeftCtrl},
                                                  {GLFW_KEY_RIGHT_CONTROL, ImGuiKey_RightCtrl},
                                                  {GLFW_KEY_LEFT_SHIFT, ImGuiKey_LeftShift},
                                                  {GLFW_KEY_RIGHT_SHIFT, ImGuiKey_RightShift},
                                                  {GLFW_KEY_LEFT_ALT, ImGuiKey_LeftAlt},
                                                  {GLFW_KEY_RIGHT_ALT, ImGuiKey_RightAlt},
                                                  {GLFW_KEY_LEFT_SUPER, ImGuiKey_LeftSuper},
                                                  {GLFW_KEY_RIGHT_SUPER, ImGuiKey_RightSuper},
                                                  {GLFW_KEY_MENU, ImGuiKey_Menu},
                                                  {GLFW_KEY_APOSTROPHE, ImGuiKey_Apostrophe},
                                                  {GLFW_KEY_COMMA, ImGuiKey_Comma},
                                                  {GLFW_KEY_MINUS, ImGuiKey_Minus},
                                                  {GLFW_KEY_PERIOD, ImGuiKey_Period},
                                                  {GLFW_KEY_SLASH, ImGuiKey_Slash},
                                                  {GLFW_KEY_SEMICOLON, ImGuiKey_Semicolon},
                                                  {GLFW_KEY_EQUAL, ImGuiKey_Equal},
                                                  {GLFW_KEY_LEFT_BRACKET, ImGuiKey_LeftBracket},
                                                  {GLFW_KEY_BACKSLASH, ImGuiKey_Backslash},
                                                  {GLFW_KEY_RIGHT_BRACKET, ImGuiKey_RightBracket},
                                                  {GLFW_KEY_GRAVE_ACCENT, ImGuiKey_GraveAccent},
                                                  {GLFW_KEY_CAPS_LOCK, ImGuiKey_CapsLock},
                                                  {GLFW_KEY_SCROLL_LOCK, ImGuiKey_ScrollLock},
                                                  {GLFW_KEY_NUM_LOCK, ImGuiKey_NumLock},
                                                  {GLFW_KEY_PRINT_SCREEN, ImGuiKey_PrintScreen},
                                                  {GLFW_KEY_PAUSE, ImGuiKey_Pause},
                                                  {GLFW_KEY_KP_DECIMAL, ImGuiKey_KeypadDecimal},
                                                  {GLFW_KEY_KP_DIVIDE, ImGuiKey_KeypadDivide},
                                                  {GLFW_KEY_KP_MULTIPLY, ImGuiKey_KeypadMultiply},
                                                  {GLFW_KEY_KP_SUBTRACT, ImGuiKey_KeypadSubtract},
                                                  {GLFW_KEY_KP_ADD, ImGuiKey_KeypadAdd},
                                                  {GLFW_KEY_KP_ENTER, ImGuiKey_KeypadEnter},
                                                  {GLFW_KEY_KP_EQUAL, ImGuiKey_KeypadEqual}};
  for (const auto& [from_glfw, result] : kOthers) {
    if (from_glfw == glfw_key) return result;
  }
  return ImGuiKey_None;
#else
  return glfw_key;
#endif
}

/// Whether a key (GLFW_KEY_*) was pressed in this frame; with `repeat`, also by key repeat.
inline bool is_pressed(int glfw_key, bool repeat = true) {
  return ImGui::IsKeyPressed(key(glfw_key), repeat);
}

inline bool is_down(int glfw_key) {
  return ImGui::IsKeyDown(key(glfw_key));
}

/// Whether Enter or keypad Enter was pressed in this frame.
inline bool is_enter_pressed() {
  return is_pressed(GLFW_KEY_ENTER, false) || is_pressed(GLFW_KEY_KP_ENTER, false);
}

// Passes window events to ImGui. `InputQueue` decides which events a frame sees, for ImGui and for shortcuts,
// so ImGui's own queue (1.87 and later) must pass everything on immediately.

inline void use_own_queue(ImGuiIO& io) {
#if IMGUI_VERSION_NUM >= 18700
  io.ConfigInputTrickleEventQueue = false;
#else
  (void)io;
#endif
}

/// `glfw_key` is the letter or '/' that the keyboard layout prints on the key, if it is one. `mods`: the
/// GLFW_MOD_* flags of the event.
inline void add_key(ImGuiIO& io, int glfw_key, bool down, int mods) {
  // In a modifier's own event, `mods` is the state before or after the event, depending on the platform.
  const auto holds = [&](int left, int right, int mod) {
    return glfw_key == left || glfw_key == right ? down : (mods & mod) != 0;
  };
  const bool ctrl = holds(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL, GLFW_MOD_CONTROL);
  const bool shift = holds(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT, GLFW_MOD_SHIFT);
  const bool alt = holds(GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT, GLFW_MOD_ALT);
  const bool super = holds(GLFW_KEY_LEFT_SUPER, GLFW_KEY_RIGHT_SUPER, GLFW_MOD_SUPER);
#if IMGUI_VERSION_NUM >= 18900
  io.AddKeyEvent(ImGuiMod_Ctrl, ctrl);
  io.AddKeyEvent(ImGuiMod_Shift, shift);
  io.AddKeyEvent(ImGuiMod_Alt, alt);
  io.AddKeyEvent(ImGuiMod_Super, super);
#elif IMGUI_VERSION_NUM >= 18700
  io.AddKeyEvent(ImGuiKey_ModCtrl, ctrl);
  io.AddKeyEvent(ImGuiKey_ModShift, shift);
  io.AddKeyEvent(ImGuiKey_ModAlt, alt);
  io.AddKeyEvent(ImGuiKey_ModSuper, super);
#else
  io.KeyCtrl = ctrl;
  io.KeyShift = shift;
  io.KeyAlt = alt;
  io.KeySuper = super;
#endif
#if IMGUI_VERSION_NUM >= 18700
  io.AddKeyEvent(key(glfw_key), down);
#else
  if (glfw_key >= 0 && glfw_key < IM_ARRAYSIZE(io.KeysDown)) io.KeysDown[glfw_key] = down;
#endif
}

inline void add_mouse_position(ImGuiIO& io, float x, float y) {
#if IMGUI_VERSION_NUM >= 18700
  io.AddMousePosEvent(x, y);
#else
  io.MousePos = {x, y};
#endif
}

inline void add_mouse_button(ImGuiIO& io, int button, bool down) {
#if IMGUI_VERSION_NUM >= 18700
  io.AddMouseButtonEvent(button, down);
#else
  io.MouseDown[button] = down;
#endif
}

inline void add_mouse_wheel(ImGuiIO& io, float x, float y) {
#if IMGUI_VERSION_NUM >= 18700
  io.AddMouseWheelEvent(x, y);
#else
  io.MouseWheelH += x;
  io.MouseWheel += y;
#endif
}

/// Lets Enter activate the focused control, as Space does. ImGui 1.87 and later do so themselves.
inline void enter_activates_controls(ImGuiIO& io) {
#if IMGUI_VERSION_NUM < 18700
  if (io.KeysDown[GLFW_KEY_ENTER] || io.KeysDown[GLFW_KEY_KP_ENTER]) io.NavInputs[ImGuiNavInput_Activate] = 1;
#else
  (void)io;
#endif
}

// Keyboard focus.

/// Whether a control has the keyboard focus and shows it.
inline bool has_key_cursor() {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
#if IMGUI_VERSION_NUM >= 19140
  return context.NavId != 0 && context.NavCursorVisible;
#else
  return context.NavId != 0 && !context.NavDisableHighlight;
#endif
}

/// The control with the keyboard focus, whether or not it is shown; 0: none.
inline ImGuiID key_cursor() {
  return ImGui::GetCurrentContext()->NavId;
}

inline void hide_key_cursor() {
#if IMGUI_VERSION_NUM >= 19140
  ImGui::GetCurrentContext()->NavCursorVisible = false;
#else
  ImGui::GetCurrentContext()->NavDisableHighlight = true;
#endif
}

/// Moves the keyboard focus to the first control of the current window, and shows it immediately.
inline void show_key_cursor() {
  ImGuiContext& context = *ImGui::GetCurrentContext();
  ImGui::SetWindowFocus();
  ImGui::NavInitWindow(ImGui::GetCurrentWindow(), true);
#if IMGUI_VERSION_NUM >= 19140
  context.NavCursorVisible = true;
  context.NavHighlightItemUnderNav = true;
#else
  context.NavDisableHighlight = false;
  context.NavDisableMouseHover = true;
#endif
}

// Tab, where the keys navigate: from ImGui 1.90 on it stops at every control, before at text fields alone.

/// From here on Tab stops at every control of the current window; end_tab_stops() ends it.
inline void begin_tab_stops() {
#if IMGUI_VERSION_NUM < 19000
  const bool navigates = (ImGui::GetIO().ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard) != 0;
  ImGui::PushItemFlag(ImGuiItemFlags_Inputable, navigates);
#endif
}
inline void end_tab_stops() {
#if IMGUI_VERSION_NUM < 19000
  ImGui::PopItemFlag();
#endif
}

/// Call after ImGui::NewFrame() where the keys navigate: Tab goes on from a control that is not being edited.
/// Returns whether it went from the last control of a window around to the first.
inline bool update_tab() {
  ImGuiContext& context = *ImGui::GetCurrentContext();
#if IMGUI_VERSION_NUM < 19000
  if ((context.NavMoveFlags & ImGuiNavMoveFlags_Tabbing) != 0) {
    if (context.NavTabbingDir == 0) context.NavTabbingDir = 1;
    return false;
  }
#endif
  // The frame after the key has the result.
  const ImGuiID first = std::exchange(context.NavTabbingResultFirst.ID, 0);
  return first != 0 && context.NavTabbingDir > 0 && context.NavJustMovedToId == first;
}

/// Moves the keyboard focus to the first control of the next of these windows that takes keys, after the one
/// that has it.
inline void focus_next_window(std::span<const char* const> names) {
  const ImGuiWindow* const current = ImGui::GetCurrentContext()->NavWindow;
  std::size_t at = 0;
  while (at < names.size() &&
         (current == nullptr || ImGui::FindWindowByName(names[at]) != current->RootWindow))
    ++at;
  for (std::size_t i = 1; i <= names.size(); ++i) {
    ImGuiWindow* const next = ImGui::FindWindowByName(names[(at + i) % names.size()]);
    if (next == nullptr || !next->WasActive || (next->Flags & ImGuiWindowFlags_NoNavInputs) != 0) continue;
    ImGui::FocusWindow(next);
    ImGui::NavInitWindow(next, true);
    return;
  }
}

/// True if a control is in use (a button held, a field being edited), in this frame or the previous one.
inline bool is_control_active() {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  return context.ActiveId != 0 || context.ActiveIdPreviousFrame != 0;
}

/// Whether a text field receives the keyboard input of the coming frame. Call between frames.
inline bool will_want_text() {
  return ImGui::GetCurrentContext()->WantTextInputNextFrame > 0;
}

/// Makes the current control a text field: it gets the keyboard input of the coming frame.
inline void want_text() {
  ImGui::GetCurrentContext()->WantTextInputNextFrame = 1;
}

/// Lets a text field that has just become active handle Esc and its keys with Ctrl and Shift in its next
/// frame. From ImGui 1.89 on, such a key belongs to the widget that asked for it in the frame before, and a
/// text field first asks in the frame after its activation. Call at the end of each frame.
inline void route_keys_to_text_field() {
#if IMGUI_VERSION_NUM >= 18900
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  const ImGuiID field = context.ActiveId;
  if (field == 0 || field != context.InputTextState.ID) return;
  // Those of ImGui::InputTextEx().
  constexpr int kChords[] = {ImGuiKey_Escape,
                             ImGuiMod_Ctrl | ImGuiKey_A,
                             ImGuiMod_Ctrl | ImGuiKey_C,
                             ImGuiMod_Ctrl | ImGuiKey_V,
                             ImGuiMod_Ctrl | ImGuiKey_X,
                             ImGuiMod_Ctrl | ImGuiKey_Y,
                             ImGuiMod_Ctrl | ImGuiKey_Z,
                             ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z,
                             ImGuiMod_Ctrl | ImGuiKey_Insert,
                             ImGuiMod_Shift | ImGuiKey_Insert,
                             ImGuiMod_Shift | ImGuiKey_Delete};
  for (const int chord : kChords) {
#if IMGUI_VERSION_NUM >= 19070
    ImGui::SetShortcutRouting(chord, ImGuiInputFlags_RouteFocused, field);
#else
    ImGui::SetShortcutRouting(chord, field, ImGuiInputFlags_RouteFocused);
#endif
  }
#endif
}

/// The current window or child window.
inline ImGuiID window_id() {
  return ImGui::GetCurrentWindowRead()->ID;
}
/// The area of the root window that contains the current window.
inline ImRect root_window_rect() {
  return ImGui::GetCurrentWindowRead()->RootWindow->Rect();
}

/// Whether a popup was opened and not built yet. ImGui 1.86 then crashes on Escape in keyboard navigation.
inline bool popup_has_no_window() {
  const auto& open = ImGui::GetCurrentContext()->OpenPopupStack;
  return !open.empty() && open.back().Window == nullptr;
}

/// Number of nested drop-down lists, menus and dialogs that are open.
inline int open_popups() {
  return ImGui::GetCurrentContext()->OpenPopupStack.Size;
}

/// The names of the windows of this frame whose content does not fit and cannot be scrolled to.
inline std::vector<std::string> clipped_windows() {
  constexpr float kRounding = 1.5f;
  std::vector<std::string> names;
  for (const ImGuiWindow* const window : ImGui::GetCurrentContext()->Windows) {
    if (!window->WasActive || window->Hidden || (window->Flags & ImGuiWindowFlags_Tooltip) != 0) continue;
    const glm::vec2 room = glm::vec2(window->SizeFull) - 2.0f * glm::vec2(window->WindowPadding);
    const bool scrolls_x = (window->Flags & ImGuiWindowFlags_HorizontalScrollbar) != 0;
    const bool scrolls_y = (window->Flags & ImGuiWindowFlags_NoScrollbar) == 0;
    const bool clipped = (!scrolls_x && window->ContentSize.x > room.x + kRounding) ||
                         (!scrolls_y && window->ContentSize.y > room.y + kRounding);
    if (clipped) names.emplace_back(window->Name);
  }
  return names;
}

}  // namespace loom::app::imgui_compat
