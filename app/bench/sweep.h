#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/bench/axes.h"
#include "compute/engine/fractal_engine.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/volume.h"
#include "compute/solid/solid_config.h"

namespace loom::app::bench {

/// One configuration of a map to measure. `Config` is FractalConfig, or SolidConfig in three dimensions,
/// where one device has all cells and sums by warps.
template <typename Config>
struct CellCase {
  Config config;
  Workload workload = Workload::kLife;
  BackendSelection backend;
  int repeat = 0;                                      ///< run of the sweep, from 0
  ReductionMethod reduction = ReductionMethod::kWarp;  ///< for the workload reduction
  std::uint32_t shard = 0;                             ///< its shard; 0 for none
  int devices = 1;                                     ///< number of devices that share its cells
  std::vector<int> device_list = {};                   ///< their CUDA ordinals; empty for processes
};
using MapCase = CellCase<FractalConfig>;
using SolidCase = CellCase<SolidConfig>;

/// One configuration of the Mandelbrot set to measure.
struct MandelbrotCase {
  MandelbrotConfig config;
  MandelbrotView view;
  BackendSelection backend;
  int repeat = 0;                           ///< run of the sweep, from 0
  std::uint32_t shard = 0;                  ///< its shard; 0 for none
  std::optional<VolumeConfig> volume = {};  ///< a set in space in place of the view; `config` has its method
};

/// The valid combinations of the axes, ordered by fractal and level, so that maps to be compared run close
/// together in time. If an axis has a valid value for a map and tile size, its invalid values are left out;
/// otherwise one invalid combination stays and is skipped with the reason. Throws InputError, with what is
/// allowed, if an axis is empty, if a level or tile size is valid in no combination, if the cells cannot be
/// distributed over a number of devices, or if every combination is invalid.
std::vector<MapCase> expand(const MapAxes& axes);

/// The same for the three-dimensional fractals of the axes. Throws InputError if several devices or processes
/// share the cells, and if nothing is valid and the axes have no other fractals.
std::vector<SolidCase> expand_solids(const MapAxes& axes);

/// Throws InputError if the cells of a configuration cannot be distributed over this number of devices of a
/// backend, or over this number of processes.
void check_can_distribute(const FractalConfig& config, BackendKind backend, int devices, bool processes);

/// The number of cases of `expand`, without building them. Throws as expand(), except for invalid
/// combinations.
std::uint64_t count_cases(const MapAxes& axes);

/// Why a precision cannot show a view, with what is allowed; empty if it can: its pixels are distinct.
std::string precision_problem(Precision precision, const MandelbrotView& view);

/// The distinct combinations of the axes, ordered by backend, width, dwell limit, precision and n, so that
/// methods to be compared run close together in time. Combinations with g r B > n leave no level to the cost
/// model and are left out if another one remains for that n; otherwise the first stays. A precision that
/// cannot show a view stays and is skipped with the reason. Sets in space follow those in the plane. Throws
/// InputError if an axis is empty, a configuration is invalid, or no precision can show its view.
std::vector<MandelbrotCase> expand(const MandelbrotAxes& axes);

/// The number of cases of `expand`. Throws as expand().
std::uint64_t count_cases(const MandelbrotAxes& axes);

/// A set in space on a cube of `size` samples on each axis, by the method of `config`.
inline VolumeConfig volume_of(const MandelbrotConfig& config, VolumeSet set, std::uint32_t size,
                              RegionOrder order) {
  return {.set = set,
          .size = size,
          .dwell_limit = config.dwell_limit,
          .method = config.method,
          .g = config.g,
          .r = config.r,
          .b = config.b,
          .order = order,
          .scheme = config.scheme};
}

/// A configuration of either kind of sweep; a sweep of maps has MapCase and SolidCase.
using Case = std::variant<MapCase, MandelbrotCase, SolidCase>;

/// A short description for progress: "level 4, lambda, tile size 16", "n 1024, ask-sbr".
std::string short_text(const Case& one);
/// Why the method of a case cannot run, so that it will be skipped; empty if it can.
std::string method_problem_of(const Case& one);

/// Every case of a sweep, including repeats. Throws as the function of its kind.
std::vector<Case> expand(const Axes& axes);

/// The number of cases of `expand`.
std::uint64_t count_cases(const Axes& axes);

/// Whether several devices share the cells of any case.
bool is_distributed(const Axes& axes);

/// A larger sweep requires confirmation.
inline constexpr std::uint64_t kSweepWithoutConfirmation = 100'000;

/// Largest number of cases of a sweep; all of them are held in memory.
inline constexpr std::uint64_t kMaxCases = 1'000'000;

/// Throws InputError with the count if there are more than `limit` cases without confirmation, or more than
/// kMaxCases. Call before expanding.
void check_sweep_size(std::uint64_t cases, bool confirmed, std::uint64_t limit = kSweepWithoutConfirmation);

}  // namespace loom::app::bench
