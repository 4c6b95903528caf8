#include "app/cli/dwell_picture.h"

#include <fmt/format.h>

#include <vector>

#include "app/mandelbrot/scene/dwell_colours.h"
#include "compute/core/error.h"
#include "render/palette.h"

namespace loom::app {
namespace {

constexpr std::uint32_t kMaxSide = 16384;

}  // namespace

void check_picture_size(const MandelbrotView& view) {
  if (view.width <= kMaxSide && view.height <= kMaxSide) return;
  throw InputError(fmt::format("--png: {} x {} pixels are not allowed; allowed: sides from 1 to {}",
                               view.width, view.height, kMaxSide));
}

render::RgbImage dwell_picture(const MandelbrotEngine& engine) {
  const MandelbrotView& view = engine.view();
  const std::vector<render::Rgb> colours =
      dwell_colours(render::palettes().front(), Colouring::kBands, InteriorColour::kPalette,
                    count_dwells(engine), engine.config().dwell_limit);
  render::RgbImage image{{static_cast<int>(view.width), static_cast<int>(view.height)}, {}};
  image.rgb.reserve(view.pixels() * 3);
  std::vector<std::uint32_t> row(view.width);
  for (std::uint32_t y = 0; y < view.height; ++y) {
    engine.read_dwells(y, row);
    for (const std::uint32_t dwell : row) {
      const render::Rgb colour = colours[dwell];
      image.rgb.insert(image.rgb.end(), {colour.r, colour.g, colour.b});
    }
  }
  return image;
}

}  // namespace loom::app
