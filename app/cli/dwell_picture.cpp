#include "app/cli/dwell_picture.h"

#include <fmt/format.h>

#include <vector>

#include "app/cli/picture_options.h"
#include "app/mandelbrot/scene/pixel_samples.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

// In the order of the file.
void add_row(std::span<const render::Rgb> colours, render::RgbImage& image) {
  for (const render::Rgb& colour : colours) image.rgb.insert(image.rgb.end(), {colour.r, colour.g, colour.b});
}

}  // namespace

void check_picture_size(const MandelbrotView& view) {
  if (view.width <= kMaxPictureSide && view.height <= kMaxPictureSide) return;
  throw InputError(fmt::format("--png: {} x {} pixels are not allowed; allowed: sides from 1 to {}",
                               view.width, view.height, kMaxPictureSide));
}

std::uint64_t picture_bytes_a_pixel(Colouring colouring, int samplings) {
  const std::uint64_t smooth = colouring == Colouring::kSmooth ? 2 * sizeof(std::uint32_t) : 0;
  return smooth + (samplings > 1 ? 3 * sizeof(std::uint32_t) : 0);
}

render::RgbImage dwell_picture(MandelbrotEngine& engine, const render::Palette& palette,
                               const DwellColouring& how, int samplings) {
  const MandelbrotConfig config = engine.config();
  const MandelbrotView view = engine.view();
  const bool smooth = how.colouring == Colouring::kSmooth;
  std::vector<render::Rgb> colours;
  dwell_colours(palette, how, count_dwells(engine), config.dwell_limit, colours);
  render::RgbImage image{{static_cast<int>(view.width), static_cast<int>(view.height)}, {}};
  image.rgb.reserve(view.pixels() * 3);
  std::vector<render::Rgb> row(view.width);
  const auto held = [&] {
    if (smooth) engine.compute_smooth();
    return smooth ? engine.smooth_image(MemorySpace::kHost) : engine.image(MemorySpace::kHost);
  };
  if (samplings == 1 && !smooth) {
    std::vector<std::uint32_t> dwells(view.width);
    for (std::uint32_t y = 0; y < view.height; ++y) {
      engine.read_dwells(y, dwells);
      for (std::size_t x = 0; x < row.size(); ++x) row[x] = dwell_colour(colours, dwells[x], false);
      add_row(row, image);
    }
    return image;
  }
  if (samplings == 1) {
    const ImageView values = held();
    for (int y = 0; y < values.height; ++y) {
      const auto* const from = reinterpret_cast<const std::uint32_t*>(
          static_cast<const std::byte*>(values.pixels) + static_cast<std::size_t>(y) * values.row_bytes);
      for (std::size_t x = 0; x < row.size(); ++x) row[x] = dwell_colour(colours, from[x], true);
      add_row(row, image);
    }
    return image;
  }
  PictureMean mean;
  mean.begin(image.size.width, image.size.height);
  for (int index = 0; index < samplings * samplings; ++index) {
    if (index > 0) engine.compute(config, sample_view(view, samplings, index));
    mean.add(held(), colours);
  }
  for (int y = 0; y < image.size.height; ++y) {
    mean.row(y, row);
    add_row(row, image);
  }
  return image;
}

}  // namespace loom::app
