#pragma once

#include <cstdint>
#include <vector>

#include "app/shell/session.h"
#include "compute/engine/fractal_engine.h"

namespace loom::app {

/// What the user asked to happen once, as opposed to what stays chosen (Settings).
struct Commands {
  std::uint32_t step = 0;     ///< generations to advance although paused
  bool restart = false;       ///< random start with the seed and density of the settings
  bool clear = false;         ///< all cells dead
  bool count = false;         ///< the living cells, now
  bool fit = false;           ///< the whole fractal into the picture
  bool reset_times = false;   ///< forget the timing window
  bool measure_loop = false;  ///< time loop arithmetic at the present settings
  bool quit = false;
  bool arm_box_zoom = false;    ///< the next drag draws a zoom box
  bool dismiss = false;         ///< Escape: close the help, the message, the armed box
  int zoom = 0;                 ///< steps in (+) or out (-) about the picture's centre
  int pan_x = 0;                ///< steps; the view moves right (+) or left (-)
  int pan_y = 0;                ///< the view moves down (+) or up (-)
  std::vector<CellEdit> cells;  ///< that the mouse painted
  ExplorerCommands explorer;    ///< of the Mandelbrot workspace
};

/// What the input and the panels of one frame want: a copy of the settings to edit, and commands. The
/// application compares, validates once and applies it at the frame boundary.
struct Edit {
  Settings settings;
  Commands commands;
};

}  // namespace loom::app
