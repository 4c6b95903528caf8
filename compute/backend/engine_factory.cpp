#include "compute/backend/engine_factory.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "compute/backend/distributed_factory.h"
#include "compute/core/error.h"
#include "compute/cpu/available_memory.h"
#include "compute/cpu/bits/cpu_plane_engine.h"
#include "compute/cpu/bits/cpu_row_engine.h"
#include "compute/cpu/life/cpu_byte_engine.h"
#include "compute/cpu/thread_pool.h"
#include "compute/engine/work_costs.h"
#include "compute/map/dispatch.h"
#ifdef LOOM_HAS_CUDA
#include "compute/backend/cuda_backend.h"
#include "compute/cuda/available_memory.h"
#endif

namespace loom {
namespace {

CapacityError make_capacity_error(const FractalConfig& config, std::uint64_t needed,
                                  std::uint64_t available) {
  const int level = largest_level(config, available);
  const std::string fits =
      level < 0 ? "no level fits" : fmt::format("the largest level that fits is {}", level);
  // Suggests bit-packed storage if that would fit.
  FractalConfig in_bits = config;
  in_bits.method.storage = CellStorage::kBits;
  if (config.method.map == MapKind::kLambda) in_bits.method.map = MapKind::kCompact;
  std::string bits;
  if (config.method.storage != CellStorage::kBits && bytes_needed(in_bits) <= available)
    bits = fmt::format("; with {} it would take {}", to_string(in_bits.method),
                       describe_bytes(bytes_needed(in_bits)));
  return CapacityError(
      fmt::format("level {} of {} on the {} map in {} needs {}, but only {} are free; {}{}", config.level,
                  config.fractal.name(), name_of(config.method.map), name_of(config.method.storage),
                  describe_bytes(needed), describe_bytes(available), fits, bits),
      needed, available);
}

std::unique_ptr<FractalEngine> make_cpu_engine(const FractalConfig& config) {
  if (config.method.storage == CellStorage::kBytes) return std::make_unique<cpu::CpuByteEngine>(config);
  if (config.method.map == MapKind::kCompact) return std::make_unique<cpu::CpuPlaneEngine>(config);
  return std::make_unique<cpu::CpuRowEngine>(config);
}

}  // namespace

std::uint64_t bytes_free(const BackendSelection& backend) {
#ifdef LOOM_HAS_CUDA
  if (backend.device.kind == BackendKind::kCuda) {
    std::uint64_t least = cuda::available_memory(backend.device.ordinal);
    for (const Device& other : backend.others) least = std::min(least, cuda::available_memory(other.ordinal));
    return least * backend.devices();
  }
#endif
  static_cast<void>(backend);
  return cpu::available_memory();
}

void check_fits(const FractalConfig& config, const BackendSelection& backend) {
  const std::uint64_t needed = bytes_needed(config);
  const std::uint64_t available = bytes_free(backend);
  if (needed > available) throw make_capacity_error(config, needed, available);
}

std::unique_ptr<FractalEngine> make_fractal_engine(const FractalConfig& config,
                                                   const BackendSelection& backend,
                                                   ProgressMonitor* monitor) {
  if (backend.devices() > 1) return make_distributed_engine(config, each_device(backend), {}, monitor);
  const ProgressScope call(monitor, 1);
  validate(config);
  // The stacks of its threads are then no longer counted as free.
  if (backend.device.on_host) cpu::make_pool();
  check_fits(config, backend);
  call.check();
  try {
#ifdef LOOM_HAS_CUDA
    if (backend.device.kind == BackendKind::kCuda) return cuda::make_engine(config, backend.device.ordinal);
#endif
    return make_cpu_engine(config);
  } catch (const std::bad_alloc&) {
  } catch (const CapacityError&) {
  }
  throw make_capacity_error(config, bytes_needed(config), bytes_free(backend));
}

void transfer_cells(const FractalEngine& from, FractalEngine& to, ProgressMonitor* monitor) {
  if (!from.config().fractal.has_same_cells(to.config().fractal) ||
      from.config().level != to.config().level) {
    throw InputError(
        "cells cannot be transferred between different fractals or levels; allowed: the same fractal and "
        "level");
  }
  constexpr std::uint64_t kChunk = std::uint64_t{1} << 20;  // a few milliseconds
  const std::uint64_t cells = from.cell_count();
  const ProgressScope call(monitor, 2 * cells);
  std::vector<std::uint8_t> chunk(std::min(cells, kChunk));
  for (std::uint64_t first = 0; first < cells; first += kChunk) {
    call.check();
    const std::span<std::uint8_t> part(chunk.data(), std::min(kChunk, cells - first));
    call.part(part.size(), [&] { from.read_cells(first, part); });
    call.part(part.size(), [&] { to.write_cells(first, part); });
  }
  to.set_generation(from.generation());
}

}  // namespace loom
