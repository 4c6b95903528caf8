#pragma once

#include <imgui.h>

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "app/gui/layout.h"
#include "app/shell/shell_settings.h"
#include "app/shell/shortcuts.h"
#include "app/widgets/inputs.h"

namespace loom::app {

/// The part of the dock that is drawn: all of it in a column of its own, or what the selected tab names.
struct DockSpace {
  bool metrics = true;
  bool details = true;  ///< the content that the user opens, such as the thread
  bool beside = true;   ///< in a column of its own
};

/// Begins a part of the dock, which is a section in the column. In a tab it has no heading and is shown.
/// Returns false if its content is not drawn.
inline bool dock_section(const char* title, bool& shown, const DockSpace& room) {
  if (!room.beside) return shown = true;
  return shown && section(title, shown);
}

/// The content of the strip above the picture, shared by all workspaces: lessons. The shell calls these
/// functions in each frame, in this order.
class Strip {
 public:
  virtual ~Strip() = default;
  /// Begins a frame, before the workspace does. May edit the settings of the shell.
  virtual void begin(ShellEdit& shell) = 0;
  /// Handles the key if it belongs to the strip, and returns whether it does. Called before documents and
  /// workspace receive the key.
  virtual bool press(const KeyPress& press) = 0;
  /// Its commands, always the same ones, so that menus do not change; those that do not work at present say
  /// why.
  virtual CommandSource commands() = 0;
  /// Whether Space was typed into its text field, which has no use for it: it is a key of the workspace then.
  virtual bool take_space() { return false; }
  /// The command whose key matches the press, whether it works at present or not; null if there is none.
  virtual const Command* command_of(const KeyPress& press) const = 0;
  /// Executes the commands of keys and buttons. ShellEdit::lessons is empty afterwards.
  virtual void act(ShellEdit& shell) = 0;
  /// Ends what it shows, because another scene is opened: the scene from before it is the current one at
  /// once, for that one to change or replace.
  virtual void leave(ShellEdit& shell) = 0;
  /// Whether it has something to show.
  virtual bool shown() const = 0;
  /// Whether that is a list, which needs more of the height than a text.
  virtual bool shows_list() const { return false; }
  /// Whether that is brief in lecture mode, so that the picture keeps the height.
  virtual bool is_brief() const { return false; }
  /// Draws its content; the area is empty if there is no space.
  virtual void build(const Area& area, ShellEdit& shell) = 0;
  /// Draws over the other panels, after they are built.
  virtual void overlays(ImDrawList& list, bool is_covered) = 0;
  /// The control that it rings in this frame; empty: none.
  virtual Area ring() const { return {}; }
  /// Adds its state to the state report.
  virtual void add_state(nlohmann::ordered_json& json) = 0;
};

}  // namespace loom::app
