#include "compute/backend/mandelbrot_factory.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/error.h"
#include "compute/cpu/mandelbrot/cpu_mandelbrot_engine.h"
#include "compute/cpu/thread_pool.h"
#ifdef LOOM_HAS_CUDA
#include "compute/backend/cuda_backend.h"
#endif

namespace loom {
namespace {

std::unique_ptr<MandelbrotPartition> make_share(const Device& device, const RowPartition& share) {
#ifdef LOOM_HAS_CUDA
  if (device.kind == BackendKind::kCuda) return cuda::make_mandelbrot_engine(device.ordinal, share);
#endif
  static_cast<void>(device);
  cpu::make_pool();
  return std::make_unique<cpu::CpuMandelbrotEngine>(share);
}

}  // namespace

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
  return std::make_unique<DistributedMandelbrotEngine>(std::move(parts), together, nullptr);
}

std::unique_ptr<DistributedMandelbrotEngine> make_mandelbrot_engine(const Device& device,
                                                                    const ProcessGroup& ranks) {
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
  return std::make_unique<DistributedMandelbrotEngine>(std::move(parts), false, &ranks);
}

}  // namespace loom
