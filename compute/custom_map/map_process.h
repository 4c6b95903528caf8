#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "compute/custom_map/map_code.h"
#include "compute/custom_map/map_run.h"
#include "compute/device/device.h"
#include "compute/engine/progress_monitor.h"
#include "compute/geometry/nbb_fractal.h"

namespace loom {

// Custom maps are compiled and run in a process of their own: by libtcc on the CPU, which may not open files
// or sockets or start processes (seccomp) and has little memory and little time, or by NVRTC on a GPU, where
// only the compiler is restricted in this way (compute/cuda/custom_map/). An infinite loop, a crash or a wild
// write ends that process and nothing else.

struct MapRequest {
  std::string code;
  int level = 0;
  std::chrono::milliseconds time_limit{2000};  ///< for compiling and running; then the process is ended
  bool keep_points = false;                    ///< keep the point and the state of each thread in the result
  MapStorage measure = MapStorage::kNone;      ///< measure a single write through the map
  Device device = {};                          ///< the CPU by default, or one of MapBackend
};

/// How the run of a map ended.
enum class MapOutcome : std::uint8_t {
  kRan,       ///< every thread returned
  kRejected,  ///< the text is outside of the subset, does not compile, or the launch is not valid
  kCrashed,   ///< division by zero, invalid memory access, stack overflow
  kTimeout,
  kOutOfMemory,
  kForbidden,  ///< a system call
};
std::string_view name_of(MapOutcome outcome);

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
  double compile_milliseconds = 0;
  double run_milliseconds = 0;  ///< all threads, one after the other, with their points sent
  /// If measured and exact: median of five on one CPU thread, or of nine on a GPU, after a warm-up.
  std::optional<double> single_write_milliseconds;
  bool has_seccomp = false;  ///< whether system calls were filtered; otherwise only limits hold
};

/// Checks, compiles and runs a map in a process of its own: `program` with the argument kMapRunnerCommand,
/// which calls serve_map_run() (compute/backend/map_backend.h). Blocks until it ends, up to the time limit;
/// `monitor` may cancel it (OperationCancelled) and be null. Throws InputError for a level that is too large,
/// MachineError if the process cannot be started.
MapResult run_map(const std::filesystem::path& program, const NbbFractal& fractal, const MapRequest& request,
                  const ProgressMonitor* monitor = nullptr);

/// The file of the calling program, for programs that serve kMapRunnerCommand. Throws MachineError.
std::filesystem::path this_program();

inline constexpr const char* kMapRunnerCommand = "map-runner";

}  // namespace loom
