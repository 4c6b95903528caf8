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
#include "compute/mandelbrot/decimal_view.h"
#include "compute/map/map_kind.h"
#include "compute/solid/solid_fractal.h"
#include "compute/workload/workload.h"

namespace loom::app::bench {

/// The kind of a sweep: maps on fractals, or methods of the Mandelbrot set.
enum class SweepKind { kMaps, kMandelbrot };
/// "maps", "mandelbrot". The parser throws InputError that lists them.
std::string_view name_of(SweepKind kind);
SweepKind parse_sweep_kind(std::string_view name);

/// Values of settings, as texts that their fields read, by option.
using AxisValues = std::map<std::string, std::vector<std::string>, std::less<>>;

/// The values of a map sweep, axis by axis. Parameters that a map does not have (arithmetic and intra-block
/// mapping of the bounding box, halo of maps other than compact, reduction of other workloads) do not vary
/// for it.
struct MapAxes {
  std::vector<NbbFractal> fractals;
  std::vector<SolidFractal> solids = {};  ///< three-dimensional ones
  std::vector<int> levels;
  std::vector<MapKind> maps;
  /// The other fields of the method by option: texts of values, "auto" for the fastest, "all" for every
  /// value. A missing field means "auto".
  AxisValues method;
  std::optional<std::vector<std::uint32_t>> tile_sizes;  ///< rho_x; none = every size that a level allows
  std::vector<Workload> workloads;
  std::vector<ReductionMethod> reductions = {ReductionMethod::kWarp};  ///< for the workload reduction
  std::vector<BackendSelection> backends;
  std::vector<int> devices = {1};  ///< numbers of devices that share the cells of a configuration
  /// CUDA ordinals in the order in which they are used. Empty if there are none, or if processes share the
  /// cells with one device each.
  std::vector<int> device_list = {};
  bool processes = false;  ///< processes share the cells
};

/// The values of a Mandelbrot sweep. Images are square; the block shape is the default of the method.
/// Parameters that a method or backend does not have do not vary for it (scheme, g, r, B and most
/// optimizations of exhaustive; the scheme on the CPU).
struct MandelbrotAxes {
  std::vector<std::uint32_t> sizes;  ///< n
  DecimalView center = {};           ///< centre of every view; its width is not used
  std::vector<std::string> widths;   ///< of the views, decimal
  /// For each of mandelbrot_config_fields() with FieldInfo::in_sweep: its values, "auto" for the fastest on
  /// the backend, "all" for every name.
  AxisValues fields;
  std::vector<BackendSelection> backends;
};

/// A sweep of either kind.
struct Axes {
  std::variant<MapAxes, MandelbrotAxes> of;
  int repeats = 1;  ///< number of runs of the whole sweep
  SweepKind kind() const { return static_cast<SweepKind>(of.index()); }
};

}  // namespace loom::app::bench
