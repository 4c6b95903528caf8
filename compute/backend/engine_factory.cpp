#include "compute/backend/engine_factory.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compute/backend/cuda_backend.h"
#include "compute/core/error.h"
#include "compute/cpu/available_memory.h"
#include "compute/cpu/engines.h"
#include "compute/cpu/thread_pool.h"
#include "compute/cuda/available_memory.h"
#include "compute/distributed/image_compositor.h"
#include "compute/distributed/partitioning.h"
#include "compute/map/dispatch.h"

namespace loom {
namespace {

/// The storage that would fit instead, if there is one.
std::string alternative(const FractalConfig& config, std::uint64_t available) {
  FractalConfig in_bits = config;
  in_bits.method.storage = CellStorage::kBits;
  if (config.method.map == MapKind::kLambda) in_bits.method.map = MapKind::kCompact;
  if (config.method.storage == CellStorage::kBits || bytes_needed(in_bits) > available) return {};
  return fmt::format("; with {} it would take {}", to_string(in_bits.method),
                     describe_bytes(bytes_needed(in_bits)));
}
std::string alternative(const SolidConfig& /*config*/, std::uint64_t /*available*/) {
  return {};
}

template <int kDimensions>
CapacityError make_capacity_error(const FractalConfigOf<kDimensions>& config, std::uint64_t available) {
  const std::uint64_t needed = bytes_needed(config);
  const int level = largest_level(config, available);
  const std::string fits =
      level < 0 ? "no level fits" : fmt::format("the largest level that fits is {}", level);
  return CapacityError(
      fmt::format("level {} of {} on the {} map in {} needs {}, but only {} are free; {}{}", config.level,
                  config.fractal.name(), name_of(config.method.map), name_of(config.method.storage),
                  describe_bytes(needed), describe_bytes(available), fits, alternative(config, available)),
      needed, available);
}

std::unique_ptr<FractalEngine> make_cpu_engine(const FractalConfig& config) {
  if (config.method.storage == CellStorage::kBytes) return cpu::make_byte_engine(config);
  if (config.method.map == MapKind::kCompact) return cpu::make_plane_engine(config);
  return cpu::make_row_engine(config);
}
std::unique_ptr<SolidEngine> make_cpu_engine(const SolidConfig& config) {
  return cpu::make_solid_engine(config);
}

std::unique_ptr<FractalPartition> make_part(const FractalConfig& config, const Partitioning& partitioning,
                                            std::uint32_t number, const Device& device) {
  if (device.kind == BackendKind::kCuda) return cuda::make_part(config, partitioning, number, device.ordinal);
  if (config.method.storage == CellStorage::kBytes)
    return cpu::make_byte_partition(config, partitioning.rows, number);
  return cpu::make_plane_partition(config, partitioning.groups, number);
}

std::vector<int> ordinals_of(std::span<const Device> devices) {
  std::vector<int> ordinals;
  for (const Device& device : devices) ordinals.push_back(device.ordinal);
  return ordinals;
}

std::unique_ptr<HaloExchange> make_exchange(std::span<const Device> devices) {
  if (devices.front().kind == BackendKind::kCuda) return cuda::make_exchange(ordinals_of(devices));
  return make_host_exchange();
}

/// Null: images are composed in host memory.
std::unique_ptr<ImageCompositor> make_compositor(std::span<const Device> devices) {
  if (devices.front().kind == BackendKind::kCuda) return cuda::make_compositor(ordinals_of(devices));
  return nullptr;
}

std::unique_ptr<HaloExchange> make_exchange(const Device& device, const ProcessGroup& ranks) {
  if (device.kind == BackendKind::kCuda) return cuda::make_exchange(device.ordinal, ranks);
  return ranks.make_exchange();
}

std::unique_ptr<FractalPartition> make_part_that_fits(const FractalConfig& config,
                                                      const Partitioning& partitioning, std::uint32_t number,
                                                      const Device& device) {
  const std::uint64_t needed = bytes_of_partition(config, partitioning, number);
  try {
    if (needed <= bytes_free({device, {}})) return make_part(config, partitioning, number, device);
  } catch (const std::bad_alloc&) {
  } catch (const CapacityError&) {
  }
  const std::uint64_t available = bytes_free({device, {}});
  throw CapacityError(
      fmt::format("partition {} of {} of {} at level {} needs {}, but only {} are free on its device; "
                  "allowed: more devices, or a lower level",
                  number + 1, partitioning.parts(), config.fractal.name(), config.level,
                  describe_bytes(needed), describe_bytes(available)),
      needed, available);
}

std::unique_ptr<MandelbrotPartition> make_share(const Device& device, const RowPartition& share) {
  if (device.kind == BackendKind::kCuda) return cuda::make_mandelbrot_engine(device.ordinal, share);
  cpu::make_pool();
  return cpu::make_mandelbrot_engine(share);
}

}  // namespace

std::uint64_t bytes_free(const BackendSelection& backend) {
  if (backend.device.kind == BackendKind::kCuda) {
    std::uint64_t least = cuda::available_memory(backend.device.ordinal);
    for (const Device& other : backend.others) least = std::min(least, cuda::available_memory(other.ordinal));
    return least * backend.devices();
  }
  return cpu::available_memory();
}

template <int kDimensions>
void check_fits(const FractalConfigOf<kDimensions>& config, const BackendSelection& backend) {
  const std::uint64_t available = bytes_free(backend);
  if (bytes_needed(config) > available) throw make_capacity_error(config, available);
}
template void check_fits(const FractalConfig&, const BackendSelection&);
template void check_fits(const SolidConfig&, const BackendSelection&);

namespace {

template <int kDimensions>
std::unique_ptr<EngineOf<kDimensions>> make_on_one_device(const FractalConfigOf<kDimensions>& config,
                                                          const BackendSelection& backend,
                                                          ProgressMonitor* monitor) {
  const ProgressScope call(monitor, 1);
  validate(config);
  // The stacks of its threads are then no longer counted as free.
  if (backend.device.on_host) cpu::make_pool();
  check_fits(config, backend);
  call.check();
  try {
    if (backend.device.kind == BackendKind::kCuda) return cuda::make_engine(config, backend.device.ordinal);
    return make_cpu_engine(config);
  } catch (const std::bad_alloc&) {
  } catch (const CapacityError&) {
  }
  throw make_capacity_error(config, bytes_free(backend));
}

}  // namespace

std::unique_ptr<FractalEngine> make_fractal_engine(const FractalConfig& config,
                                                   const BackendSelection& backend,
                                                   ProgressMonitor* monitor) {
  if (backend.devices() > 1) return make_distributed_engine(config, each_device(backend), {}, monitor);
  return make_on_one_device(config, backend, monitor);
}
std::unique_ptr<SolidEngine> make_fractal_engine(const SolidConfig& config, const BackendSelection& backend,
                                                 ProgressMonitor* monitor) {
  return make_on_one_device(config, first_device(backend), monitor);
}

template <int kDimensions>
void transfer_cells(const CellEngine<kDimensions>& from, CellEngine<kDimensions>& to,
                    ProgressMonitor* monitor) {
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
template void transfer_cells(const CellEngine<2>&, CellEngine<2>&, ProgressMonitor*);
template void transfer_cells(const CellEngine<3>&, CellEngine<3>&, ProgressMonitor*);

int device_of_rank(const ProcessGroup& ranks) {
  const std::size_t devices = cuda_status().devices.size();
  return devices == 0 ? 0 : ranks.local_rank() % static_cast<int>(devices);
}

std::unique_ptr<FractalEngine> make_distributed_engine(const FractalConfig& config,
                                                       std::span<const Device> devices,
                                                       std::span<const std::uint32_t> shares,
                                                       ProgressMonitor* monitor) {
  const ProgressScope call(monitor, devices.size());
  const auto count = static_cast<std::uint32_t>(devices.size());
  check_partitionable(config, count);
  cpu::make_pool();
  const Partitioning partitioning = make_partitioning(config, count, shares);
  std::vector<std::unique_ptr<FractalPartition>> parts;
  for (std::uint32_t number = 0; number < count; ++number) {
    call.check();
    parts.push_back(make_part_that_fits(config, partitioning, number, devices[number]));
    call.advance(1);
  }
  return make_distributed_engine(config, std::move(parts), count, make_exchange(devices),
                                 make_compositor(devices));
}

std::unique_ptr<FractalEngine> make_distributed_engine(const FractalConfig& config, const Device& device,
                                                       const ProcessGroup& ranks) {
  const auto count = static_cast<std::uint32_t>(ranks.count());
  check_partitionable(config, count);
  cpu::make_pool();
  const Partitioning partitioning = make_partitioning(config, count);
  std::vector<std::unique_ptr<FractalPartition>> parts;
  std::string rank_error;
  try {
    parts.push_back(
        make_part_that_fits(config, partitioning, static_cast<std::uint32_t>(ranks.rank()), device));
  } catch (const std::exception& error) {
    rank_error = error.what();
  }
  rank_error = ranks.first_rank_error(rank_error);
  if (!rank_error.empty()) throw MachineError(rank_error);
  return make_distributed_engine(config, std::move(parts), count, make_exchange(device, ranks));
}

std::unique_ptr<VolumeEngine> make_volume_engine(const BackendSelection& backend) {
  if (backend.device.kind == BackendKind::kCuda) return cuda::make_volume_engine(backend.device.ordinal);
  cpu::make_pool();
  return cpu::make_volume_engine();
}

std::unique_ptr<MandelbrotEngine> make_mandelbrot_engine(const BackendSelection& backend) {
  if (backend.devices() == 1) return make_share(backend.device, {});
  return make_mandelbrot_engine(each_device(backend));
}

std::unique_ptr<MandelbrotEngine> make_mandelbrot_engine(std::span<const Device> devices) {
  std::vector<std::unique_ptr<MandelbrotPartition>> parts;
  std::set<int> different;
  bool together = true;
  for (const Device& device : devices) {
    const auto part = static_cast<std::uint32_t>(parts.size());
    parts.push_back(make_share(device, {part, static_cast<std::uint32_t>(devices.size())}));
    // Partitions on one device, or on the CPU's threads, would only wait for each other.
    together = together && !device.on_host && different.insert(device.ordinal).second;
  }
  return make_distributed_mandelbrot_engine(std::move(parts), together, nullptr);
}

std::unique_ptr<MandelbrotEngine> make_mandelbrot_engine(const Device& device, const ProcessGroup& ranks) {
  std::vector<std::unique_ptr<MandelbrotPartition>> parts;
  std::string rank_error;
  try {
    parts.push_back(make_share(
        device, {static_cast<std::uint32_t>(ranks.rank()), static_cast<std::uint32_t>(ranks.count())}));
  } catch (const std::exception& error) {
    rank_error = error.what();
  }
  rank_error = ranks.first_rank_error(rank_error);
  if (!rank_error.empty()) throw MachineError(rank_error);
  return make_distributed_mandelbrot_engine(std::move(parts), false, &ranks);
}

}  // namespace loom
