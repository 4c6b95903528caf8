#pragma once

#include <optional>
#include <string_view>

#include "app/workspaces/life/scene/life_settings.h"

namespace loom::app {

// Changes that keys, panels and options share. Each leaves a valid configuration: an arithmetic or number of
// tiles that is no longer possible becomes the nearest possible one.

/// Sets the level, clamped to 0..max_level; reduces the tile size if necessary.
void set_level(FractalConfig& config, int level);
/// The default level of a fractal, at most `highest`: its square has at most 2^20 points, so that every
/// fractal runs in real time on any machine. Used on the command line and when a fractal is selected in the
/// window.
int start_level(const NbbFractal& fractal, int highest);
/// Sets the fractal, at the lower of the current level and start_level(), with about the same tile size.
/// Returns the level if it was lowered, for a message.
std::optional<int> set_fractal(FractalConfig& config, const NbbFractal& fractal);
void set_map(FractalConfig& config, MapKind map);
/// Selects the next larger (+1) or smaller (-1) allowed tile size, if there is one.
void step_tile_size(FractalConfig& config, int direction);
/// Sets the tile size, which must be allowed.
void set_tile_size(FractalConfig& config, std::uint32_t block);
/// Selects the next possible arithmetic in the order of kMapArithmetics, cyclically. Does nothing for the
/// bounding box. Skips tensor-fp16, which is inexact.
void next_arithmetic(FractalConfig& config);
/// Selects the next possible intra-block mapping. Does nothing for the bounding box.
void next_intra_block(FractalConfig& config);
/// Selects the next slow-motion speed: 4, 1 or 0.5 generations per second, then full speed again.
void next_slow_motion(LifeSettings& settings);
void next_workload(LifeSettings& settings);
/// Sets the teaching example: a low level (4 for s = 2), tiles of 3 or 4 points a side, both grids, one
/// generation per frame, paused. Fractal, map and rule stay.
void set_teaching_example(LifeSettings& settings);
/// Opens the map editor with a bundled exercise, on its first fractal and level. The code of the exercise
/// that is open already stays.
void begin_exercise(LifeSettings& settings, std::string_view name);
/// Benchmarks all maps and opens the metrics that show the result.
void measure_maps(LifeEdit& edit);

}  // namespace loom::app
