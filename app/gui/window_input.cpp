#include "app/gui/window_input.h"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <imgui.h>

#include <cctype>
#include <cfloat>

#include "app/gui/imgui_compat.h"

namespace loom::app {
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

}  // namespace loom::app
