#pragma once

#include <imgui.h>

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "app/gui/layout.h"
#include "app/shell/shell_settings.h"
#include "app/shell/shortcuts.h"

namespace loom::app {

/// The content of the strip above the picture, for all workspaces: lessons. The shell makes these calls in
/// each frame, in this order.
class Strip {
 public:
  virtual ~Strip() = default;
  /// Begins a frame, before the workspace does, and may edit the settings of the shell.
  virtual void begin(ShellEdit& shell) = 0;
  /// Whether the key is one of its own; if so, it is taken. Keys of others come first to it.
  virtual bool press(const KeyPress& press) = 0;
  /// Its keys at present, for the list of keys.
  virtual std::span<const KeyHelp> keys() const = 0;
  /// Executes the commands of keys and buttons; ShellEdit::lessons is empty afterwards.
  virtual void act(ShellEdit& shell) = 0;
  /// Whether it has something to show.
  virtual bool shown() const = 0;
  /// Its content; an empty area where there is no room.
  virtual void build(const Area& area, ShellEdit& shell) = 0;
  /// Draws over the other panels, after they are built.
  virtual void overlays(ImDrawList& list) = 0;
  /// Adds its state to the state report.
  virtual void add_state(nlohmann::ordered_json& json) = 0;
};

}  // namespace loom::app
