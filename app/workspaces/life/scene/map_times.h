#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compute/engine/fractal_engine.h"

namespace loom::app {

/// The conditions that must be equal for two times to be comparable.
struct TimingConditions {
  NbbFractal fractal;
  int level = 0;
  std::uint32_t tile_size = 1;
  CellStorage storage = CellStorage::kBytes;
  Workload workload = Workload::kLife;
  ReductionMethod reduction = ReductionMethod::kWarp;  ///< only for reductions
  std::string backend;                                 ///< FractalEngine::backend_name()
  std::uint32_t generations = 1;                       ///< per call
};
TimingConditions conditions_of(const FractalConfig& config, const Work& work, const std::string& backend,
                               std::uint32_t generations);
/// Like conditions_of(), but reuses the memory of `conditions`.
void set_conditions(TimingConditions& conditions, const FractalConfig& config, const Work& work,
                    const std::string& backend, std::uint32_t generations);
bool operator==(const TimingConditions& a, const TimingConditions& b);

/// The time of one method.
struct MapTime {
  MapMethod method;
  double milliseconds = 0;            ///< median for one generation, write or sum
  std::uint64_t allocated_bytes = 0;  ///< for cells, if it was measured alone
};

/// The comparable times under some conditions, all measured in the same way.
struct MapComparison {
  /// True: benchmarked back to back while nothing else ran. False: live timings, each from the last frame
  /// that ran the method.
  bool benchmarked = false;
  std::array<std::optional<MapTime>, 3> maps;  ///< by MapKind
  std::optional<double> selected_ms;           ///< of the selected method
  std::optional<double> loop_ms;               ///< of the selected method with loop arithmetic
};

/// Stores the times of methods by conditions, and compares only times with equal conditions.
class MapTimes {
 public:
  /// Records a live timing of a frame.
  void record(const TimingConditions& conditions, const MapTime& time);
  /// Records a benchmark; replaces earlier times under these conditions.
  void record_benchmark(const TimingConditions& conditions, std::vector<MapTime> times);

  /// The known times under these conditions, for the maps and for the configuration itself. Benchmarked times
  /// hide live ones.
  MapComparison compare(const TimingConditions& conditions, const FractalConfig& config) const;

 private:
  struct Entry {
    TimingConditions conditions;
    std::vector<MapTime> times;  ///< one per method, the newest last
  };
  static Entry& entry_of(std::vector<Entry>& entries, const TimingConditions& conditions);
  static const Entry* find(const std::vector<Entry>& entries, const TimingConditions& conditions);
  std::vector<Entry> live_;
  std::vector<Entry> benchmarked_;
};

/// The configuration with loop arithmetic, made valid: the baseline for the cost of an arithmetic.
FractalConfig with_loop_arithmetic(const FractalConfig& config);

/// The configurations that are benchmarked together, without duplicates: each map with the method of `config`
/// (or the nearest that the map allows), and the map of `config` with loop arithmetic.
std::vector<FractalConfig> methods_to_compare(const FractalConfig& config);

}  // namespace loom::app
