#include "app/input/key_queue.h"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <cctype>
#include <utility>

namespace loom::app {
namespace {

KeyQueue& queue_of(GLFWwindow* window) { return *static_cast<KeyQueue*>(glfwGetWindowUserPointer(window)); }

bool typing() { return ImGui::GetCurrentContext() != nullptr && ImGui::GetIO().WantTextInput; }

// What the layout prints on the key, lower case; digits by place, since some layouts have them on Shift; letters as
// a US keyboard has them where the layout has no Latin ones.
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
}

KeyQueue::~KeyQueue() {
  if (window_ == nullptr) return;
  glfwSetKeyCallback(window_, nullptr);
  glfwSetCharCallback(window_, nullptr);
  glfwSetWindowUserPointer(window_, nullptr);
}

void KeyQueue::on_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
  if (action == GLFW_RELEASE) return;
  const bool ctrl = (mods & GLFW_MOD_CONTROL) != 0;
  if (typing() && !ctrl) return;
  queue_of(window).presses_.push_back({.key = printed_key(key, scancode),
                                       .ctrl = ctrl,
                                       .shift = (mods & GLFW_MOD_SHIFT) != 0,
                                       .repeat = action == GLFW_REPEAT});
}

void KeyQueue::on_character(GLFWwindow* window, unsigned character) {
  if (typing() || (character < 128 && std::isalpha(static_cast<int>(character)))) return;
  queue_of(window).presses_.push_back({.character = character});
}

std::vector<KeyPress> KeyQueue::take() { return std::exchange(presses_, {}); }

}  // namespace loom::app
