#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/explain/colour_by.h"
#include "app/explain/diagram/diagrams.h"
#include "app/explain/map_steps.h"
#include "app/explain/thread_space.h"
#include "app/explain/warp_memory_access.h"
#include "app/shell/frame_times.h"
#include "app/shell/toasts.h"
#include "app/shell/workspace.h"
#include "app/tasks/task.h"
#include "app/workspaces/life/scene/cell_statistics.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/coord.h"
#include "compute/device/device.h"
#include "compute/engine/fractal_config.h"
#include "compute/engine/fractal_engine.h"
#include "compute/engine/progress_monitor.h"
#include "compute/engine/thread_count.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/geometry/transforms.h"
#include "compute/map/thread_map.h"

namespace loom::app {

/// Describes the thread that is launched for a point of the square: its position, the steps of lambda for its
/// tile, and the memory accesses of its warp. Updated when the point or the configuration changes, without an
/// engine, in well under a millisecond.
class ThreadExplanation {
 public:
  /// Selects a point; without one, nothing is explained.
  void look_at(const FractalConfig& config, const std::optional<Coord64>& point);

  struct Thread {
    explain::ThreadLocation place;
    std::string sentence;
    explain::Warp warp;
    /// The threads in the lanes of the warp.
    std::array<std::optional<explain::ThreadLocation>, explain::kWarpLanes> lanes;
    std::vector<explain::ThreadLocation> tile;    ///< threads of its tile
    std::optional<explain::LambdaSteps> lambda;   ///< for lambda and compact
    std::optional<explain::WarpTraffic> traffic;  ///< of the warp; nothing if addresses exceed 64 bits
  };
  const std::optional<Coord64>& point() const { return point_; }
  /// Nothing if no thread is launched for the point.
  const std::optional<Thread>& thread() const { return thread_; }
  /// Why no thread is explained; empty if one is, or without a point.
  const std::string& problem() const { return problem_; }
  /// The threads of the launch with their warps and tiles; null before a point was selected.
  const explain::ThreadSpace* space() const { return space_.get(); }

 private:
  void compute_explanation();

  std::unique_ptr<explain::ThreadSpace> space_;
  std::optional<Coord64> point_;
  std::optional<Thread> thread_;
  std::string problem_;
};

/// The point whose thread is explained: the pinned point, otherwise the one under the cursor. A click pins
/// the point under the cursor (in edit mode it paints), arrow keys move the pinned point instead of the view,
/// Escape unpins it or returns to the point of the lesson. A point outside the square is unpinned.
/// `tile`: the size of a tile, by which Shift with an arrow key moves.
std::optional<Coord64> selected_point(LifeEdit& edit, const FractalConfig& config, Coord64 tile,
                                      const std::optional<Coord64>& under_cursor, bool clicked);

/// The launch of one generation in numbers.
struct LaunchCount {
  std::uint64_t tiles = 0;
  std::uint64_t occupied_tiles = 0;  ///< tiles with at least one cell
  std::uint64_t threads = 0;         ///< of these tiles
  std::uint64_t launched = 0;        ///< all threads, with those that have no tile
  std::uint64_t cells = 0;           ///< active threads
  std::uint64_t empty_tiles() const { return tiles - occupied_tiles; }
  double utilization() const { return thread_utilization(cells, launched); }
};

/// A point of the picture: its cell, and the thread that computes it.
struct PointInfo {
  Coord64 cell;  ///< expanded coordinate
  Coord64 tile;  ///< tile position in the square
  bool is_cell = false;
  std::optional<Coord64> omega;   ///< tile index; nothing for an empty tile
  std::optional<Coord32> thread;  ///< thread of the point, within its tile; nothing if none is launched
};

/// The fractal divided into tiles, for overlays and panels; uses the same functions as the engines.
class TileGrid {
 public:
  explicit TileGrid(const FractalConfig& config);

  const TiledFractal& tiled() const { return tiled_; }
  bool holds_cells(Coord64 tile) const { return is_member(grid_transform_, tiled_.coarse_level, tile); }
  LaunchShape launch_shape(MapKind map) const;
  LaunchCount launch_count(MapKind map) const;
  /// Nothing outside the square.
  std::optional<PointInfo> place_at(std::int64_t x, std::int64_t y) const;
  /// lambda: the tile position of the tile with index `omega`.
  Coord64 expand(Coord64 omega) const { return lambda_map(grid_transform_, tiled_.coarse_level, omega); }

 private:
  std::optional<Coord32> thread_for(const PointInfo& place) const;
  TiledFractal tiled_;
  MapKind map_;
  IntraBlock intra_block_;
  NbbFractal fractal_;  ///< owns the levels that the transforms read
  NbbTransform<std::uint64_t> transform_;
  NbbTransform<std::uint64_t> grid_transform_;  ///< of tile coordinates
};

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

/// Read-only information for the panels of the Life workspace, about the frames so far. References are valid
/// for one frame.
struct LifeStats {
  const FractalConfig& config;         ///< of the current engine; may differ from an edit in progress
  const BackendSelection& backend;     ///< with the reason for its selection
  const std::vector<Device>& devices;  ///< devices that cells can be distributed over
  const CudaStatus& cuda;              ///< whether CUDA can be chosen
  const std::string& backend_name;     ///< "cpu: 2 threads"
  const TileGrid& space;               ///< the fractal divided into tiles
  const FrameTimes& times;             ///< of the window's frames
  StageStats generation;               ///< milliseconds per generation, write or sum since the method changed
  bool steps_in_background = false;    ///< a step takes longer than a frame
  MapComparison comparison;            ///< of the maps under the current conditions
  Progress measuring;                  ///< of the benchmark of the maps
  Work work;                           ///< of the engine
  std::uint32_t generations_per_frame = 1;
  std::optional<StepReport> step;           ///< the last step since the method changed
  std::optional<ThreadCount> threads = {};  ///< of the engine's method; nothing before they were counted
  std::optional<CountedCensus> census;
  const CycleDetector* cycle_detector = nullptr;
  std::uint64_t generations = 0;  ///< since the start
  std::uint64_t cells = 0;
  std::uint64_t history_bytes = 0;   ///< history on the host, in bytes
  std::uint64_t history_budget = 0;  ///< budget of history_bytes
  std::uint64_t allocated_bytes = 0;
  int largest_level = 0;          ///< that fits into memory with these settings
  std::string_view problem = {};  ///< why the selected configuration does not run; empty if it does
  bool on_other_device = false;   ///< the backend is not on the program's selected device
  std::string_view wrong;         ///< why the image is wrong with tensor-fp16; empty if it is correct
  std::string_view in_bits = {};  ///< meaning of the words of bit-packed storage; empty for bytes
  const explain::ColourLegend* colours = nullptr;  ///< legend of the colours; null for colours by state
  const explain::ColourLegend* secondary_colours =
      nullptr;                               ///< legend of secondary panes if the active pane has none
  double stretched = 1;                      ///< height divided by width of a drawn point
  std::string_view ages_hidden_reason = {};  ///< why ages are not drawn or not exact; otherwise empty
  bool ages_shown = false;
  std::string_view tiles_hidden_reason;  ///< why tiles are not drawn; empty if they are
  double frames_per_second = 0;
};

/// The counts of a launch: counted thread by thread if available, otherwise derived from the launch shape.
inline LaunchCount launch_of(const LifeStats& stats) {
  if (!stats.threads) return stats.space.launch_count(stats.config.method.map);
  const ThreadCount& counted = *stats.threads;
  return {.tiles = counted.tiles_launched,
          .occupied_tiles = counted.tiles_occupied,
          .threads = counted.threads_launched - counted.threads_without_tile,
          .launched = counted.threads_launched,
          .cells = counted.threads_active};
}

}  // namespace loom::app
