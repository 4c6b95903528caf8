#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/explain/colour_by.h"
#include "app/shell/frame_times.h"
#include "app/shell/workspace.h"
#include "app/workspaces/life/scene/census_schedule.h"
#include "app/workspaces/life/scene/cycle_detector.h"
#include "app/workspaces/life/scene/map_times.h"
#include "app/workspaces/life/scene/tile_grid.h"
#include "compute/backend/engine_factory.h"
#include "compute/engine/step_report.h"
#include "compute/engine/thread_count.h"

namespace loom::app {

/// Read-only information for the panels of the Life workspace, about the frames so far. References are valid
/// for one frame.
struct LifeStats {
  const FractalConfig& config;       ///< of the engine that runs, which may differ from an edit under way
  const BackendSelection& backend;   ///< and why
  const std::vector<int>& devices;   ///< devices that cells can be distributed over
  const CudaStatus& cuda;            ///< whether CUDA can be chosen
  const std::string& backend_name;   ///< "cpu: 2 threads"
  const TileGrid& space;             ///< the fractal divided into tiles
  const FrameTimes& times;           ///< of the window's frames
  StageStats generation;             ///< milliseconds of a generation, write or sum since the method changed
  bool steps_in_background = false;  ///< a step takes longer than a frame
  MapComparison comparison;          ///< of maps under the present conditions
  Progress measuring;                ///< of that comparison, while it is taken
  Work work;                         ///< that the engine does
  std::uint32_t generations_per_frame = 1;
  std::optional<StepReport> step;           ///< the last step since the method changed
  std::optional<ThreadCount> threads = {};  ///< of the engine's method; none while they were not counted
  std::optional<CountedCensus> census;
  const CycleDetector* cycle_detector = nullptr;  ///< how the cells went on
  std::uint64_t generations = 0;                  ///< since the start
  std::uint64_t cells = 0;
  std::uint64_t history_bytes = 0;   ///< history on the host, in bytes
  std::uint64_t history_budget = 0;  ///< that they may take
  std::uint64_t allocated_bytes = 0;
  int largest_level = 0;          ///< that memory has room for with these settings
  std::string_view wrong;         ///< why the picture is wrong, with tensor-fp16; empty where it is right
  std::string_view in_bits = {};  ///< what words of bits are; empty of bytes
  const explain::ColourLegend* colours = nullptr;  ///< legend of the colours; null for colours by state
  const explain::ColourLegend* secondary_colours =
      nullptr;                               ///< legend of secondary panes if the active pane has none
  double stretched = 1;                      ///< height over width of a drawn point
  std::string_view ages_hidden_reason = {};  ///< why ages are not drawn, or not exact; empty where they are
  bool ages_shown = false;                   ///< they are drawn
  std::string_view tiles_hidden_reason;      ///< why tiles are not drawn; empty if they are
  double frames_per_second = 0;
};

/// What a launch is: as counted, thread by thread, once it was; before that by the launch's shape.
inline LaunchCount launch_of(const LifeStats& stats) {
  if (!stats.threads) return stats.space.launch_count(stats.config.method.map);
  const ThreadCount& counted = *stats.threads;
  return {.blocks = counted.tiles_launched,
          .occupied_tiles = counted.tiles_occupied,
          .threads = counted.threads_launched - counted.threads_without_tile,
          .cells = counted.threads_active};
}

}  // namespace loom::app
