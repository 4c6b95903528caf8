#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/life/map_times.h"
#include "app/life/picture/block_space.h"
#include "app/life/population.h"
#include "app/shell/frame_times.h"
#include "compute/backend/engine_factory.h"
#include "compute/engine/step_report.h"
#include "compute/engine/thread_count.h"

namespace loom::app {

/// What the panels may know: plain data about the frames so far. References live as long as the frame.
struct Report {
  const FractalConfig& config;      ///< of the engine that runs, which may differ from an edit under way
  const BackendSelection& backend;  ///< and why
  const CudaStatus& cuda;           ///< whether CUDA can be chosen
  const std::string& backend_name;  ///< "cpu: 2 threads"
  const std::string& picture_path;  ///< "CUDA-OpenGL interop", or "host upload: " and why
  const BlockSpace& space;          ///< the fractal cut into blocks
  const FrameTimes& times;
  const MapTimes& map_times;
  Work work;                                ///< that the engine does
  std::optional<StepReport> step;           ///< the last step since the method changed
  std::optional<ThreadCount> threads = {};  ///< of the engine's method; none while they were not counted
  std::optional<CountedCensus> census;
  std::uint64_t generation = 0;
  std::uint64_t cells = 0;
  std::uint64_t bytes_held = 0;
  int largest_level = 0;           ///< that memory has room for with these settings
  std::string_view wrong;          ///< why the picture is wrong, with tensor-fp16; empty where it is right
  std::string_view blocks_hidden;  ///< why no blocks are drawn on the picture; empty where they are
  double frames_per_second = 0;
};

}  // namespace loom::app
