#pragma once

#include "app/shell/session.h"

namespace loom::app {

inline constexpr float kDefaultUiPixels = 16;
inline constexpr float kProjectorUiPixels = 28;
inline constexpr float kMinUiPixels = 10;
inline constexpr float kMaxUiPixels = 48;

// Changes that keys, panels and options share. Each leaves a configuration that is valid by itself: an
// arithmetic or a number of tiles that no longer goes with the rest becomes the nearest that does.

/// Another level, kept within 0..max_level; the block size is lowered where the level needs it.
void set_level(FractalConfig& config, int level);
/// Another fractal at the highest level up to the present one that it has, with about the same block size.
void set_fractal(FractalConfig& config, const NbbFractal& fractal);
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
void next_workload(Settings& settings);
/// The font size, kept within what is readable and what fits.
void set_ui_pixels(ViewSettings& view, float pixels);
/// Between the projector's size and the default one.
void toggle_projector(ViewSettings& view);

}  // namespace loom::app
