#include "compute/backend/split_factory.h"

#include <fmt/format.h>

#include <new>
#include <utility>
#include <vector>

#include "compute/core/error.h"
#include "compute/cpu/bits/cpu_plane_part.h"
#include "compute/cpu/life/cpu_byte_part.h"
#include "compute/cpu/thread_pool.h"
#include "compute/split/sharing.h"
#include "compute/split/split_engine.h"
#ifdef LOOM_HAS_CUDA
#include "compute/backend/cuda_backend.h"
#endif

namespace loom {
namespace {

std::unique_ptr<FractalPart> make_part(const FractalConfig& config, const Dealing& dealing,
                                       std::uint32_t number, const BackendSelection& backend) {
#ifdef LOOM_HAS_CUDA
  if (backend.kind == BackendKind::kCuda) return cuda::make_part(config, dealing, number, backend.device);
#else
  static_cast<void>(backend);
#endif
  if (config.method.storage == CellStorage::kBytes)
    return std::make_unique<cpu::CpuBytePart>(config, dealing.rows, number);
  return std::make_unique<cpu::CpuPlanePart>(config, dealing.groups, number);
}

#ifdef LOOM_HAS_CUDA
std::vector<int> ordinals_of(std::span<const BackendSelection> devices) {
  std::vector<int> ordinals;
  for (const BackendSelection& device : devices) ordinals.push_back(device.device);
  return ordinals;
}
#endif

std::unique_ptr<PartExchange> make_exchange(std::span<const BackendSelection> devices) {
#ifdef LOOM_HAS_CUDA
  if (devices.front().kind == BackendKind::kCuda) return cuda::make_exchange(ordinals_of(devices));
#endif
  static_cast<void>(devices);
  return make_host_exchange();
}

/// Null: images are composed in host memory.
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

std::unique_ptr<FractalPart> make_part_that_fits(const FractalConfig& config, const Dealing& dealing,
                                                 std::uint32_t number, const BackendSelection& device) {
  const std::uint64_t needed = bytes_of_part(config, dealing, number);
  try {
    if (needed <= bytes_free(device)) return make_part(config, dealing, number, device);
  } catch (const std::bad_alloc&) {
  } catch (const CapacityError&) {
  }
  const std::uint64_t available = bytes_free(device);
  throw CapacityError(
      fmt::format("partition {} of {} of {} at level {} needs {}, but only {} are free on its device; "
                  "allowed: more devices, or a lower level",
                  number + 1, dealing.parts(), config.fractal.name(), config.level, with_units(needed),
                  with_units(available)),
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
  const Dealing dealing = deal_parts(config, count, shares);
  std::vector<std::unique_ptr<FractalPart>> parts;
  for (std::uint32_t number = 0; number < count; ++number) {
    call.check();
    parts.push_back(make_part_that_fits(config, dealing, number, devices[number]));
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
  const Dealing dealing = deal_parts(config, count);
  std::vector<std::unique_ptr<FractalPart>> parts;
  std::string complaint;
  try {
    parts.push_back(make_part_that_fits(config, dealing, static_cast<std::uint32_t>(ranks.rank()), device));
  } catch (const std::exception& error) {
    complaint = error.what();
  }
  complaint = ranks.first_complaint(complaint);
  if (!complaint.empty()) throw MachineError(complaint);
  return std::make_unique<SplitEngine>(config, std::move(parts), count, make_exchange(device, ranks));
}

}  // namespace loom
