#include "compute/engine/work_costs.h"

#include <fmt/format.h>

#include "compute/core/error.h"

namespace loom {

StepReport work_costs(std::uint64_t cells, Workload workload, std::uint32_t times) {
  StepReport report;
  report.generations = times;
  report.bytes_moved = (workload == Workload::kLife ? 2 : 1) * cells * times;
  return report;
}

GpuLaunch planned_launch(const FractalConfig& config) {
  const TiledFractal fractal = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  return gpu_launch(config.method, fractal, launch_shape(config.method, fractal));
}

void check_cell_range(std::uint64_t cells, std::uint64_t first, std::uint64_t count) {
  if (first > cells || count > cells - first) {
    throw InputError(
        fmt::format("cells {} to {} are out of range; the fractal has {}", first, first + count, cells));
  }
}

}  // namespace loom
