#pragma once

#include <optional>

#include "app/life/scene/life_settings.h"

namespace loom::app {

// Changes that keys, panels and options share. Each leaves a configuration that is valid by itself: an
// arithmetic or a number of tiles that no longer goes with the rest becomes the nearest that does.

/// Another level, kept within 0..max_level; the block size is lowered where the level needs it.
void set_level(FractalConfig& config, int level);
/// The highest level up to `highest` that a fractal begins with, on the command line and where it is chosen
/// in the window: at most 2^20 points in its square, so that every fractal runs at once on every machine.
int start_level(const NbbFractal& fractal, int highest);
/// Another fractal, at start_level() up to the present level, with about the same block size. Returns that
/// level where it is lower than the present one, so that the user can be told.
std::optional<int> set_fractal(FractalConfig& config, const NbbFractal& fractal);
void set_map(FractalConfig& config, MapKind map);
/// The next larger (+1) or smaller (-1) allowed block size, if there is one.
void step_block(FractalConfig& config, int direction);
/// Another block size, one of the allowed ones.
void set_block(FractalConfig& config, std::uint32_t block);
/// The next arithmetic, in the order of kMapArithmetics and from the last to the first, that goes with map
/// and block size; nothing for the bounding box. tensor-fp16, which is not exact, is left out.
void next_arithmetic(FractalConfig& config);
/// The next intra-block mapping that goes with the rest; nothing for the bounding box.
void next_intra_block(FractalConfig& config);
/// Slower: four generations a second, one, one in two seconds; then as fast as frames go again.
void next_slow_motion(LifeSettings& settings);
void next_workload(LifeSettings& settings);
/// A scene in which each thread can be pointed at: a low level (4 where s = 2), blocks of 3 or 4 cells a
/// side, both grids, one generation a frame, paused. Fractal, map and rule stay.
void set_scene_to_explain(LifeSettings& settings);
/// Times all maps, and opens the figures that show the result.
void measure_maps(LifeEdit& edit);

}  // namespace loom::app
