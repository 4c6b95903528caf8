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

std::unique_ptr<MandelbrotPartition> make_share(const BackendSelection& backend, const RowPartition& share) {
#ifdef LOOM_HAS_CUDA
  if (backend.kind == BackendKind::kCuda) return cuda::make_mandelbrot_engine(backend.device, share);
#endif
  static_cast<void>(backend);
  cpu::make_pool();
  return std::make_unique<cpu::CpuMandelbrotEngine>(share);
}

}  // namespace

std::unique_ptr<MandelbrotEngine> make_mandelbrot_engine(const BackendSelection& backend) {
  if (backend.devices() == 1) return make_share(backend, {});
  std::vector<BackendSelection> devices{first_device(backend)};
  for (const int other : backend.others) {
    // Further partitions of the CPU have numbers of their own, but use the same device.
    devices.push_back({backend.kind, backend.kind == BackendKind::kCpu ? backend.device : other, {}});
  }
  return make_mandelbrot_engine(devices);
}

std::unique_ptr<MandelbrotEngine> make_mandelbrot_engine(std::span<const BackendSelection> devices) {
  std::vector<std::unique_ptr<MandelbrotPartition>> parts;
  std::set<int> different;
  bool together = true;
  for (const BackendSelection& device : devices) {
    const auto part = static_cast<std::uint32_t>(parts.size());
    parts.push_back(make_share(device, {part, static_cast<std::uint32_t>(devices.size())}));
    // Partitions on one device, or on the CPU's threads, would only wait for each other.
    together = together && device.kind == BackendKind::kCuda && different.insert(device.device).second;
  }
  return std::make_unique<DistributedMandelbrotEngine>(std::move(parts), together, nullptr);
}

std::unique_ptr<DistributedMandelbrotEngine> make_mandelbrot_engine(const BackendSelection& device,
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

MandelbrotOptimisations fastest_optimisations(BackendKind backend) {
  MandelbrotOptimisations optimisations;
  optimisations.periodicity = backend == BackendKind::kCpu;
  return optimisations;
}

}  // namespace loom
