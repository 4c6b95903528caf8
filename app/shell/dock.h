#pragma once

#include "app/shell/shell_settings.h"

namespace loom::app {

/// Whether a workspace has content for the dock.
enum class DockContent {
  kNothing,
  kMetrics,  ///< metrics, which the user may hide
  kOpened,   ///< metrics, and content that the user opened and that needs more space
};

/// The part of the content that fits in the dock.
struct DockSpace {
  bool metrics = true;  ///< the user has not hidden them
  bool all = false;     ///< all metrics; false: only the main ones
  bool beside = false;  ///< the dock is a separate column, where all content fits
};

/// Draws the heading of the metrics. Returns false if the section is folded.
bool metrics_section(ShellEdit& edit);
/// The buttons below the metrics: freeze, clear, and more or fewer.
void metrics_buttons(const DockSpace& room, ShellEdit& edit);

}  // namespace loom::app
