#include "app/workspaces/mandelbrot/document/dwell_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>

#include "app/workspaces/mandelbrot/scene/precision_gauge.h"
#include "compute/backend/mandelbrot_factory.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

constexpr int kTileSide = 1024;

/// The view of a part of an image.
MandelbrotView part_of(const ComplexView& view, glm::ivec2 size, const render::Rect<int>& part) {
  const glm::dvec2 low = point_at(view, size, glm::dvec2(part.corner));
  const glm::dvec2 high = point_at(view, size, glm::dvec2(part.end()));
  const glm::uvec2 pixels(part.size);
  return {{low.x, high.x, low.y, high.y}, pixels.x, pixels.y};
}

}  // namespace

DwellRows::DwellRows(const MandelbrotSettings& settings, const ComplexView& view, glm::ivec2 size,
                     const render::Palette& palette, const BackendSelection& backend)
    : settings_(settings),
      view_(view),
      size_(size),
      palette_(palette),
      engine_(make_mandelbrot_engine(backend)),
      requested_precision_(settings.config.precision) {
  settings_.config.optimisations = fastest_optimisations(backend.device);
  settings_.config.optimisations.mirror = false;
  look_at(view);
}

void DwellRows::look_at(const ComplexView& view) {
  view_ = view;
  coloured_ = false;
  settings_.config.precision = requested_precision_;
  if (fits_precision(view, size_, requested_precision_)) return;
  settings_.config.precision = Precision::kDouble;
  if (fits_precision(view, size_, Precision::kDouble)) return;
  const double most = view.width / min_spacing(view, Precision::kDouble);
  throw InputError(
      fmt::format("{} pixels across this view are closer together than double precision can distinguish; "
                  "allowed here: up to {}",
                  size_.x, std::max(1, static_cast<int>(std::min(most, 1e9)))));
}

void DwellRows::find_colours(ProgressMonitor* watch) {
  const int side = std::max(size_.x, size_.y);
  const double factor = std::min(1.0, static_cast<double>(kColourSampleSide) / side);
  const glm::ivec2 small = glm::max(glm::ivec2(glm::round(glm::dvec2(size_) * factor)), 1);
  {
    const ScopedMonitor watched(*engine_, watch);
    engine_->compute(settings_.config, mandelbrot_view(view_, small));
  }
  dwell_colours(palette_, settings_.dwell_colouring(), count_dwells(*engine_), settings_.config.dwell_limit,
                colours_);
  coloured_ = true;
}

void DwellRows::tile(const render::Rect<int>& tile, std::uint8_t* into, ProgressMonitor* watch) {
  const MandelbrotView part = part_of(view_, size_, tile);
  const bool smooth = settings_.colouring == Colouring::kSmooth;
  mean_.begin(tile.size.x, tile.size.y);
  const ScopedMonitor watched(*engine_, watch);
  for (int point = 0; point < settings_.samples_per_axis * settings_.samples_per_axis; ++point) {
    engine_->compute(settings_.config, sample_view(part, settings_.samples_per_axis, point));
    if (watch != nullptr && watch->cancelled()) throw OperationCancelled();
    if (smooth) engine_->compute_smooth();
    mean_.add(smooth ? engine_->smooth_image(MemorySpace::kHost) : engine_->image(MemorySpace::kHost),
              colours_);
  }
  row_.resize(static_cast<std::size_t>(tile.size.x));
  for (int row = 0; row < tile.size.y; ++row) {
    mean_.row(row, row_);
    std::uint8_t* at = into + (static_cast<std::size_t>(row) * static_cast<std::size_t>(size_.x) +
                               static_cast<std::size_t>(tile.corner.x)) *
                                  3;
    for (const glm::u8vec3& colour : row_) {
      for (int channel = 0; channel < 3; ++channel) *at++ = colour[channel];
    }
  }
}

void DwellRows::rows(int first, int count, std::vector<std::uint8_t>& rgb, ProgressMonitor* watch) {
  if (!coloured_) find_colours(watch);
  const auto row_bytes = static_cast<std::size_t>(size_.x) * 3;
  rgb.resize(row_bytes * static_cast<std::size_t>(count));
  for (int y = 0; y < count; y += kTileSide) {
    const int height = std::min(kTileSide, count - y);
    for (int x = 0; x < size_.x; x += kTileSide) {
      if (watch != nullptr && watch->cancelled()) throw OperationCancelled();
      tile({{x, first + y}, {std::min(kTileSide, size_.x - x), height}},
           rgb.data() + static_cast<std::size_t>(y) * row_bytes, watch);
    }
  }
}

}  // namespace loom::app
