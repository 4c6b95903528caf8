#include "compute/backend/distributed_factory.h"

#include <fmt/format.h>

#include <new>
#include <utility>
#include <vector>

#include "compute/core/error.h"
#include "compute/cpu/bits/cpu_plane_partition.h"
#include "compute/cpu/life/cpu_byte_partition.h"
#include "compute/cpu/thread_pool.h"
#include "compute/distributed/distributed_engine.h"
#include "compute/distributed/partitioning.h"
#ifdef LOOM_HAS_CUDA
#include "compute/backend/cuda_backend.h"
#endif

namespace loom {
namespace {

std::unique_ptr<FractalPartition> make_part(const FractalConfig& config, const Partitioning& partitioning,
                                            std::uint32_t number, const Device& device) {
#ifdef LOOM_HAS_CUDA
  if (device.kind == BackendKind::kCuda) return cuda::make_part(config, partitioning, number, device.ordinal);
#else
  static_cast<void>(device);
#endif
  if (config.method.storage == CellStorage::kBytes)
    return std::make_unique<cpu::CpuBytePartition>(config, partitioning.rows, number);
  return std::make_unique<cpu::CpuPlanePartition>(config, partitioning.groups, number);
}

#ifdef LOOM_HAS_CUDA
std::vector<int> ordinals_of(std::span<const Device> devices) {
  std::vector<int> ordinals;
  for (const Device& device : devices) ordinals.push_back(device.ordinal);
  return ordinals;
}
#endif

std::unique_ptr<HaloExchange> make_exchange(std::span<const Device> devices) {
#ifdef LOOM_HAS_CUDA
  if (devices.front().kind == BackendKind::kCuda) return cuda::make_exchange(ordinals_of(devices));
#endif
  static_cast<void>(devices);
  return make_host_exchange();
}

/// Null: images are composed in host memory.
std::unique_ptr<ImageCompositor> make_compositor(std::span<const Device> devices) {
#ifdef LOOM_HAS_CUDA
  if (devices.front().kind == BackendKind::kCuda) return cuda::make_compositor(ordinals_of(devices));
#endif
  static_cast<void>(devices);
  return nullptr;
}

std::unique_ptr<HaloExchange> make_exchange(const Device& device, const ProcessGroup& ranks) {
#ifdef LOOM_HAS_CUDA
  if (device.kind == BackendKind::kCuda) return cuda::make_exchange(device.ordinal, ranks);
#else
  static_cast<void>(device);
#endif
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

}  // namespace

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
  return std::make_unique<DistributedEngine>(config, std::move(parts), count, make_exchange(devices),
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
  return std::make_unique<DistributedEngine>(config, std::move(parts), count, make_exchange(device, ranks));
}

}  // namespace loom
