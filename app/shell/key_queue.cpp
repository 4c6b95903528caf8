#include "app/shell/key_queue.h"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace loom::app {
namespace {

KeyQueue& queue_of(GLFWwindow* window) {
  return *static_cast<KeyQueue*>(glfwGetWindowUserPointer(window));
}

bool typing() {
  return ImGui::GetCurrentContext() != nullptr && ImGui::GetIO().WantTextInput;
}

// What the layout prints on the key, lower case; digits by place, since some layouts have them on Shift;
// letters as a US keyboard has them where the layout has no Latin ones.
int printed_key(int key, int scancode) {
  if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) return key;
  const char* name = glfwGetKeyName(key, scancode);
  const bool letter_key = key >= GLFW_KEY_A && key <= GLFW_KEY_Z;
  if (name == nullptr) return letter_key ? key - GLFW_KEY_A + 'a' : key;
  const unsigned char first = static_cast<unsigned char>(name[0]);
  if (first < 128 && name[1] == '\0') return std::tolower(first);
  return letter_key ? key - GLFW_KEY_A + 'a' : key;
}

}  // namespace

KeyQueue::KeyQueue(GLFWwindow* window) : window_(window) {
  if (window_ == nullptr) return;
  glfwSetWindowUserPointer(window_, this);
  glfwSetKeyCallback(window_, on_key);
  glfwSetCharCallback(window_, on_character);
  glfwSetDropCallback(window_, on_drop);
}

KeyQueue::~KeyQueue() {
  if (window_ == nullptr) return;
  glfwSetKeyCallback(window_, nullptr);
  glfwSetCharCallback(window_, nullptr);
  glfwSetDropCallback(window_, nullptr);
  glfwSetWindowUserPointer(window_, nullptr);
}

void KeyQueue::on_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
  KeyQueue& queue = queue_of(window);
  const bool ctrl = (mods & GLFW_MOD_CONTROL) != 0;
  const bool shift = (mods & GLFW_MOD_SHIFT) != 0;
  if (action == GLFW_RELEASE) {
    const auto same = [=](const Tap& tap) { return tap.key == key; };
    const auto tap = std::find_if(queue.pressed_.begin(), queue.pressed_.end(), same);
    if (tap != queue.pressed_.end()) queue.tapped_.push_back(*tap);
    return;
  }
  if (action == GLFW_PRESS && key >= 0) queue.pressed_.push_back({key, ctrl, shift});
  if (typing() && !ctrl) return;
  queue.presses_.push_back(
      {.key = printed_key(key, scancode), .ctrl = ctrl, .shift = shift, .repeat = action == GLFW_REPEAT});
}

void KeyQueue::on_character(GLFWwindow* window, unsigned character) {
  if (typing() || (character < 128 && std::isalpha(static_cast<int>(character)))) return;
  queue_of(window).presses_.push_back({.character = character});
}

void KeyQueue::on_drop(GLFWwindow* window, int count, const char** files) {
  queue_of(window).dropped_.assign(files, files + count);
}

std::vector<KeyPress> KeyQueue::take() {
  return std::exchange(presses_, {});
}

void KeyQueue::hold_taps() {
  if (window_ == nullptr) return;
  ImGuiIO& io = ImGui::GetIO();
  const auto is_down = [this](int key) { return glfwGetKey(window_, key) == GLFW_PRESS; };
  for (const Tap& tap : held_) io.KeysDown[tap.key] = is_down(tap.key);
  // What was held back comes before what was typed since.
  ImVector<ImWchar> since;
  since.swap(io.InputQueueCharacters);
  for (const unsigned character : std::exchange(delayed_, {})) io.AddInputCharacter(character);
  for (const ImWchar character : since) io.InputQueueCharacters.push_back(character);
  held_ = std::exchange(tapped_, {});
  for (const Tap& tap : held_) io.KeysDown[tap.key] = true;

  // A key counts with the modifiers that were down when it was pressed, even if they are up again.
  io.KeyCtrl = is_down(GLFW_KEY_LEFT_CONTROL) || is_down(GLFW_KEY_RIGHT_CONTROL);
  io.KeyShift = is_down(GLFW_KEY_LEFT_SHIFT) || is_down(GLFW_KEY_RIGHT_SHIFT);
  bool pressed_with_ctrl = false;
  for (const Tap& press : std::exchange(pressed_, {})) {
    pressed_with_ctrl |= press.ctrl;
    io.KeyShift |= press.shift;
  }
  io.KeyCtrl |= pressed_with_ctrl;
  // ImGui drops what is typed while Ctrl is down, and here it is down a little longer than it was.
  if (pressed_with_ctrl) {
    delayed_.assign(io.InputQueueCharacters.begin(), io.InputQueueCharacters.end());
    io.InputQueueCharacters.resize(0);
  }
}

}  // namespace loom::app
