#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/shell/frame_times.h"
#include "app/tasks/async_engine.h"
#include "app/workspaces/solid/scene/solid_settings.h"
#include "compute/device/device.h"
#include "compute/solid/solid_engine.h"

namespace loom::app {

/// A request for cells and a picture.
struct SolidRequest {
  SolidConfig config;
  BackendSelection backend = {};
  RandomStart start = {};
  bool restart = false;
  SolidHistory replay = {};             ///< after a restart
  const SolidEngine* source = nullptr;  ///< whose cells are taken over; must not run meanwhile
  std::vector<SolidEdit> edits = {};    ///< before the generations
  std::uint32_t generations = 0;
  SolidWork work = {};
  bool count = false;  ///< count the living cells
  SolidView view = {};
  MemorySpace image_space = MemorySpace::kHost;
};
struct SolidFrame {
  bool restarted = false;  ///< the cells are those of the start and the replay
  bool edited = false;     ///< the edits were made
  std::uint32_t generations = 0;
  StepReport step = {};
  StepReport trace = {};
  SolidImage image = {};  ///< valid until the next request
};

/// The engine of the workspace, which is built when a request needs another one; its cells are transferred if
/// fractal and level stay.
class SolidRunner {
 public:
  using Outcome = EngineOutcome<SolidRequest, SolidFrame>;

  double expected_ms(const SolidRequest& request) const;
  std::string activity(const SolidRequest& request) const;
  std::string out_of_memory(const SolidRequest& request) const;
  void update(const Outcome& outcome);
  void set_monitor(ProgressMonitor* monitor) { monitor_ = monitor; }
  bool begin(const SolidRequest& request, SolidFrame& result);
  void end(const SolidRequest&, SolidFrame&) {}
  SolidEngine& engine() { return *engine_; }

  // The state after the last request.
  bool has_cells() const { return has_cells_; }
  const SolidConfig& config() const { return config_; }
  const std::string& backend_name() const { return backend_name_; }
  std::uint64_t generation() const { return generation_; }
  std::uint64_t allocated_bytes() const { return allocated_bytes_; }
  /// The living cells, if they were counted for this generation.
  const std::optional<Census>& census() const { return census_; }
  const ThreadCount& threads() const { return threads_; }
  /// The time per generation: of the last kTimesKept ones with this configuration.
  const StageStats& step() const { return step_; }
  /// Milliseconds per picture; 0 before the first.
  double trace_ms() const { return trace_ms_; }
  /// Milliseconds per pixel.
  double pixel_ms() const { return pixel_ms_; }

 private:
  static constexpr std::size_t kTimesKept = 32;

  void build(const SolidRequest& request, SolidFrame& result);

  std::unique_ptr<SolidEngine> engine_;
  BackendSelection backend_;
  ProgressMonitor* monitor_ = nullptr;
  // Written by a request, read by the owner afterwards.
  StepReport last_step_;
  std::optional<Census> counted_;
  ThreadCount counted_threads_;

  bool has_cells_ = false;
  SolidConfig config_{.fractal = solid_catalog().front()};
  std::string backend_name_;
  std::uint64_t generation_ = 0;
  std::uint64_t allocated_bytes_ = 0;
  std::optional<Census> census_;
  ThreadCount threads_;
  std::vector<double> times_;   ///< the last ones, in a ring
  std::vector<double> sorted_;  ///< memory for the statistics
  std::size_t oldest_ = 0;
  StageStats step_;
  double trace_ms_ = 0;
  double pixel_ms_ = 2e-4;  ///< a guess before the first picture
};

/// Calls AsyncEngine::finish() and assigns the time to `step` and to kResolve: that of the request if it ran
/// within the frame, otherwise the wait for it.
const SolidRunner::Outcome* finish_in_frame(AsyncEngine<SolidRunner>& engine, TaskTimeout timeout,
                                            FrameClock& clock, Stage step);

}  // namespace loom::app
