#pragma once

#include <imgui.h>

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "app/gui/layout.h"
#include "app/shell/shell_settings.h"
#include "app/shell/shortcuts.h"

namespace loom::app {

/// What stands in the strip above the picture, whichever workspace is shown: lessons. The shell makes these
/// calls in each frame, in this order.
class Strip {
 public:
  virtual ~Strip() = default;
  /// A frame begins, before the workspace's does: what it wants of the shell's settings.
  virtual void begin(ShellEdit& shell) = 0;
  /// Whether the key is one of its own; if so, it is taken. Keys of others come first to it.
  virtual bool press(const KeyPress& press) = 0;
  /// Its keys at present, for the list of keys.
  virtual std::span<const KeyHelp> keys() const = 0;
  /// What was asked of it by keys and buttons is done; ShellEdit::lessons is then empty.
  virtual void act(ShellEdit& shell) = 0;
  /// Whether it has something to show.
  virtual bool shown() const = 0;
  /// Its content; an empty area where there is no room.
  virtual void build(const Area& area, ShellEdit& shell) = 0;
  /// What it draws over the other panels, once they are built.
  virtual void overlays(ImDrawList& list) = 0;
  /// Adds what it is doing to the program's state.
  virtual void add_state(nlohmann::ordered_json& json) = 0;
};

}  // namespace loom::app
