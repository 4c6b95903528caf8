#include "app/workspaces/mandelbrot/document/dwell_rows.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>

#include "app/workspaces/mandelbrot/scene/precision_gauge.h"
#include "compute/backend/mandelbrot_factory.h"

namespace loom::app {
namespace {

constexpr int kTileSide = 1024;
constexpr int kFewPixels = 16;  ///< of the longer side of an image that is computed for its orbit only

/// The view of a part of an image.
MandelbrotView part_of(const ComplexView& view, glm::ivec2 size, const render::Rect<int>& part,
                       Precision precision) {
  const glm::uvec2 pixels(part.size);
  if (is_perturbed(precision)) {
    const glm::dvec2 by = (glm::dvec2(part.corner + part.end()) - glm::dvec2(size)) / (2.0 * size.x);
    const double factor = static_cast<double>(part.size.x) / size.x;
    return make_decimal_view(moved(decimal_of(view), by.x, by.y, factor), pixels.x, pixels.y);
  }
  const glm::dvec2 low = point_at(view, size, glm::dvec2(part.corner));
  const glm::dvec2 high = point_at(view, size, glm::dvec2(part.end()));
  return {{low.x, high.x, low.y, high.y}, pixels.x, pixels.y};
}

}  // namespace

DwellRows::DwellRows(const MandelbrotSettings& settings, const ComplexView& view, glm::ivec2 size,
                     const render::Palette& palette, const BackendSelection& backend)
    : settings_(settings),
      view_(view),
      size_(size),
      palette_(palette),
      engine_(make_mandelbrot_engine(backend)) {
  settings_.config.optimisations = {};
  settings_.config.optimisations.mirror = false;
  look_at(view);
}

void DwellRows::look_at(const ComplexView& view) {
  view_ = view;
  coloured_ = false;
  MandelbrotSettings settings = settings_;
  if (!fits_precision(view, size_, settings.config.precision)) settings.config.precision = Precision::kAuto;
  config_ = config_for(settings, view, size_);
}

void DwellRows::prepare(const ComplexView& view, ProgressMonitor* watch) {
  look_at(view);
  if (!is_perturbed(config_.precision)) return;
  const glm::ivec2 few = glm::max(size_ / std::max(1, std::max(size_.x, size_.y) / kFewPixels), 1);
  const ScopedMonitor watched(*engine_, watch);
  engine_->compute(config_, mandelbrot_view(view_, few, config_.precision));
}

void DwellRows::find_colours(ProgressMonitor* watch) {
  const int side = std::max(size_.x, size_.y);
  const double factor = std::min(1.0, static_cast<double>(kColourSampleSide) / side);
  const glm::ivec2 small = glm::max(glm::ivec2(glm::round(glm::dvec2(size_) * factor)), 1);
  {
    const ScopedMonitor watched(*engine_, watch);
    engine_->compute(config_, mandelbrot_view(view_, small, config_.precision));
  }
  dwell_colours(palette_, settings_.dwell_colouring(), count_dwells_by_scale(*engine_), colours_);
  coloured_ = true;
}

void DwellRows::tile(const render::Rect<int>& tile, std::uint8_t* into, ProgressMonitor* watch) {
  const MandelbrotView part = part_of(view_, size_, tile, config_.precision);
  const bool smooth = is_continuous(settings_.colouring);
  mean_.begin(tile.size.x, tile.size.y);
  const ScopedMonitor watched(*engine_, watch);
  for (int point = 0; point < settings_.samples_per_axis * settings_.samples_per_axis; ++point) {
    engine_->compute(config_, sample_view(part, settings_.samples_per_axis, point));
    if (watch != nullptr && watch->cancelled()) throw OperationCancelled();
    if (smooth) engine_->compute_smooth();
    mean_.add(smooth ? engine_->smooth_image(MemorySpace::kHost) : engine_->image(MemorySpace::kHost),
              colours_.table());
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
