#pragma once

#include "app/shell/shell_settings.h"

namespace loom::app {

/// Whether a workspace has content for the dock.
enum class DockContent {
  kNothing,
  kFigures,  ///< timing and counts, which the user may hide
  kOpened,   ///< those, and something that the user opened and that needs room
};

/// How much of it there is room for.
struct DockSpace {
  bool metrics = true;  ///< the user has not hidden them
  bool all = false;     ///< all figures, else the main ones
  bool beside = false;  ///< the dock is a column of its own, where all of it always has room
};

/// The heading of the figures; false where they are folded or were hidden just now.
bool metrics_section(ShellEdit& edit);
/// The buttons below the metrics: freeze, clear, and more or fewer.
void metrics_buttons(const DockSpace& room, ShellEdit& edit);

}  // namespace loom::app
