#include "compute/engine/work_costs.h"

#include <fmt/format.h>

#include "compute/core/error.h"
#include "compute/map/tiling.h"

namespace loom {

StepReport work_costs(const FractalConfig& config, const BlockedFractal& fractal, Workload workload,
                      std::uint32_t times) {
  const MapMethod method = config.method;
  const LaunchShape shape = launch_shape(method, fractal);
  const GpuLaunch launch = gpu_launch(method, fractal, shape);
  StepReport report;
  report.generations = times;
  report.blocks_launched = shape.blocks() * times;
  report.thread_blocks = launch.thread_blocks() * times;
  const std::uint64_t rounds = launch.tiling.tiles() / launch.tiling.parallel;
  report.threads_launched = launch.thread_blocks() * rounds * launch.threads * times;
  report.threads_active = fractal.cells * times;
  report.bytes_moved = (workload == Workload::kLife ? 2 : 1) * fractal.cells * times;
  return report;
}

void check_cell_range(const BlockedFractal& fractal, std::uint64_t first, std::uint64_t count) {
  if (first > fractal.cells || count > fractal.cells - first) {
    throw InputError(fmt::format("cells {} to {} are out of range; the fractal has {}", first, first + count,
                                 fractal.cells));
  }
}

}  // namespace loom
