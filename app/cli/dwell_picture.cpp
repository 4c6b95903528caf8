#include "app/cli/dwell_picture.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "app/cli/picture_options.h"
#include "compute/core/error.h"
#include "render/palette.h"

namespace loom::app {
namespace {

/// The colour of every dwell from 0 to the limit.
std::vector<render::Rgb> dwell_colours(std::uint32_t limit) {
  const render::Palette& palette = render::palettes().front();
  std::vector<render::Rgb> colours(limit + 1, palette.hole);
  const double most = std::log1p(limit);
  for (std::uint32_t dwell = 0; dwell < limit; ++dwell) {
    colours[dwell] = palette.ramp[static_cast<std::size_t>(255 * std::log1p(dwell) / most)];
  }
  return colours;
}

}  // namespace

void check_picture_size(const MandelbrotView& view) {
  if (view.width <= kMaxPictureSide && view.height <= kMaxPictureSide) return;
  throw InputError(fmt::format("--png: {} x {} pixels are not allowed; allowed: sides from 1 to {}",
                               view.width, view.height, kMaxPictureSide));
}

render::RgbImage dwell_picture(const MandelbrotEngine& engine) {
  const MandelbrotView& view = engine.view();
  const std::vector<render::Rgb> colours = dwell_colours(engine.config().dwell_limit);
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
