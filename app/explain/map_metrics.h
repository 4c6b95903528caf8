#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/explain/warp_memory_access.h"
#include "compute/engine/occupancy.h"
#include "compute/engine/thread_count.h"

namespace loom::app::explain {

/// What the CUDA kernel of a method does in one generation of life, computed from map and storage without a
/// device, as `fractal-loom lens` computes it.
struct MapMetrics {
  FractalConfig config;
  LifeKernel kernel = LifeKernel::kBytes;
  std::uint64_t threads = 0;                ///< launched, as ThreadSpace::threads()
  std::uint64_t active = 0;                 ///< threads with a cell
  std::uint64_t lanes = 0;                  ///< of the warps, in all rounds, with padding
  std::uint64_t bytes = 0;                  ///< of one generation
  std::uint64_t warps = 0;                  ///< of the launch
  LaunchTraffic traffic = {};               ///< of all warps, or of a sample
  std::optional<Occupancy> occupancy = {};  ///< from a device
  std::string no_occupancy = "no GPU";      ///< why there is none

  std::uint64_t idle() const { return threads - active; }
  double idle_lanes() const { return idle_lane_fraction(active, lanes); }
  /// Requests to global memory: loads of cells and tables, and stores. Scaled to the launch if `traffic` is
  /// of a sample.
  GlobalTraffic global() const;
};

/// `most_warps`: see launch_traffic(). Throws InputError for storages other than bytes, and for launches and
/// generations whose numbers exceed 64 bits.
MapMetrics map_metrics(const FractalConfig& config, std::uint64_t most_warps);

/// Times of the maps that are compared, in milliseconds per generation.
struct MapStepTimes {
  std::array<std::optional<double>, 3> ms = {};  ///< by MapKind
  bool benchmarked = false;                      ///< back to back; otherwise while the window draws
  bool on_gpu = false;                           ///< the kernel of the metrics ran
  friend bool operator==(const MapStepTimes&, const MapStepTimes&) = default;
};

/// A metric of several maps.
struct MetricRow {
  struct Value {
    std::optional<double> number = {};  ///< for the bar; empty: none
    std::string text;
  };
  std::string name;
  std::string origin;  ///< "computed", "measured"
  std::string tip;
  std::vector<Value> values;  ///< one per map
};
std::vector<MetricRow> metric_rows(const std::vector<MapMetrics>& maps, const MapStepTimes& times);

}  // namespace loom::app::explain
