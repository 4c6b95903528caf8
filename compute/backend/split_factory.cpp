#include "compute/backend/split_factory.h"

#include <fmt/format.h>

#include <new>
#include <utility>
#include <vector>

#include "compute/core/error.h"
#include "compute/cpu/bits/cpu_plane_part.h"
#include "compute/cpu/thread_pool.h"
#include "compute/split/sharing.h"
#include "compute/split/split_engine.h"
#ifdef LOOM_HAS_CUDA
#include "compute/backend/cuda_backend.h"
#endif

namespace loom {
namespace {

std::unique_ptr<FractalPart> make_part(const FractalConfig& config, const std::vector<PlaneRange>& parts,
                                       std::uint32_t number, const BackendSelection& backend) {
#ifdef LOOM_HAS_CUDA
  if (backend.kind == BackendKind::kCuda) return cuda::make_part(config, parts, number, backend.device);
#else
  static_cast<void>(backend);
#endif
  return std::make_unique<cpu::CpuPlanePart>(config, parts, number);
}

std::vector<int> ordinals_of(std::span<const BackendSelection> devices) {
  std::vector<int> ordinals;
  for (const BackendSelection& device : devices) ordinals.push_back(device.device);
  return ordinals;
}

std::unique_ptr<PartExchange> make_exchange(std::span<const BackendSelection> devices) {
#ifdef LOOM_HAS_CUDA
  if (devices.front().kind == BackendKind::kCuda) return cuda::make_exchange(ordinals_of(devices));
#endif
  static_cast<void>(devices);
  return make_host_exchange();
}

/// Null: in host memory.
std::unique_ptr<PartPicture> make_picture(std::span<const BackendSelection> devices) {
#ifdef LOOM_HAS_CUDA
  if (devices.front().kind == BackendKind::kCuda) return cuda::make_picture(ordinals_of(devices));
#endif
  static_cast<void>(devices);
  return nullptr;
}

std::unique_ptr<PartExchange> make_exchange(const BackendSelection& device, const Ranks& ranks) {
#ifdef LOOM_HAS_CUDA
  if (device.kind == BackendKind::kCuda) return cuda::make_exchange(device.device, ranks);
#else
  static_cast<void>(device);
#endif
  return ranks.make_exchange();
}

std::unique_ptr<FractalPart> make_part_that_fits(const FractalConfig& config,
                                                 const std::vector<PlaneRange>& ranges, std::uint32_t number,
                                                 const BackendSelection& device) {
  const BitPlanes whole = make_bit_planes(config.fractal.shape(), config.level);
  const std::uint64_t needed = 2 * part_of(whole, ranges[number]).bytes();
  try {
    if (needed <= bytes_free(device)) return make_part(config, ranges, number, device);
  } catch (const std::bad_alloc&) {
  } catch (const CapacityError&) {
  }
  const std::uint64_t available = bytes_free(device);
  throw CapacityError(fmt::format("part {} of {} of {} at level {} needs {}, free on its device are {}; "
                                  "allowed: more devices, or a lower level",
                                  number + 1, ranges.size(), config.fractal.name(), config.level,
                                  with_units(needed), with_units(available)),
                      needed, available);
}

}  // namespace

std::vector<BackendSelection> each_device(const BackendSelection& backend) {
  std::vector<BackendSelection> devices = {first_device(backend)};
  for (const int other : backend.others) devices.push_back({backend.kind, other, backend.reason});
  return devices;
}

std::unique_ptr<FractalEngine> make_split_engine(const FractalConfig& config,
                                                 std::span<const BackendSelection> devices,
                                                 std::span<const std::uint32_t> shares, Watch* watch) {
  const WatchedCall call(watch, devices.size());
  const auto count = static_cast<std::uint32_t>(devices.size());
  check_can_be_split(config, count);
  cpu::make_pool();
  const std::vector<PlaneRange> ranges = part_ranges(config, count, shares);
  std::vector<std::unique_ptr<FractalPart>> parts;
  for (std::uint32_t number = 0; number < count; ++number) {
    call.check();
    parts.push_back(make_part_that_fits(config, ranges, number, devices[number]));
    call.advance(1);
  }
  return std::make_unique<SplitEngine>(config, std::move(parts), count, make_exchange(devices),
                                       make_picture(devices));
}

std::unique_ptr<FractalEngine> make_split_engine(const FractalConfig& config, const BackendSelection& device,
                                                 const Ranks& ranks) {
  const auto count = static_cast<std::uint32_t>(ranks.count());
  check_can_be_split(config, count);
  cpu::make_pool();
  const std::vector<PlaneRange> ranges = part_ranges(config, count);
  std::vector<std::unique_ptr<FractalPart>> parts;
  std::string complaint;
  try {
    parts.push_back(make_part_that_fits(config, ranges, static_cast<std::uint32_t>(ranks.rank()), device));
  } catch (const std::exception& error) {
    complaint = error.what();
  }
  complaint = ranks.first_complaint(complaint);
  if (!complaint.empty()) throw MachineError(complaint);
  return std::make_unique<SplitEngine>(config, std::move(parts), count, make_exchange(device, ranks));
}

}  // namespace loom
