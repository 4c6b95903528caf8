#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compute/engine/fractal_engine.h"

namespace loom::app {

/// The step time of one map as it was last measured.
struct MapTime {
  double milliseconds = 0;                          ///< one generation; median over the timing window
  bool halo = false;                                ///< compact map: with the shared-memory halo
  MapArithmetic arithmetic = MapArithmetic::kLoop;  ///< lambda and compact
  IntraBlock intra_block = IntraBlock::kSubBox;
};

/// Remembers the last measured step time of each map for every fractal, level, block size and backend that
/// was used, so that the maps can be compared after the user has switched between them.
class MapTimes {
 public:
  void record(const FractalConfig& config, const std::string& backend, double milliseconds);
  /// The time of `map` under otherwise the same settings, if it was measured.
  std::optional<MapTime> find(const FractalConfig& config, const std::string& backend, MapKind map) const;

 private:
  struct Entry {
    NbbFractal fractal;
    int level;
    std::uint32_t block;
    std::string backend;
    std::array<std::optional<MapTime>, kMapKinds.size()> times;
    bool matches(const FractalConfig& config, const std::string& name) const;
  };
  std::vector<Entry> entries_;
};

}  // namespace loom::app
