#include "app/input/setting_steps.h"

#include <algorithm>
#include <cmath>

#include "compute/engine/engine_factory.h"
#include "compute/fractal/block_sizes.h"

namespace loom::app {

void set_level(FractalConfig& config, int level) {
  config.level = std::clamp(level, 0, config.fractal.max_level());
  config.block = nearest_block(config.fractal, config.level, config.block);
}

void set_fractal(FractalConfig& config, const NbbFractal& fractal) {
  config.fractal = fractal;
  set_level(config, config.level);
}

void step_block(FractalConfig& config, int direction) {
  const auto blocks = allowed_blocks(config.fractal, config.level);
  const auto here = std::find(blocks.begin(), blocks.end(), config.block);
  if (here == blocks.end()) return;
  if (direction > 0 && std::next(here) != blocks.end()) config.block = *std::next(here);
  if (direction < 0 && here != blocks.begin()) config.block = *std::prev(here);
}

void set_ui_pixels(ViewSettings& view, float pixels) {
  view.ui_pixels = std::round(std::clamp(pixels, kMinUiPixels, kMaxUiPixels));
}

void toggle_projector(ViewSettings& view) {
  view.ui_pixels = view.ui_pixels == kProjectorUiPixels ? kDefaultUiPixels : kProjectorUiPixels;
}

}  // namespace loom::app
