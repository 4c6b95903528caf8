#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compute/engine/fractal_engine.h"

namespace loom::app {

/// The time of one method as it was last measured.
struct MapTime {
  double milliseconds = 0;  ///< of one generation, write or sum; median over the timing window
  FractalConfig config;     ///< what it was measured with
};

/// Remembers the last measured time of each method for every fractal, level, block size, workload and backend
/// that was used, so that methods can be compared after the user has switched between them.
class MapTimes {
 public:
  void record(const FractalConfig& config, const Work& work, const std::string& backend, double milliseconds);
  /// The time of `map` under otherwise the same settings, with the method that was measured last, if any was.
  std::optional<MapTime> find(const FractalConfig& config, const Work& work, const std::string& backend,
                              MapKind map) const;
  /// The time of just this configuration, if it was measured.
  std::optional<MapTime> find_method(const FractalConfig& config, const Work& work,
                                     const std::string& backend) const;

 private:
  struct Entry {
    MapTime time;
    Workload workload;
    ReductionMethod reduction;
    std::string backend;
    /// Whether it is of the same fractal, level, block size, workload and backend.
    bool is_comparable(const FractalConfig& config, const Work& work, const std::string& name) const;
  };
  std::vector<Entry> entries_;  ///< one a method, the last measured at the end
};

/// The same configuration with loop arithmetic, valid by itself: what an arithmetic's cost is told against.
FractalConfig with_loop(const FractalConfig& config);

}  // namespace loom::app
