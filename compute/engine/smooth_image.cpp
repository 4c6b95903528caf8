#include "compute/engine/smooth_image.h"

#include "compute/cpu/stopwatch.h"
#include "compute/mandelbrot/smooth_dwell.h"

namespace loom {
namespace {

template <typename Real>
std::uint64_t smooth_in_place(const MandelbrotView& view, std::uint32_t limit,
                              std::vector<std::uint32_t>& values) {
  const PointGrid<Real> grid = make_point_grid<Real>(view);
  std::uint64_t exterior = 0;
#pragma omp parallel for schedule(dynamic, 4) reduction(+ : exterior)
  for (std::uint32_t y = 0; y < view.height; ++y) {
    std::uint32_t* const row = values.data() + std::uint64_t{y} * view.width;
    for (std::uint32_t x = 0; x < view.width; ++x) {
      if (row[x] >= limit) {
        row[x] = limit << 16;
        continue;
      }
      ++exterior;
      const double smooth = static_cast<double>(smooth_dwell(grid.at(x, y), limit));
      row[x] = static_cast<std::uint32_t>(smooth * 65536);
    }
  }
  return exterior;
}

}  // namespace

SmoothReport SmoothImage::compute(const MandelbrotEngine& engine) {
  const cpu::Stopwatch watch;
  const MandelbrotView& view = engine.view();
  values_.resize(view.pixels());
  width_ = view.width;
  height_ = view.height;
  engine.read_dwells(0, values_);
  const std::uint32_t limit = engine.config().dwell_limit;
  SmoothReport report;
  report.exterior = engine.config().precision == Precision::kFloat
                        ? smooth_in_place<float>(view, limit, values_)
                        : smooth_in_place<double>(view, limit, values_);
  report.milliseconds = watch.milliseconds();
  return report;
}

ImageView SmoothImage::image() const {
  return {.pixels = values_.data(),
          .format = PixelFormat::kSmoothDwell32,
          .width = static_cast<int>(width_),
          .height = static_cast<int>(height_),
          .row_bytes = width_ * sizeof(std::uint32_t),
          .space = MemorySpace::kHost};
}

}  // namespace loom
