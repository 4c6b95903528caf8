#pragma once

struct GLFWwindow;

namespace loom::app {

/// Sets the window's icon, the gasket in the threads of a loom, as in packaging/. Does nothing if the desktop
/// takes icons only from files (Wayland).
void set_window_icon(GLFWwindow* window);

}  // namespace loom::app
