#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "app/gui/input_queue.h"
#include "app/shell/shell_settings.h"
#include "app/widgets/control.h"

namespace loom::app {

/// A key or mouse gesture and its action, for the list of keys.
struct KeyHelp {
  const char* keys;
  const char* meaning;
};

/// The menus of the menu bar, and the submenus of View and Learn. kNone: a key without a menu item. From
/// kExercise on: what the command palette finds of every workspace, and no menu has.
enum class Menu {
  kNone,
  kFile,
  kEdit,
  kView,
  kSimulation,
  kCompare,
  kLearn,
  kHelp,
  kNavigate,
  kWindow,
  kPresentation,
  kWorkspace,
  kLesson,
  kExercise,
  kFractal,
  kPattern,
  kTour,
  kSetting,
  kBookmark
};
inline bool is_content(Menu menu) {
  return menu >= Menu::kExercise;
}
inline constexpr std::array kMenus = {Menu::kFile,    Menu::kEdit,  Menu::kView, Menu::kSimulation,
                                      Menu::kCompare, Menu::kLearn, Menu::kHelp};
inline constexpr std::array kSubmenus = {Menu::kNavigate, Menu::kWindow, Menu::kPresentation,
                                         Menu::kWorkspace, Menu::kLesson};
/// The menu of the menu bar that it is or that it belongs to.
constexpr Menu top_menu(Menu menu) {
  if (menu == Menu::kLesson) return Menu::kLearn;
  return menu >= Menu::kNavigate && menu <= Menu::kWorkspace ? Menu::kView : menu;
}
const char* label_of(Menu menu);

/// Whether a command loses data that is not easily made again. Its key then has Ctrl or Shift.
enum class Effect { kKeeps, kDestroys };

/// A command with its key, as menus, the command palette and the list of keys show it.
struct Command {
  const char* keys;     ///< "Ctrl Shift S"
  const char* meaning;  ///< "save the scene as"
  Menu menu = Menu::kNone;
  const char* label = "";  ///< of the menu item: "Save scene as..."
  /// What the key means in every workspace, if the labels differ there: "benchmark".
  const char* shared_meaning = "";
  Effect effect = Effect::kKeeps;
  /// What `meaning` is about, where several commands have one meaning: "Life". Shown before it.
  const char* subject = "";
};

/// Commands of one owner, and how they are run.
struct CommandSource {
  std::span<const Command> commands = {};
  std::function<void(std::size_t)> run = {};
  std::function<bool(std::size_t)> checked = {};         ///< whether it has a check mark; empty: none has
  std::function<const char*(std::size_t)> problem = {};  ///< why it is disabled; null: it is not
  /// Handles the key if it belongs to the owner, and returns whether it does. Empty: none does.
  std::function<bool(const KeyPress&)> press = {};
  /// The command whose key matches the press; null if there is none. Empty: its keys need no hint.
  std::function<const Command*(const KeyPress&)> find = {};
  bool hidden = false;  ///< of a workspace that is not shown: the command palette has only its content
};

using KeyMatcher = std::function<bool(const KeyPress&)>;

/// A table of commands that act on an edit. The same table handles key presses and fills the menus and the
/// list of keys.
template <typename Edit>
class Shortcuts {
 public:
  /// `checked`: whether the menu item has a check mark; a command that is not a choice has none.
  void add(Command command, KeyMatcher matches, std::function<void(Edit&)> act,
           std::function<bool(const Edit&)> checked = {}) {
    commands_.push_back(command);
    keys_.push_back({std::move(matches), std::move(act), std::move(checked)});
  }
  /// A command that switches a setting on and off: a member of the settings, or a function that returns a
  /// reference to it.
  template <typename Setting>
  void add_switch(const Command& command, KeyMatcher matches, Setting setting) {
    add(
        command, std::move(matches),
        [setting](Edit& edit) { std::invoke(setting, edit.settings) = !std::invoke(setting, edit.settings); },
        [setting](const Edit& edit) { return std::invoke(setting, edit.settings); });
  }
  std::span<const Command> commands() const { return commands_; }
  /// These commands acting on `edit`, which may be null until one is run. The table and the edit must outlive
  /// the result.
  CommandSource source(Edit* edit) const {
    return {.commands = commands_,
            .run = [this, edit](std::size_t i) { run(i, *edit); },
            .checked = [this, edit](std::size_t i) { return checked(i, *edit); },
            .press = [this, edit](const KeyPress& pressed) { return press(pressed, *edit); },
            .find = [this](const KeyPress& pressed) { return find(pressed); }};
  }
  /// Runs the command with this index.
  void run(std::size_t index, Edit& edit) const { keys_[index].act(edit); }
  bool checked(std::size_t index, const Edit& edit) const {
    return keys_[index].checked && keys_[index].checked(edit);
  }
  /// Runs the first command whose key matches; returns false if there is none.
  bool press(const KeyPress& press, Edit& edit) const {
    const auto at = index_of(press);
    if (at) run(*at, edit);
    return at.has_value();
  }
  /// The first command whose key matches; null if there is none.
  const Command* find(const KeyPress& press) const {
    const auto at = index_of(press);
    return at ? &commands_[*at] : nullptr;
  }

 private:
  std::optional<std::size_t> index_of(const KeyPress& press) const {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i].matches(press)) return i;
    }
    return std::nullopt;
  }
  struct Key {
    KeyMatcher matches;
    std::function<void(Edit&)> act;
    std::function<bool(const Edit&)> checked;
  };
  std::vector<Command> commands_;
  std::vector<Key> keys_;
};

inline constexpr const char* kUndoLabel = "Undo";
inline constexpr const char* kRedoLabel = "Redo";
inline constexpr const char* kPenLabel = "Pen";
inline constexpr const char* kSaveSceneLabel = "Save scene";

/// Whether two commands may have the same key: they are the same, or their meanings correspond.
bool correspond(const Command& one, const Command& other);

/// Of a command without a key.
inline KeyMatcher no_key() {
  return [](const KeyPress&) { return false; };
}

/// Adds settings, by label and control, for the command palette: a command shows its control and rings it.
template <typename Edit>
void add_settings(Shortcuts<Edit>& keys, std::span<const std::pair<const char*, Control>> settings) {
  for (const auto& [label, control] : settings) {
    keys.add({"", "show this setting", Menu::kSetting, label}, no_key(),
             [control = control](Edit& edit) { edit.shell.commands.show_control = control; });
  }
}

/// The keys with the same meaning in every workspace. `workspaces`: the labels of the workspaces, at most 9,
/// which live as long as the table.
Shortcuts<ShellEdit> shell_shortcuts(std::span<const char* const> workspaces);

// Predicates that decide which key press a shortcut matches.

inline KeyMatcher key(int code) {
  return [=](const KeyPress& press) { return press.key == code && !press.ctrl && !press.repeat; };
}

inline KeyMatcher character(unsigned one, unsigned other = 0) {
  return [=](const KeyPress& press) {
    return press.character != 0 && (press.character == one || press.character == other);
  };
}

// Also matches key repeats, which make sense only for movement and zoom.
inline KeyMatcher moving(int code) {
  return [=](const KeyPress& press) { return press.key == code && !press.ctrl; };
}

inline KeyMatcher with_ctrl(std::vector<int> codes) {
  return [keys = std::move(codes)](const KeyPress& press) {
    if (!press.ctrl) return false;
    for (const int code : keys) {
      if (press.key == code) return true;
    }
    return false;
  };
}

inline KeyMatcher without_shift(KeyMatcher matches) {
  return [=](const KeyPress& press) { return !press.shift && matches(press); };
}

inline KeyMatcher with_shift(int code) {
  return
      [=](const KeyPress& press) { return press.shift && !press.ctrl && press.key == code && !press.repeat; };
}

inline KeyMatcher with_ctrl_shift(int code) {
  return [=](const KeyPress& press) { return press.ctrl && press.shift && press.key == code; };
}

inline KeyMatcher any_of(KeyMatcher a, KeyMatcher b) {
  return [=](const KeyPress& press) { return a(press) || b(press); };
}

}  // namespace loom::app
