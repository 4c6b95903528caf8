#pragma once

#include <string>

#include "app/gui/layout.h"
#include "app/scene/bookmark.h"
#include "app/shell/shell_settings.h"

namespace loom::app::places {

/// The program as places see it.
class PlacesStage {
 public:
  virtual ~PlacesStage() = default;
  /// What the shown workspace looks at, with a name that says what.
  virtual scene::Bookmark here() const = 0;
  /// Where its picture is, in ImGui's units, and the pixels of a unit.
  virtual Area picture_area() const = 0;
  virtual float picture_scale() const = 0;
  /// Before the workspace's frame begins: its next frame shows the place, in its workspace.
  virtual void go(const scene::Bookmark& place, ShellEdit& shell) = 0;
  /// The coordinates of what is shown, as text that is read as the same.
  virtual std::string coordinates() const = 0;
  /// Goes where a text says. Returns what of it was left out, in a sentence; throws InputError.
  virtual std::string go_to(const std::string& text, ShellEdit& shell) = 0;
  /// The same, in the Mandelbrot workspace whichever is shown.
  virtual std::string go_to_dwells(const std::string& text, ShellEdit& shell) = 0;
  /// The command that opens exactly what is shown; throws InputError that says why none does.
  virtual std::string command() const = 0;
};

}  // namespace loom::app::places
