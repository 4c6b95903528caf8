#include "app/shell/shortcuts.h"

#include <GLFW/glfw3.h>

#include "app/shell/key_match.h"

namespace loom::app {

Shortcuts<ShellEdit> shell_shortcuts(std::size_t workspaces) {
  Shortcuts<ShellEdit> keys;
  keys.add("F", "fit the picture into the window", key('f'),
           [](ShellEdit& e) { e.view = {.fit = true, .arm_box_zoom = e.view.arm_box_zoom}; });
  keys.add("+", "zoom in", character('+', '='), [](ShellEdit& e) { ++e.view.zoom; });
  keys.add("−", "zoom out", character('-'), [](ShellEdit& e) { --e.view.zoom; });
  keys.add("←", "move left", moving(GLFW_KEY_LEFT), [](ShellEdit& e) { --e.view.pan.x; });
  keys.add("→", "move right", moving(GLFW_KEY_RIGHT), [](ShellEdit& e) { ++e.view.pan.x; });
  keys.add("↑", "move up", moving(GLFW_KEY_UP), [](ShellEdit& e) { --e.view.pan.y; });
  keys.add("↓", "move down", moving(GLFW_KEY_DOWN), [](ShellEdit& e) { ++e.view.pan.y; });
  keys.add("B", "box zoom with the next drag", key('b'), [](ShellEdit& e) { e.view.arm_box_zoom = true; });
  keys.add("Tab", "picture without panels", key(GLFW_KEY_TAB),
           [](ShellEdit& e) { e.settings.show_panels = !e.settings.show_panels; });
  keys.add("F6", "keyboard control of the panels; Esc leaves", key(GLFW_KEY_F6),
           [](ShellEdit& e) { e.commands.keyboard_navigation = true; });
  keys.add("F11", "full screen", key(GLFW_KEY_F11),
           [](ShellEdit& e) { e.settings.full_screen = !e.settings.full_screen; });
  keys.add("T", "Metrics panel", key('t'),
           [](ShellEdit& e) { e.settings.show_timing = !e.settings.show_timing; });
  keys.add("P", "projector text size and back", key('p'), [](ShellEdit& e) { toggle_projector(e.settings); });
  keys.add("Ctrl +", "larger text", with_ctrl({'=', '+'}),
           [](ShellEdit& e) { set_ui_pixels(e.settings, e.settings.ui_pixels + 2); });
  keys.add("Ctrl −", "smaller text", with_ctrl({'-'}),
           [](ShellEdit& e) { set_ui_pixels(e.settings, e.settings.ui_pixels - 2); });
  keys.add("Ctrl Z", "undo", with_ctrl({'z'}), [](ShellEdit& e) { e.commands.undo = true; });
  keys.add("Ctrl Y", "redo", with_ctrl({'y'}), [](ShellEdit& e) { e.commands.redo = true; });
  keys.add("Z", "the other workspace", key('z'),
           [=](ShellEdit& e) { e.settings.workspace = (e.settings.workspace + 1) % workspaces; });
  keys.add("Home", "start screen: explore, compare, lessons", key(GLFW_KEY_HOME),
           [](ShellEdit& e) { e.settings.show_start = !e.settings.show_start; });
  keys.add("L", "lessons", key('l'), [](ShellEdit& e) { e.lessons.list = true; });
  keys.add("? or H", "list of keys", any_of(character('?'), key('h')),
           [](ShellEdit& e) { e.settings.show_help = !e.settings.show_help; });
  keys.add("Esc", "close a list or a message, otherwise cancel long work", key(GLFW_KEY_ESCAPE),
           [](ShellEdit& e) { e.commands.dismiss = true; });
  keys.add("Ctrl Q", "quit", with_ctrl({'q'}), [](ShellEdit& e) { e.commands.quit = true; });
  return keys;
}

}  // namespace loom::app
