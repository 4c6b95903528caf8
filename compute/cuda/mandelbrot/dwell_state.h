#pragma once

#include <cstdint>
#include <vector>

#include "compute/cuda/mandelbrot/region/dwell_task.h"
#include "compute/mandelbrot/row_partition.h"

namespace loom::cuda {

/// The dwells that an engine holds, with their configuration.
struct DwellState {
  MandelbrotConfig config;
  MandelbrotView view;
  Subdivision cut;             ///< subdivision of the configuration and view
  std::vector<RowRange> rows;  ///< the held rows, in order
  std::uint8_t* dwells = nullptr;
  LevelCounters* counters = nullptr;

  template <typename Real, typename Dwell>
  DwellTask<Real, Dwell> task() const {
    return {.grid = make_direct<Real>(view),
            .cut = cut,
            .image = {reinterpret_cast<Dwell*>(dwells), view.width},
            .counters = counters,
            .list = {},
            .limit = config.dwell_limit,
            .fill = config.fill,
            .scheme = config.scheme,
            .optimisations = config.optimisations};
  }
  /// Calls `use(task)` with the task for the configuration's precision and dwell type.
  template <typename Use>
  void with_task(const Use& use) const {
    const bool narrow = config.optimisations.narrow;
    if (config.precision == Precision::kFloat) {
      narrow ? use(task<float, std::uint16_t>()) : use(task<float, std::uint32_t>());
    } else {
      narrow ? use(task<double, std::uint16_t>()) : use(task<double, std::uint32_t>());
    }
  }
  std::uint64_t pixels() const { return count_rows(rows) * view.width; }
};

}  // namespace loom::cuda
