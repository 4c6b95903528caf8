#include "app/shell/shortcuts.h"

#include <GLFW/glfw3.h>

#include <string_view>

#include "compute/core/input_text.h"

namespace loom::app {

const char* label_of(Menu menu) {
  return value_for<Menu::kBookmark>({"", "File", "Edit", "View", "Simulation", "Compare", "Learn", "Help",
                                     "Navigate", "Window", "Presentation", "Workspace", "Start lesson",
                                     "Exercise", "Fractal", "Pattern", "Tour stop", "Setting", "Bookmark"},
                                    menu);
}

bool correspond(const Command& one, const Command& other) {
  const std::string_view shared = one.shared_meaning;
  return std::string_view(one.label) == other.label || (!shared.empty() && shared == other.shared_meaning);
}

Shortcuts<ShellEdit> shell_shortcuts(std::span<const char* const> workspaces) {
  Shortcuts<ShellEdit> keys;
  keys.add({"F", "fit the picture into the window", Menu::kNavigate, "Fit"}, key('f'),
           [](ShellEdit& e) { e.view = {.fit = true, .arm_box_zoom = e.view.arm_box_zoom}; });
  keys.add({"+", "zoom in", Menu::kNavigate, "Zoom in"}, character('+', '='),
           [](ShellEdit& e) { ++e.view.zoom; });
  keys.add({"−", "zoom out", Menu::kNavigate, "Zoom out"}, character('-'),
           [](ShellEdit& e) { --e.view.zoom; });
  keys.add({"←", "move left"}, without_shift(moving(GLFW_KEY_LEFT)), [](ShellEdit& e) { --e.view.pan.x; });
  keys.add({"→", "move right"}, without_shift(moving(GLFW_KEY_RIGHT)), [](ShellEdit& e) { ++e.view.pan.x; });
  keys.add({"↑", "move up"}, without_shift(moving(GLFW_KEY_UP)), [](ShellEdit& e) { --e.view.pan.y; });
  keys.add({"↓", "move down"}, without_shift(moving(GLFW_KEY_DOWN)), [](ShellEdit& e) { ++e.view.pan.y; });
  keys.add({"Shift ←", "move far left: half the picture, or a tile for the cursor"}, moving(GLFW_KEY_LEFT),
           [](ShellEdit& e) { --e.view.large_pan.x; });
  keys.add({"Shift →", "move far right"}, moving(GLFW_KEY_RIGHT), [](ShellEdit& e) { ++e.view.large_pan.x; });
  keys.add({"Shift ↑", "move far up"}, moving(GLFW_KEY_UP), [](ShellEdit& e) { --e.view.large_pan.y; });
  keys.add({"Shift ↓", "move far down"}, moving(GLFW_KEY_DOWN), [](ShellEdit& e) { ++e.view.large_pan.y; });
  keys.add_switch({"F10", "cursor in the picture: arrow keys move it, Enter pins, Esc leaves",
                   Menu::kNavigate, "Picture cursor"},
                  key(GLFW_KEY_F10), &ShellSettings::picture_cursor);
  keys.add({"B", "box zoom with the next drag", Menu::kNavigate, "Box zoom"}, key('b'),
           [](ShellEdit& e) { e.view.arm_box_zoom = true; });
  keys.add_switch({"Shift F9", "picture without panels", Menu::kWindow, "Panels"}, with_shift(GLFW_KEY_F9),
                  &ShellSettings::show_panels);
  keys.add_switch({"F9", "fold the side panel, and back", Menu::kWindow, "Side panel"},
                  without_shift(key(GLFW_KEY_F9)), &ShellSettings::show_side_panel);
  keys.add({"F6 or Tab",
            "keyboard control: Tab goes on to the next control, F6 to the side panel, the picture, the code; "
            "Esc leaves",
            Menu::kWindow, "Keyboard control"},
           any_of(key(GLFW_KEY_F6), key(GLFW_KEY_TAB)),
           [](ShellEdit& e) { e.commands.keyboard_navigation = true; });
  keys.add_switch({"F11", "full screen", Menu::kWindow, "Full screen"}, key(GLFW_KEY_F11),
                  &ShellSettings::full_screen);
  keys.add(
      {"T", "Metrics panel", Menu::kWindow, "Metrics"}, without_shift(key('t')),
      [](ShellEdit& e) { toggle_metrics(e.settings); },
      [](const ShellEdit& e) { return shows_metrics(e.settings); });
  keys.add(
      {"P", "lecture mode: large text, side panel and metrics folded", Menu::kPresentation, "Lecture mode"},
      key('p'), [](ShellEdit& e) { toggle_lecture_mode(e.settings); },
      [](const ShellEdit& e) { return is_lecture_mode(e.settings); });
  keys.add(
      {"F7", "pen: draw on the picture; Ctrl Z undoes a stroke, Esc erases", Menu::kPresentation, kPenLabel},
      key(GLFW_KEY_F7), [](ShellEdit& e) { e.commands.pen = true; });
  keys.add({"F8", "spotlight under the cursor: a tap switches it, holding the key shows it meanwhile",
            Menu::kPresentation, "Spotlight"},
           key(GLFW_KEY_F8), [](ShellEdit& e) { e.commands.spotlight = true; });
  keys.add({"Ctrl +", "larger text", Menu::kWindow, "Larger text"}, with_ctrl({'=', '+'}),
           [](ShellEdit& e) { set_ui_pixels(e.settings, e.settings.ui_pixels + 2); });
  keys.add({"Ctrl −", "smaller text", Menu::kWindow, "Smaller text"}, with_ctrl({'-'}),
           [](ShellEdit& e) { set_ui_pixels(e.settings, e.settings.ui_pixels - 2); });
  keys.add(
      {"", "light colours of the window, for bright rooms and print", Menu::kWindow, "Light theme"}, no_key(),
      [](ShellEdit& e) {
        choose_theme(e.settings, e.settings.theme == Theme::kLight ? Theme::kDark : Theme::kLight);
      },
      [](const ShellEdit& e) { return e.settings.theme == Theme::kLight; });
  keys.add_switch({"", "tiles move when the map changes, and an arrow follows the pinned thread",
                   Menu::kWindow, "Animations"},
                  no_key(), &ShellSettings::animations);
  keys.add({"Ctrl Z", "undo", Menu::kEdit, kUndoLabel}, with_ctrl({'z'}),
           [](ShellEdit& e) { e.commands.undo = true; });
  keys.add({"Ctrl Y", "redo", Menu::kEdit, kRedoLabel}, with_ctrl({'y'}),
           [](ShellEdit& e) { e.commands.redo = true; });
  keys.add({"Z", "the workspace shown before, and back", Menu::kWorkspace, "Previous workspace"}, key('z'),
           [](ShellEdit& e) { e.commands.previous_workspace = !e.commands.previous_workspace; });
  static constexpr std::array kWorkspaceKeys = {"Ctrl 1", "Ctrl 2", "Ctrl 3", "Ctrl 4", "Ctrl 5",
                                                "Ctrl 6", "Ctrl 7", "Ctrl 8", "Ctrl 9"};
  for (std::size_t i = 0; i < workspaces.size(); ++i) {
    keys.add(
        {.keys = kWorkspaceKeys.at(i),
         .meaning = "show this workspace; the others are paused",
         .menu = Menu::kWorkspace,
         .label = workspaces[i],
         .subject = workspaces[i]},
        with_ctrl({'1' + static_cast<int>(i)}), [i](ShellEdit& e) { e.settings.workspace = i; },
        [i](const ShellEdit& e) { return e.settings.workspace == i; });
  }
  keys.add({"Home", "start screen: explore, compare, lessons", Menu::kHelp, "Start screen"},
           key(GLFW_KEY_HOME), [](ShellEdit& e) { e.settings.show_start = !e.settings.show_start; });
  keys.add({"L", "lessons", Menu::kLearn, "Lessons..."}, key('l'),
           [](ShellEdit& e) { e.lessons.list = true; });
  keys.add({"", "documentation: grade the maps that a class has written", Menu::kLearn,
            "How to grade submissions"},
           no_key(),
           [](ShellEdit& e) { e.commands.documentation_page = "docs/how-to/write-an-exercise.md#grade"; });
  keys.add({"", "documentation: print a lesson for a class, with pictures, and a sheet for the scores",
            Menu::kLearn, "How to print handouts"},
           no_key(), [](ShellEdit& e) {
             e.commands.documentation_page = "docs/how-to/teach-with-lessons.md#handout-and-score-sheet";
           });
  keys.add({"? or H", "list of keys", Menu::kHelp, "Keys and mouse"}, any_of(character('?'), key('h')),
           [](ShellEdit& e) { e.settings.show_help = !e.settings.show_help; });
  keys.add({"F1 or Ctrl H", "documentation: tutorials, guides, reference", Menu::kHelp, "Documentation"},
           any_of(key(GLFW_KEY_F1), with_ctrl({'h'})), [](ShellEdit& e) { e.commands.documentation = true; });
  keys.add({"Esc", "close a list or a message, otherwise cancel long work"}, key(GLFW_KEY_ESCAPE),
           [](ShellEdit& e) { e.commands.dismiss = true; });
  keys.add({"Ctrl P", "find a command by its name", Menu::kHelp, "Find command..."}, with_ctrl({'p'}),
           [](ShellEdit& e) { e.commands.find_command = true; });
  keys.add({"", "versions and devices", Menu::kHelp, "About..."}, no_key(),
           [](ShellEdit& e) { e.commands.about = true; });
  keys.add({"Ctrl Q", "quit", Menu::kFile, "Quit"}, with_ctrl({'q'}),
           [](ShellEdit& e) { e.commands.quit = true; });
  return keys;
}

}  // namespace loom::app
