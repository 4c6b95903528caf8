#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/explain/diagram/map_metrics_diagram.h"
#include "app/shell/toasts.h"
#include "app/shell/workspace.h"
#include "app/tasks/task.h"
#include "compute/backend/engine_factory.h"
#include "compute/engine/fractal_engine.h"
#include "compute/engine/progress_monitor.h"

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
  friend bool operator==(const TimingConditions&, const TimingConditions&) = default;
};
TimingConditions conditions_of(const FractalConfig& config, const Work& work, const std::string& backend,
                               std::uint32_t generations);
/// Like conditions_of(), but reuses the memory of `conditions`.
void set_conditions(TimingConditions& conditions, const FractalConfig& config, const Work& work,
                    const std::string& backend, std::uint32_t generations);

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

/// The conditions of a measurement.
struct StepConditions {
  BackendSelection backend;
  RandomStart start = {};
  Work work = {};
  std::uint32_t generations = 1;  ///< per call
};

/// Measures the configurations one after the other with bench::Sampler: milliseconds per generation, write or
/// sum, as the median of runs over at most about a quarter of a second, after a warm-up. Each has its own
/// engine, which starts with the random start. Throws OperationCancelled if `watch` is cancelled, and what
/// make_fractal_engine() throws.
std::vector<MapTime> measure_steps(const std::vector<FractalConfig>& configs,
                                   const StepConditions& conditions, ProgressMonitor& watch);

/// Times of the maps: live timing in the frames, and benchmarks back to back on a background thread.
class MapMeasurement {
 public:
  /// Records a live timing of a frame.
  void record(const TimingConditions& conditions, const MapTime& time) { times_.record(conditions, time); }
  /// Benchmarks the methods of methods_to_compare(). Does nothing while a benchmark runs.
  void start(const TimingConditions& conditions, const FractalConfig& config, const StepConditions& with);
  bool busy() const { return task_.running(); }
  void cancel() { task_.cancel(); }
  /// Takes the result of a benchmark that has ended; waits for the end if `waits`. Returns a message, with
  /// the reason for a failure, in which case earlier times are kept. Throws DeviceFault.
  Message take(bool waits);

  MapComparison compare(const TimingConditions& conditions, const FractalConfig& config) const {
    return times_.compare(conditions, config);
  }
  Progress progress() const;

 private:
  MapTimes times_;
  std::optional<TimingConditions> conditions_;
  Task<std::vector<MapTime>> task_;
};

/// Called with all levels so far after each measurement, from the thread that measures.
using RaceProgress = std::function<void(const std::vector<diagram::RaceLevel>&)>;

/// Measures the maps at rising levels, from `config.level`, one after the other with measure_steps(), until
/// the bounding box does not fit into memory or takes more than `limit_ms` per generation. Throws
/// OperationCancelled, and what measure_steps() throws for other reasons than memory.
std::vector<diagram::RaceLevel> race_maps(const FractalConfig& config, const StepConditions& conditions,
                                          double limit_ms, ProgressMonitor& watch,
                                          const RaceProgress& report);

/// A race in the background.
class MapRace {
 public:
  static constexpr double kLimitMs = 250;  ///< per generation

  /// Starts at a low level of the fractal; none may be running.
  void start(const FractalConfig& config, const StepConditions& conditions);
  bool running() const { return task_.running(); }
  void cancel() { task_.cancel(); }
  /// Takes news. Returns true if levels() or problem() changed.
  bool poll();
  const std::vector<diagram::RaceLevel>& levels() const { return levels_; }
  /// Why the race ended early; empty if it did not.
  const std::string& problem() const { return problem_; }

 private:
  struct Shared {
    std::mutex mutex;
    std::vector<diagram::RaceLevel> levels;
    bool changed = false;
  };
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  std::vector<diagram::RaceLevel> levels_;
  std::string problem_;
  Task<std::vector<diagram::RaceLevel>> task_;
};

}  // namespace loom::app
