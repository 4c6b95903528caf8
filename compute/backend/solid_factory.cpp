#include "compute/backend/solid_factory.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <vector>

#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "compute/cpu/solid/cpu_solid_engine.h"
#include "compute/cpu/thread_pool.h"
#ifdef LOOM_HAS_CUDA
#include "compute/cuda/solid/cuda_solid_engine.h"
#endif

namespace loom {
namespace {

CapacityError solid_capacity_error(const SolidConfig& config, std::uint64_t available) {
  const std::uint64_t needed = bytes_needed(config);
  const int level = largest_level(config, available);
  return CapacityError(
      fmt::format("level {} of {} on the {} map needs {}, but only {} are free; {}", config.level,
                  config.fractal.name(), name_of(config.method.map), describe_bytes(needed),
                  describe_bytes(available),
                  level < 0 ? "no level fits" : fmt::format("the largest level that fits is {}", level)),
      needed, available);
}

}  // namespace

void check_fits(const SolidConfig& config, const BackendSelection& backend) {
  const std::uint64_t available = bytes_free(first_device(backend));
  if (bytes_needed(config) > available) throw solid_capacity_error(config, available);
}

std::unique_ptr<SolidEngine> make_solid_engine(const SolidConfig& config, const BackendSelection& backend) {
  validate(config);
  if (backend.device.on_host) cpu::make_pool();
  check_fits(config, backend);
  try {
#ifdef LOOM_HAS_CUDA
    if (backend.device.kind == BackendKind::kCuda)
      return cuda::make_solid_engine(config, backend.device.ordinal);
#endif
    return std::make_unique<cpu::CpuSolidEngine>(config);
  } catch (const std::bad_alloc&) {
  } catch (const CapacityError&) {
  }
  throw solid_capacity_error(config, bytes_free(first_device(backend)));
}

void transfer_cells(const SolidEngine& from, SolidEngine& to) {
  if (from.config().fractal.shape() != to.config().fractal.shape() ||
      from.config().level != to.config().level) {
    throw InputError(
        "cells cannot be transferred between different fractals or levels; allowed: the same fractal and "
        "level");
  }
  constexpr std::uint64_t kChunk = std::uint64_t{1} << 20;
  const std::uint64_t cells = from.cell_count();
  std::vector<std::uint8_t> chunk(std::min(cells, kChunk));
  for (std::uint64_t first = 0; first < cells; first += kChunk) {
    const std::span<std::uint8_t> part(chunk.data(), std::min(kChunk, cells - first));
    from.read_cells(first, part);
    to.write_cells(first, part);
  }
  to.set_generation(from.generation());
}

}  // namespace loom
