#pragma once

#include "app/edit.h"
#include "app/gui/layout.h"
#include "app/report.h"

namespace loom::app {

/// Where the user put the overlay: its distance from the picture's top-right corner; it stays there when the picture
/// changes.
struct TimingOverlayState {
  Area picture;
  float right = -1;  ///< negative: not placed yet
  float top = 0;
};

/// What each frame costs, in a window over the corner of `picture` that the user may move within it.
void timing_overlay(TimingOverlayState& state, const Area& picture, Edit& edit, const Report& report);

}  // namespace loom::app
