#include "compute/engine/life_costs.h"

#include <fmt/format.h>

#include "compute/core/error.h"

namespace loom {

StepReport step_costs(const FractalConfig& config, const BlockedFractal& fractal, std::uint32_t generations) {
  const LaunchShape shape = launch_shape(method_of(config), fractal);
  StepReport report;
  report.generations = generations;
  report.blocks_launched = shape.blocks() * generations;
  report.threads_launched = shape.threads() * generations;
  report.threads_active = fractal.cells * generations;
  report.bytes_moved = 2 * fractal.cells * generations;
  return report;
}

void check_cell_range(const BlockedFractal& fractal, std::uint64_t first, std::uint64_t count) {
  if (first > fractal.cells || count > fractal.cells - first) {
    throw InputError(fmt::format("cells {} to {} are out of range; the fractal has {}", first, first + count,
                                 fractal.cells));
  }
}

}  // namespace loom
