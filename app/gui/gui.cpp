#include "app/gui/gui.h"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include <array>
#include <cctype>
#include <cfloat>
#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec4.hpp>

#include "app/gui/imgui_compat.h"

namespace loom::app {

Gui::Gui(const render::GraphicsContext& context, float ui_pixels, Theme theme)
    : context_(context), input_(context.window()) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // the layout is computed, not stored
  io.LogFilename = nullptr;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  imgui_compat::use_own_queue(io);
  if (context_.window() != nullptr) ImGui_ImplGlfw_InitForOpenGL(context_.window(), false);
  ImGui_ImplOpenGL3_Init("#version 450 core");
  clipboard::limit_text_fields();
  set_scale(ui_pixels, theme);
}

Gui::~Gui() {
  ImGui_ImplOpenGL3_Shutdown();
  if (context_.window() != nullptr) ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

void Gui::set_scale(float ui_pixels, Theme theme) {
  ui_pixels_ = ui_pixels;
  theme_ = theme;
  fonts_ = load_fonts(ui_pixels);
  theme::apply(ui_pixels, theme);
}

void Gui::begin_frame(float ui_pixels, Theme theme) {
  ImGui_ImplOpenGL3_NewFrame();  // the first call creates the font texture; an earlier one would be lost
  if (ui_pixels != ui_pixels_) {
    set_scale(ui_pixels, theme);
    imgui_compat::upload_fonts();
  } else if (theme != theme_) {
    theme_ = theme;
    theme::apply(ui_pixels, theme);
  }
  if (context_.window() != nullptr) {
    ImGui_ImplGlfw_NewFrame();
    take_sizes();
    input_.begin_frame();
  } else {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = glm::vec2(context_.framebuffer_size());
    io.DeltaTime = 1.0f / 60;
  }
  if (imgui_compat::popup_has_no_window()) ImGui::GetIO().ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
  ImGui::NewFrame();
  // Keyboard navigation is off because keys are shortcuts; what needs it enables it in each of its frames.
  ImGui::GetIO().ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
}

// The window and framebuffer sizes need two queries. If the window is resized in between, their ratio can be
// wrong by a factor of hundreds. The sizes are used only if the window size is the same before and after;
// otherwise the previous ones remain.
void Gui::take_sizes() {
  constexpr int kAttempts = 4;
  for (int i = 0; i < kAttempts; ++i) {
    glm::ivec2 size{0};
    glm::ivec2 size_after{0};
    glfwGetWindowSize(context_.window(), &size.x, &size.y);
    const glm::ivec2 framebuffer = context_.framebuffer_size();
    glfwGetWindowSize(context_.window(), &size_after.x, &size_after.y);
    if (size != size_after) continue;
    if (size.x < 1 || size.y < 1) break;
    size_ = glm::vec2(size);
    scale_ = glm::vec2(framebuffer) / size_;
    break;
  }
  ImGui::GetIO().DisplaySize = size_;
  ImGui::GetIO().DisplayFramebufferScale = scale_;
}

void Gui::end_frame() {
  imgui_compat::route_keys_to_text_field();
  ImGui::Render();
}

void Gui::draw() {
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

namespace {

constexpr MoveEvent kNowhere = {-FLT_MAX, -FLT_MAX};  // ImGui's value for a mouse outside the window

// The character that the keyboard layout prints on the key, in lower case. Digits by position, since some
// layouts have them on Shift; letters as on a US keyboard if the layout has no Latin letters.
int printed_key(int key, int scancode) {
  if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) return key;
  const char* name = glfwGetKeyName(key, scancode);
  const bool letter_key = key >= GLFW_KEY_A && key <= GLFW_KEY_Z;
  if (name == nullptr) return letter_key ? key - GLFW_KEY_A + 'a' : key;
  const unsigned char first = static_cast<unsigned char>(name[0]);
  if (first < 128 && name[1] == '\0') return std::tolower(first);
  return letter_key ? key - GLFW_KEY_A + 'a' : key;
}

bool works_by_keys(const ImGuiIO& io) {
  return (io.ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard) != 0;
}

// The receiver of key presses in the coming frame.
KeyTarget key_target(bool searchable) {
  if (imgui_compat::will_want_text()) return KeyTarget::kTextField;
  if (imgui_compat::open_popups() > 0) return KeyTarget::kNavigation;
  if (searchable) return KeyTarget::kSearchable;
  return works_by_keys(ImGui::GetIO()) ? KeyTarget::kNavigation : KeyTarget::kShortcuts;
}

}  // namespace

WindowInput::WindowInput(GLFWwindow* window) : window_(window), mouse_(kNowhere) {
  if (window_ == nullptr) return;
  glfwSetWindowUserPointer(window_, this);
  static const auto of = [](GLFWwindow* some) -> WindowInput& {
    return *static_cast<WindowInput*>(glfwGetWindowUserPointer(some));
  };
  glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int scancode, int action, int mods) {
    of(w).queue_.add(KeyEvent{key, scancode, action, mods, printed_key(key, scancode)});
  });
  glfwSetCharCallback(window_,
                      [](GLFWwindow* w, unsigned character) { of(w).queue_.add(CharacterEvent{character}); });
  glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double x, double y) {
    of(w).queue_.add(MoveEvent{x, y});
  });
  glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int entered) {
    MoveEvent at = kNowhere;
    if (entered == GLFW_TRUE) glfwGetCursorPos(w, &at.x, &at.y);  // no move event follows
    if (entered == GLFW_TRUE || of(w).buttons_.none()) of(w).queue_.add(at);
  });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int) {
    of(w).queue_.add(ButtonEvent{button, action == GLFW_PRESS});
  });
  glfwSetScrollCallback(window_, [](GLFWwindow* w, double x, double y) {
    of(w).queue_.add(WheelEvent{x, y});
  });
  glfwSetWindowFocusCallback(window_, ImGui_ImplGlfw_WindowFocusCallback);
  glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** files) {
    of(w).dropped_.insert(of(w).dropped_.end(), files, files + count);
  });
}

WindowInput::~WindowInput() {
  if (window_ == nullptr) return;
  glfwSetKeyCallback(window_, nullptr);
  glfwSetCharCallback(window_, nullptr);
  glfwSetCursorPosCallback(window_, nullptr);
  glfwSetCursorEnterCallback(window_, nullptr);
  glfwSetMouseButtonCallback(window_, nullptr);
  glfwSetScrollCallback(window_, nullptr);
  glfwSetWindowFocusCallback(window_, nullptr);
  glfwSetDropCallback(window_, nullptr);
  glfwSetWindowUserPointer(window_, nullptr);
}

void WindowInput::begin_frame() {
  if (window_ == nullptr) return;
  InputQueue::Frame frame = queue_.next(key_target(searchable_));
  for (const InputEvent& event : frame.events) std::visit([this](const auto& one) { show(one); }, event);
  presses_ = std::move(frame.presses);
  wants_search_ = frame.wants_search;
  had_input_ = wants_search_ || !frame.events.empty() || !presses_.empty() || !dropped_.empty();
  // The backend sets the current mouse position, which is later than the events of this frame.
  ImGuiIO& io = ImGui::GetIO();
  imgui_compat::add_mouse_position(io, static_cast<float>(mouse_.x), static_cast<float>(mouse_.y));
  for (int i = 0; i < ImGuiMouseButton_COUNT; ++i)
    imgui_compat::add_mouse_button(io, i, buttons_[static_cast<std::size_t>(i)]);
  if (works_by_keys(io)) imgui_compat::enter_activates_controls(io);
}

void WindowInput::show(const KeyEvent& event) {
  // Letters and '/' as printed on the key: ImGui identifies Ctrl+A, C, V, X, Y and Z by key position, the
  // code editor Ctrl+/. Where no key prints '/' without Shift, it is the key at its place.
  const bool letter = event.printed >= 'a' && event.printed <= 'z';
  const int key = letter                 ? event.printed - 'a' + GLFW_KEY_A
                  : event.printed == '/' ? GLFW_KEY_SLASH
                                         : event.key;
  if (event.action != GLFW_REPEAT)  // ImGui generates key repeat itself
    imgui_compat::add_key(ImGui::GetIO(), key, event.action == GLFW_PRESS, event.mods);
}

void WindowInput::show(const CharacterEvent& event) {
  ImGui::GetIO().AddInputCharacter(event.character);
}

void WindowInput::show(const MoveEvent& event) {
  mouse_ = event;
}

void WindowInput::show(const ButtonEvent& event) {
  buttons_[static_cast<std::size_t>(event.button)] = event.down;
}

void WindowInput::show(const WheelEvent& event) {
  imgui_compat::add_mouse_wheel(ImGui::GetIO(), static_cast<float>(event.x), static_cast<float>(event.y));
}

namespace {

constexpr int kCells = 8;  // cells per side: the gasket at level 3

constexpr glm::u8vec4 kBackgroundColour{0x17, 0x18, 0x1c, 255};
constexpr glm::u8vec4 kThreadColour{0x5a, 0xb4, 0xc5, 255};
constexpr glm::u8vec4 kAliveColour{0xfd, 0xe7, 0x37, 255};

// With x and y counted from the left and the top, (x, y) is a hole if x has a binary digit 1 where y has a 0.
bool is_cell(int x, int y) {
  return (x & ~y & (kCells - 1)) == 0;
}

std::vector<std::uint8_t> drawn(int side) {
  std::vector<std::uint8_t> pixels;
  const int step = side / (kCells + 2);
  const int margin = (side - step * kCells) / 2;
  const int gap = step >= 5 ? 1 : 0;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const int column = x < margin ? -1 : (x - margin) / step;
      const int row = y < margin ? -1 : (y - margin) / step;
      const bool inside = column >= 0 && row >= 0 && column < kCells && row < kCells;
      const bool on_gap = (x - margin) % step < gap || (y - margin) % step < gap;
      glm::u8vec4 colour = kBackgroundColour;
      const bool in_row = row >= 0 && row < kCells;
      if (in_row && (y - margin) % step == step / 2 && x >= margin / 2 &&
          x < margin + (row + 1) * step + margin / 2)
        colour = kThreadColour;
      if (inside && is_cell(column, row) && !on_gap) colour = kAliveColour;
      pixels.insert(pixels.end(), {colour.r, colour.g, colour.b, colour.a});
    }
  }
  return pixels;
}

}  // namespace

void set_window_icon(GLFWwindow* window) {
  constexpr std::array kSides = {16, 32, 48, 128};
  std::array<std::vector<std::uint8_t>, kSides.size()> pixels;
  std::array<GLFWimage, kSides.size()> images{};
  for (std::size_t i = 0; i < kSides.size(); ++i) {
    pixels[i] = drawn(kSides[i]);
    images[i] = {kSides[i], kSides[i], pixels[i].data()};
  }
  glfwSetWindowIcon(window, static_cast<int>(images.size()), images.data());
}

}  // namespace loom::app
