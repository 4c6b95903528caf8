#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compute/engine/fractal_engine.h"

namespace loom::app {

/// What must be equal for two times to be compared.
struct TimingConditions {
  NbbFractal fractal;
  int level = 0;
  std::uint32_t block = 1;
  CellStorage storage = CellStorage::kBytes;
  Workload workload = Workload::kLife;
  ReductionMethod reduction = ReductionMethod::kWarp;  ///< of a reduction
  std::string backend;                                 ///< as it names itself
  std::uint32_t generations = 1;                       ///< of one call
};
TimingConditions conditions_of(const FractalConfig& config, const Work& work, const std::string& backend,
                               std::uint32_t generations);
/// The same into conditions that are there, which keep their memory.
void set_conditions(TimingConditions& conditions, const FractalConfig& config, const Work& work,
                    const std::string& backend, std::uint32_t generations);
bool operator==(const TimingConditions& a, const TimingConditions& b);

/// The time of one method.
struct MapTime {
  MapMethod method;
  double milliseconds = 0;  ///< of one generation, write or sum: a median
};

/// What may be compared under some conditions: all of it was taken in the same way.
struct MapComparison {
  /// All were measured together, one after the other, while nothing else ran; else each is as last seen in
  /// the window's frames.
  bool benchmarked = false;
  std::array<std::optional<MapTime>, 3> maps;  ///< by MapKind
  std::optional<double> selected_ms;           ///< of the method that was asked for
  std::optional<double> loop_ms;               ///< of the same with loop arithmetic
};

/// Remembers the times of methods by the conditions they were taken under, and gives out only such as go
/// together.
class MapTimes {
 public:
  /// As last seen in the window's frames.
  void record(const TimingConditions& conditions, const MapTime& time);
  /// Records a benchmark; replaces earlier times under these conditions.
  void record_benchmark(const TimingConditions& conditions, std::vector<MapTime> times);

  /// The known times under these conditions, for the maps and for the configuration itself. Benchmarked times
  /// hide live ones.
  MapComparison compare(const TimingConditions& conditions, const FractalConfig& config) const;

 private:
  struct Entry {
    TimingConditions conditions;
    std::vector<MapTime> times;  ///< one a method, the last at the end
  };
  static Entry& entry_of(std::vector<Entry>& entries, const TimingConditions& conditions);
  static const Entry* find(const std::vector<Entry>& entries, const TimingConditions& conditions);
  std::vector<Entry> live_;
  std::vector<Entry> benchmarked_;
};

/// The same configuration with loop arithmetic, made valid: the baseline of the cost of an arithmetic.
FractalConfig with_loop_arithmetic(const FractalConfig& config);

/// The configurations that are measured together: each map with the method of `config` (as near to it as the
/// map allows), and the map of `config` with loop arithmetic. Each method once.
std::vector<FractalConfig> methods_to_compare(const FractalConfig& config);

}  // namespace loom::app
