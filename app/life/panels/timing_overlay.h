#pragma once

#include <optional>

#include "app/gui/layout.h"
#include "app/life/scene/life_facts.h"
#include "app/life/scene/life_settings.h"

namespace loom::app {

/// Where the user put the overlay: its distance from the picture's top-right corner; it stays there when the
/// picture changes.
struct TimingOverlayState {
  bool anchored = false;  ///< false: to be put there, since the picture or the overlay changed its size
  Area picture;
  float width = 0;
  float height = 0;
  float right = -1;  ///< negative: not placed yet
  float top = 0;
  std::optional<bool>
      full;  ///< all figures, or the few that fit a small picture; nothing: as the picture's size has it
};

/// What each frame costs, in a window over the corner of `picture` that the user may move within it.
void timing_overlay(TimingOverlayState& state, const Area& picture, LifeEdit& edit, const LifeFacts& report);

}  // namespace loom::app
