#include "app/cli/dwell_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/options/picture_options.h"
#include "app/files/output_file.h"
#include "app/workspaces/mandelbrot/scene/pixel_samples.h"
#include "compute/core/error.h"
#include "render/png.h"

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
  const std::uint64_t smooth = colouring == Colouring::kSmooth ? 2 * sizeof(std::uint32_t) : 0;
  return smooth + (samples_per_axis > 1 ? 3 * sizeof(std::uint32_t) : 0);
}

void write_dwell_image(const std::filesystem::path& file, MandelbrotEngine& engine,
                       const render::Palette& palette, const DwellColouring& how, int samples_per_axis) {
  const MandelbrotConfig config = engine.config();
  const MandelbrotView view = engine.view();
  const bool smooth = how.colouring == Colouring::kSmooth;
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

namespace {

static_assert(std::endian::native == std::endian::little, "rows are written as they lie in memory");

/// Magic, version, length and text, padded so that the data begins at a multiple of 64 bytes.
std::string header(std::uint32_t width, std::uint32_t height) {
  constexpr std::size_t kBeforeText = 10;
  std::string text =
      fmt::format("{{'descr': '<u4', 'fortran_order': False, 'shape': ({}, {}), }}", height, width);
  while ((kBeforeText + text.size() + 1) % 64 != 0) text += ' ';
  text += '\n';
  std::string start("\x93NUMPY\x01\x00", 8);
  start += static_cast<char>(text.size() % 256);
  start += static_cast<char>(text.size() / 256);
  return start + text;
}

}  // namespace

void write_npy(const std::filesystem::path& file, std::uint32_t width, std::uint32_t height,
               const std::function<void(std::uint32_t first_row, std::span<std::uint32_t> rows)>& read) {
  constexpr std::uint32_t kValuesAtATime = 1 << 22;
  const std::uint32_t rows_at_a_time = std::clamp(kValuesAtATime / width, 1u, height);
  OutputFile out(file);
  out.write(header(width, height));
  std::vector<std::uint32_t> values(std::size_t{rows_at_a_time} * width);
  for (std::uint32_t y = 0; y < height; y += rows_at_a_time) {
    const std::size_t count = std::size_t{std::min(rows_at_a_time, height - y)} * width;
    read(y, std::span(values).first(count));
    out.write({reinterpret_cast<const char*>(values.data()), count * sizeof(std::uint32_t)});
  }
  out.commit();
}

}  // namespace loom::app
