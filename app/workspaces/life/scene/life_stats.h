#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/explain/colour_by.h"
#include "app/shell/frame_times.h"
#include "app/shell/workspace.h"
#include "app/workspaces/life/scene/cycle_detector.h"
#include "app/workspaces/life/scene/map_times.h"
#include "app/workspaces/life/scene/thread_explanation.h"
#include "compute/device/device.h"
#include "compute/engine/thread_count.h"

namespace loom::app {

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
