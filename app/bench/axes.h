#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "compute/backend/engine_factory.h"
#include "compute/geometry/nbb_fractal.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/map/map_kind.h"
#include "compute/workload/workload.h"

namespace loom::app::bench {

/// What a sweep is over: maps on fractals, or methods of the Mandelbrot set.
enum class SweepKind { kMaps, kMandelbrot };
/// "maps", "mandelbrot". The parser throws InputError that lists them.
std::string_view name_of(SweepKind kind);
SweepKind parse_sweep_kind(std::string_view name);

/// The values that a sweep over maps runs through, axis by axis. What a map does not have (arithmetic and
/// intra-block mapping of the bounding box, halo of all but compact, reduction of all but reductions) is not
/// varied for it.
struct MapAxes {
  std::vector<NbbFractal> fractals;
  std::vector<int> levels;
  std::vector<MapKind> maps;
  /// The other fields of the method, by option: texts of values, "auto" for the fastest one, "all" for every
  /// one. A field that is not here is as with "auto".
  std::map<std::string, std::vector<std::string>, std::less<>> method;
  std::optional<std::vector<std::uint32_t>> blocks;  ///< rho_x; none = every size that a level allows
  std::vector<Workload> workloads;
  std::vector<ReductionMethod> reductions = {ReductionMethod::kWarp};  ///< of the workload reduction
  std::vector<BackendSelection> backends;
  std::vector<int> devices = {1};  ///< how many share a configuration's cells
  /// CUDA ordinals in the order in which they are taken; empty where there are none, or where processes share
  /// the cells, each of which has a device of its own.
  std::vector<int> device_list = {};
  bool processes = false;  ///< what shares cells are the processes of a run
};

/// Those of a sweep over methods of the Mandelbrot set. Images are square and show the default window; the
/// block shape is the method's default. What a method or a backend does not have (scheme, g, r, B of
/// exhaustive; all ideas but narrow and interior of exhaustive; two schemes on the CPU) is not varied for it.
struct MandelbrotAxes {
  std::vector<std::uint32_t> sizes;  ///< n
  std::vector<MandelbrotMethod> methods;
  std::vector<RegionScheme> schemes;
  std::vector<MandelbrotIdeas> ideas;
  std::vector<std::uint32_t> gs;
  std::vector<std::uint32_t> rs;
  std::vector<std::uint32_t> bs;
  std::vector<std::uint32_t> dwell_limits;
  std::vector<Precision> precisions;
  std::vector<BackendSelection> backends;
};

/// A sweep of either kind.
struct Axes {
  std::variant<MapAxes, MandelbrotAxes> of;
  int repeats = 1;  ///< how often the whole sweep runs
  SweepKind kind() const { return static_cast<SweepKind>(of.index()); }
};

}  // namespace loom::app::bench
