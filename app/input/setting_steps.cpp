#include "app/input/setting_steps.h"

#include <algorithm>
#include <cmath>

#include "compute/engine/work_costs.h"
#include "compute/fractal/block_sizes.h"

namespace loom::app {
namespace {

void keep_method_valid(FractalConfig& config) {
  const MapMethod valid =
      nearest_valid(method_of(config), make_blocked(config.fractal, config.level, config.block));
  config.arithmetic = valid.arithmetic;
  config.tiles = valid.tiles;
}

}  // namespace

void set_level(FractalConfig& config, int level) {
  config.level = std::clamp(level, 0, config.fractal.max_level());
  config.block = nearest_block(config.fractal, config.level, config.block);
  keep_method_valid(config);
}

void set_fractal(FractalConfig& config, const NbbFractal& fractal) {
  config.fractal = fractal;
  set_level(config, config.level);
}

void set_map(FractalConfig& config, MapKind map) {
  config.map = map;
  keep_method_valid(config);
}

void set_block(FractalConfig& config, std::uint32_t block) {
  config.block = block;
  keep_method_valid(config);
}

void step_block(FractalConfig& config, int direction) {
  const auto blocks = allowed_blocks(config.fractal, config.level);
  const auto here = std::find(blocks.begin(), blocks.end(), config.block);
  if (here == blocks.end()) return;
  if (direction > 0 && std::next(here) != blocks.end()) set_block(config, *std::next(here));
  if (direction < 0 && here != blocks.begin()) set_block(config, *std::prev(here));
}

void set_ui_pixels(ViewSettings& view, float pixels) {
  view.ui_pixels = std::round(std::clamp(pixels, kMinUiPixels, kMaxUiPixels));
}

void toggle_projector(ViewSettings& view) {
  view.ui_pixels = view.ui_pixels == kProjectorUiPixels ? kDefaultUiPixels : kProjectorUiPixels;
}

}  // namespace loom::app
