#include "app/cli/dwell_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "app/cli/options/picture_options.h"
#include "app/files/output_file.h"
#include "app/workspaces/mandelbrot/scene/pixel_samples.h"
#include "compute/core/error.h"
#include "render/png_writer.h"

namespace loom::app {
namespace {

/// Writes the rows of a PNG in order.
class PngRows {
 public:
  PngRows(const std::filesystem::path& file, const MandelbrotView& view)
      : out_(file),
        png_({static_cast<int>(view.width), static_cast<int>(view.height)},
             [this](std::string_view bytes) { out_.write(bytes); }) {}

  void add(std::span<const glm::u8vec3> colours) {
    rgb_.clear();
    for (const glm::u8vec3& colour : colours) rgb_.insert(rgb_.end(), {colour.r, colour.g, colour.b});
    png_.rows(rgb_);
  }
  void finish() {
    png_.finish();
    out_.commit();
  }

 private:
  OutputFile out_;
  render::PngWriter png_;
  std::vector<std::uint8_t> rgb_;
};

/// Number of dwells per read, but at least one row.
constexpr std::uint32_t kDwellsAtATime = 1 << 20;

void add_dwells(const MandelbrotEngine& engine, const render::DwellTable& colours, PngRows& png) {
  const MandelbrotView& view = engine.view();
  const std::uint32_t most = std::clamp(kDwellsAtATime / view.width, 1u, view.height);
  std::vector<std::uint32_t> dwells;
  std::vector<glm::u8vec3> row;
  for (std::uint32_t y = 0; y < view.height; y += most) {
    dwells.resize(std::size_t{std::min(most, view.height - y)} * view.width);
    row.resize(dwells.size());
    engine.read_dwells(y, dwells);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = dwell_colour(colours, dwells[i], false);
    png.add(row);
  }
}

}  // namespace

void check_image_size(const MandelbrotView& view) {
  if (view.width <= kMaxImageSide && view.height <= kMaxImageSide) return;
  throw InputError(fmt::format("--png: {} x {} pixels are not allowed; allowed: sides from 1 to {}",
                               view.width, view.height, kMaxImageSide));
}

std::uint64_t bytes_per_pixel(Colouring colouring, int samples_per_axis) {
  const std::uint64_t smooth = is_continuous(colouring) ? 2 * sizeof(std::uint32_t) : 0;
  return smooth + (samples_per_axis > 1 ? 3 * sizeof(std::uint32_t) : 0);
}

void write_dwell_image(const std::filesystem::path& file, MandelbrotEngine& engine,
                       const render::Palette& palette, const DwellColouring& how, int samples_per_axis) {
  const MandelbrotConfig config = engine.config();
  const MandelbrotView view = engine.view();
  const bool smooth = is_continuous(how.colouring);
  DwellColours all_colours;
  dwell_colours(palette, how, count_dwells_by_scale(engine), all_colours);
  const render::DwellTable colours = all_colours.table();
  PngRows png(file, view);
  std::vector<glm::u8vec3> row(view.width);
  const auto held = [&] {
    if (smooth) engine.compute_smooth();
    return smooth ? engine.smooth_image(MemorySpace::kHost) : engine.image(MemorySpace::kHost);
  };
  if (samples_per_axis == 1 && !smooth) {
    add_dwells(engine, colours, png);
    return png.finish();
  }
  if (samples_per_axis == 1) {
    const ImageView values = held();
    for (int y = 0; y < values.height; ++y) {
      const auto* const from = reinterpret_cast<const std::uint32_t*>(
          static_cast<const std::byte*>(values.pixels) + static_cast<std::size_t>(y) * values.row_bytes);
      for (std::size_t x = 0; x < row.size(); ++x) row[x] = dwell_colour(colours, from[x], true);
      png.add(row);
    }
    return png.finish();
  }
  PictureMean mean;
  mean.begin(static_cast<int>(view.width), static_cast<int>(view.height));
  for (int index = 0; index < samples_per_axis * samples_per_axis; ++index) {
    if (index > 0) engine.compute(config, sample_view(view, samples_per_axis, index));
    mean.add(held(), colours);
  }
  for (std::uint32_t y = 0; y < view.height; ++y) {
    mean.row(static_cast<int>(y), row);
    png.add(row);
  }
  png.finish();
}

}  // namespace loom::app
