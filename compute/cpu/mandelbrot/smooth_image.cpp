#include "compute/cpu/mandelbrot/smooth_image.h"

#include <omp.h>

#include "compute/core/stopwatch.h"
#include "compute/cpu/mandelbrot/dwell_lanes.h"
#include "compute/cpu/mandelbrot/formula_lanes.h"
#include "compute/mandelbrot/smooth_dwell.h"
#include "compute/perturbation/evaluator.h"

namespace loom {
namespace {

/// A row's pixels below the limit, gathered so that all lanes of the vectors are used.
template <typename Real>
struct Exterior {
  explicit Exterior(std::size_t width) : re(width), im(width), dwells(width), columns(width), smooth(width) {}
  std::vector<Real> re;
  std::vector<Real> im;
  std::vector<std::uint32_t> dwells;
  std::vector<std::uint32_t> columns;
  std::vector<float> smooth;
};

template <typename Evaluator>
requires Evaluator::kKnowsPoint std::uint64_t smooth_in_place(const Evaluator& grid,
                                                              const MandelbrotView& view,
                                                              std::span<const RowRange> rows,
                                                              std::uint32_t limit, const ProgressScope& call,
                                                              std::vector<std::uint32_t>& values) {
  using Real = typename Evaluator::Value;
  std::uint64_t exterior = 0;
  // An allocation that fails in the parallel region would end the program.
  std::vector<Exterior<Real>> of_thread(static_cast<std::size_t>(omp_get_max_threads()),
                                        Exterior<Real>(view.width));
#pragma omp parallel reduction(+ : exterior)
  {
    Exterior<Real>& pixels = of_thread[static_cast<std::size_t>(omp_get_thread_num())];
    for (const RowRange& range : rows) {
#pragma omp for schedule(dynamic, 4) nowait
      for (std::uint32_t y = range.first; y < range.end; ++y) {
        if (call.cancelled()) continue;
        std::uint32_t* const row = values.data() + std::uint64_t{y} * view.width;
        std::size_t count = 0;
        for (std::uint32_t x = 0; x < view.width; ++x) {
          if (row[x] >= limit) {
            row[x] = limit << smooth_digits(limit);
            continue;
          }
          const Complex<Real> point = grid.at(x, y);
          pixels.re[count] = point.re;
          pixels.im[count] = point.im;
          pixels.dwells[count] = row[x];
          pixels.columns[count++] = x;
        }
        if constexpr (!Evaluator::kKnowsInterior) {
          cpu::smooth_dwells_of(grid, pixels.re.data(), pixels.im.data(), pixels.dwells.data(), count,
                                pixels.smooth.data());
        } else {
          cpu::smooth_dwells_of(pixels.re.data(), pixels.im.data(), pixels.dwells.data(), count,
                                pixels.smooth.data());
        }
        for (std::size_t i = 0; i < count; ++i) {
          row[pixels.columns[i]] = smooth_fixed(pixels.smooth[i], limit);
        }
        exterior += count;
        call.advance(1);
      }
    }
  }
  return exterior;
}

template <typename Real, bool kWide>
std::uint64_t smooth_in_place(const Perturbed<Real, kWide>& grid, const MandelbrotView& view,
                              std::span<const RowRange> rows, std::uint32_t limit, const ProgressScope& call,
                              std::vector<std::uint32_t>& values) {
  std::uint64_t exterior = 0;
  for (const RowRange& range : rows) {
#pragma omp parallel for schedule(dynamic, 4) reduction(+ : exterior)
    for (std::uint32_t y = range.first; y < range.end; ++y) {
      if (call.cancelled()) continue;
      std::uint32_t* const row = values.data() + std::uint64_t{y} * view.width;
      for (std::uint32_t x = 0; x < view.width; ++x) {
        const bool inside = row[x] >= limit;
        exterior += inside ? 0 : 1;
        row[x] = inside ? limit << smooth_digits(limit) : smooth_fixed(grid.smooth_at(x, y, row[x]), limit);
      }
      call.advance(1);
    }
  }
  return exterior;
}

}  // namespace

SmoothReport SmoothImage::compute(const MandelbrotEngine& engine, const Perturbation& perturbation,
                                  ProgressMonitor* monitor) {
  const Stopwatch stopwatch;
  const MandelbrotView& view = engine.view();
  const ProgressScope call(monitor, view.height);
  width_ = 0;
  height_ = 0;
  values_.resize(view.pixels());
  engine.read_dwells(0, values_);
  const std::uint32_t limit = engine.config().dwell_limit;
  SmoothReport report;
  report.exterior = cpu::with_cpu_evaluator<false>(
      engine.config(), view, perturbation, monitor, [&](const auto& evaluator) {
        return smooth_in_place(evaluator, view, engine.rows(), limit, call, values_);
      });
  call.check();
  width_ = view.width;
  height_ = view.height;
  report.milliseconds = stopwatch.milliseconds();
  return report;
}

ImageView SmoothImage::image() const {
  return {.pixels = values_.data(),
          .format = PixelFormat::kSmoothDwell32,
          .width = static_cast<int>(width_),
          .height = static_cast<int>(height_),
          .row_bytes = width_ * sizeof(std::uint32_t)};
}

}  // namespace loom
