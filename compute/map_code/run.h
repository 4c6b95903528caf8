#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compute/device/device.h"
#include "compute/engine/progress_monitor.h"
#include "compute/geometry/nbb_fractal.h"
#include "compute/map_code/coverage.h"
#include "compute/map_code/program.h"

namespace loom {

// Runs of custom maps. Thread blocks run in an order that no map can know, each warp with fresh data on its own.
// The interpreter (compute/map_code/machine.h) runs a warp at a time and has nothing to
// escape from: no native code, no process, no system call, no memory but its own. run_map() in
// compute/backend/map_backend.h chooses between it and a GPU.

/// Instructions of one warp (and of launch()) until the run ends as kTimeout, on any machine.
inline constexpr std::uint64_t kMaxWarpInstructions = std::uint64_t{1} << 24;

struct MapRequest {
  std::string code;
  int level = 0;
  std::chrono::milliseconds time_limit{2000};  ///< beyond kMaxWarpInstructions: for all threads
  bool keep_points = false;                    ///< keep the point and the state of each thread in the result
  MapStorage measure = MapStorage::kNone;      ///< measure a single write through the map
  Device device = {};                          ///< the CPU by default, or one of MapBackend
  bool count = false;  ///< MapResult::counts, lines and warps; on the CPU
};

/// How the run of a map ended.
enum class MapOutcome : std::uint8_t {
  kRan,       ///< every thread returned
  kRejected,  ///< the text has problems, or the launch is not valid
  kCrashed,   ///< division by zero, index outside of an array, too many calls within each other
  kTimeout,   ///< too many instructions of a warp, or the time limit
};
std::string_view name_of(MapOutcome outcome);

/// What an instruction, a line or a run did, as the interpreter counted it. A warp executes an instruction
/// once for all of its active lanes.
struct MapCounts {
  std::uint64_t instructions = 0;  ///< of warps
  std::uint64_t lanes = 0;         ///< active lanes of these: thread instructions
  std::uint64_t branches = 0;      ///< conditions of if, loops, switch, ?:, && and || that masks decide
  std::uint64_t divergent = 0;     ///< of these: active lanes went both ways
  std::uint64_t divisions = 0;     ///< instructions / and % of warps
  /// Mean share of active lanes, 0 to 1.
  double active_share() const {
    return instructions == 0 ? 0 : static_cast<double>(lanes) / (32.0 * static_cast<double>(instructions));
  }
  MapCounts& operator+=(const MapCounts& other);
  friend bool operator==(const MapCounts&, const MapCounts&) = default;
};
/// Of a line of the text: `executions` of its first statement by warps, and all instructions on it.
struct LineCounts : MapCounts {
  std::uint64_t executions = 0;
  std::uint64_t executed_lanes = 0;  ///< active lanes of these executions
};

struct MapResult {
  MapOutcome outcome = MapOutcome::kRejected;
  std::vector<CodeProblem> problems;  ///< empty if it ran
  MapLaunch launch;                   ///< if launch() returned a valid one
  MapCoverage coverage;               ///< if it ran
  std::optional<WrongThread> wrong;
  std::optional<MapPoint> first_missed;
  std::vector<std::uint8_t> hits;   ///< as CoverageCounter::hits(), if it ran on at most kMaxMapPoints points
  std::vector<std::uint8_t> cells;  ///< of the same points: whether it is a cell
  std::vector<MapPoint> points;     ///< of each thread, in the order of thread_of(), if requested
  std::vector<ThreadState> threads;  ///< of the same threads
  MapCounts counts;                  ///< of cell_of_thread() in all warps, if requested
  std::vector<LineCounts> lines;     ///< by line, from 1 (0 is empty), if requested
  std::vector<MapCounts> warps;      ///< block by block, each warp by warp, if requested with keep_points
  double compile_milliseconds = 0;
  double run_milliseconds = 0;  ///< all threads
  /// If measured and exact: median of five on one CPU thread, or of nine on a GPU, after a warm-up. The code
  /// has no checks of indices and budgets there, which the run before showed to be unnecessary.
  std::optional<double> single_write_milliseconds;
  std::optional<double> checked_write_milliseconds;  ///< on a GPU: the same with the checks
};

/// Moves what was counted, after CoverageCounter::finish().
void take(CoverageCounter& counter, MapResult& result);

/// Throws InputError for a level that is too large for a run on the CPU, or on a GPU.
void check_map_request(const NbbFractal& fractal, const MapRequest& request);

/// Parses, checks and runs a map in the calling thread and OpenMP's. Blocks until it ends, up to the time
/// limit; `monitor` may cancel it (OperationCancelled) and be null. Throws as check_map_request(). The result
/// does not depend on the number of threads or their order.
MapResult run_map_on_cpu(const NbbFractal& fractal, const MapRequest& request,
                         const ProgressMonitor* monitor = nullptr);

}  // namespace loom
