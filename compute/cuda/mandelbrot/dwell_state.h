#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "compute/cuda/mandelbrot/device_perturbation.h"
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
  const DevicePerturbation* perturbation = nullptr;  ///< prepared if the precision is perturbed
  std::uint32_t steps = 0;                           ///< of a pixel (DwellTask)

  template <typename Dwell, typename Evaluator>
  DwellTask<Evaluator, Dwell> task(const Evaluator& evaluator) const {
    return {.grid = evaluator,
            .cut = cut,
            .image = {reinterpret_cast<Dwell*>(dwells), view.width},
            .counters = counters,
            .list = {},
            .limit = config.dwell_limit,
            .steps = steps,
            .fill = config.fill,
            .scheme = config.scheme,
            .optimisations = config.optimisations};
  }
  /// Calls `use(task)` with the task for the configuration's precision and dwell type (with_evaluator_of()).
  template <bool kMayEstimate = false, typename Use>
  void with_task(const Use& use) const {
    with_evaluator_of<kMayEstimate>(config, view, *perturbation, [&](const auto& evaluator) {
      if constexpr (std::decay_t<decltype(evaluator)>::kKnowsPoint) {
        if (narrow()) return use(task<std::uint16_t>(evaluator));
      }
      use(task<std::uint32_t>(evaluator));
    });
  }
  /// Whether dwells are stored in 16 bits.
  bool narrow() const {
    return config.optimisations.narrow && fits_narrow(config) && !is_perturbed(config.precision);
  }
  std::uint64_t pixels() const { return count_rows(rows) * view.width; }
};

}  // namespace loom::cuda
