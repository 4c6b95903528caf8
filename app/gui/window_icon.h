#pragma once

struct GLFWwindow;

namespace loom::app {

/// The program's icon for its window, as packaging/ has it: the gasket in the threads of a loom. Does nothing
/// where the desktop takes icons from files alone (Wayland).
void set_window_icon(GLFWwindow* window);

}  // namespace loom::app
