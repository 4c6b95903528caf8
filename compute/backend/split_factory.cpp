#include "compute/backend/split_factory.h"

#include <fmt/format.h>

#include <new>
#include <utility>
#include <vector>

#include "compute/core/error.h"
#include "compute/cpu/bits/cpu_plane_part.h"
#include "compute/cpu/thread_pool.h"
#include "compute/split/split_engine.h"
#ifdef LOOM_HAS_CUDA
#include "compute/backend/cuda_backend.h"
#endif

namespace loom {
namespace {

void check_can_be_split(const FractalConfig& config) {
  validate(config);
  if (config.method.map == MapKind::kCompact && config.method.storage == CellStorage::kBits) return;
  throw InputError(fmt::format(
      "cells on the {} map in {} lie on one device; allowed on several: --map compact --storage bits",
      name_of(config.method.map), name_of(config.method.storage)));
}

std::unique_ptr<PlanePart> make_part(const FractalConfig& config, const std::vector<PlaneRange>& parts,
                                     std::uint32_t number, const BackendSelection& backend) {
#ifdef LOOM_HAS_CUDA
  if (backend.kind == BackendKind::kCuda) return cuda::make_part(config, parts, number, backend.device);
#else
  static_cast<void>(backend);
#endif
  return std::make_unique<cpu::CpuPlanePart>(config, parts, number);
}

std::unique_ptr<PartExchange> make_exchange(std::span<const BackendSelection> devices) {
#ifdef LOOM_HAS_CUDA
  if (devices.front().kind == BackendKind::kCuda) {
    std::vector<int> ordinals;
    for (const BackendSelection& device : devices) ordinals.push_back(device.device);
    return cuda::make_exchange(ordinals);
  }
#endif
  static_cast<void>(devices);
  return make_host_exchange();
}

}  // namespace

std::unique_ptr<FractalEngine> make_split_engine(const FractalConfig& config,
                                                 std::span<const BackendSelection> devices, Watch* watch) {
  const WatchedCall call(watch, devices.size());
  check_can_be_split(config);
  cpu::make_pool();
  const BitPlanes whole = make_bit_planes(config.fractal.shape(), config.level);
  const auto count = static_cast<std::uint32_t>(devices.size());
  const std::vector<PlaneRange> ranges = deal_groups(whole, count, whole.groups_in_word);
  std::vector<std::unique_ptr<PlanePart>> parts;
  for (std::uint32_t number = 0; number < count; ++number) {
    call.check();
    const BackendSelection& device = devices[number];
    const std::uint64_t needed = 2 * part_of(whole, ranges[number]).bytes();
    try {
      if (needed > bytes_free(device)) throw std::bad_alloc();
      parts.push_back(make_part(config, ranges, number, device));
    } catch (const std::bad_alloc&) {
      throw CapacityError(
          fmt::format("level {} of {} in {} parts needs {} for part {}, free on its device are {}; allowed: "
                      "more devices, or a lower level",
                      config.level, config.fractal.name(), count, with_units(needed), number + 1,
                      with_units(bytes_free(device))),
          needed, bytes_free(device));
    }
    call.advance(1);
  }
  return std::make_unique<SplitEngine>(config, std::move(parts), count, make_exchange(devices));
}

}  // namespace loom
