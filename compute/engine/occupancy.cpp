#include "compute/engine/occupancy.h"

#include <algorithm>

#include "compute/core/integer_math.h"

namespace loom {
namespace {

constexpr std::uint32_t kWarp = 32;
constexpr std::uint32_t kRegisterUnit = 256;  ///< per warp
constexpr std::uint32_t kParts = 4;           ///< per multiprocessor, each with its own registers
constexpr std::uint32_t kSharedUnit = 128;    ///< bytes, per thread block

}  // namespace

Occupancy occupancy_limits(const KernelResources& kernel, const ProcessorResources& processor) {
  Occupancy limits{.kernel = kernel, .processor_threads = processor.threads};
  const std::uint32_t warps = std::max(1u, ceil_divide(kernel.threads, kWarp));
  limits.by_threads = processor.threads / kWarp / warps;
  limits.by_blocks = processor.blocks;
  const std::uint32_t of_warp =
      std::max(1u, ceil_divide(kernel.registers * kWarp, kRegisterUnit)) * kRegisterUnit;
  limits.by_registers = processor.registers / kParts / of_warp * kParts / warps;
  const std::uint32_t bytes =
      ceil_divide(kernel.shared_bytes + processor.reserved_bytes, kSharedUnit) * kSharedUnit;
  limits.by_shared_memory = bytes == 0 ? processor.blocks : processor.shared_bytes / bytes;
  limits.blocks =
      std::min({limits.by_threads, limits.by_blocks, limits.by_registers, limits.by_shared_memory});
  return limits;
}

std::string limited_by(const Occupancy& occupancy) {
  std::string text;
  const auto add = [&](std::uint32_t limit, const char* name) {
    if (limit == occupancy.blocks) text += (text.empty() ? "" : " and ") + std::string(name);
  };
  add(occupancy.by_threads, "threads");
  add(occupancy.by_registers, "registers");
  add(occupancy.by_shared_memory, "shared memory");
  add(occupancy.by_blocks, "block slots");
  return text.empty() ? "other" : text;
}

}  // namespace loom
