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

std::unique_ptr<MandelbrotPart> make_share(const BackendSelection& backend, const DwellShare& share) {
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
  std::vector<std::unique_ptr<MandelbrotPart>> parts;
  std::set<int> different;
  bool together = true;
  for (const BackendSelection& device : devices) {
    const auto part = static_cast<std::uint32_t>(parts.size());
    parts.push_back(make_share(device, {part, static_cast<std::uint32_t>(devices.size())}));
    // Partitions on one device, or on the CPU's threads, would only wait for each other.
    together = together && device.kind == BackendKind::kCuda && different.insert(device.device).second;
  }
  return std::make_unique<SplitMandelbrotEngine>(std::move(parts), together, nullptr);
}

std::unique_ptr<SplitMandelbrotEngine> make_mandelbrot_engine(const BackendSelection& device,
                                                              const Ranks& ranks) {
  std::vector<std::unique_ptr<MandelbrotPart>> parts;
  std::string complaint;
  try {
    parts.push_back(make_share(
        device, {static_cast<std::uint32_t>(ranks.rank()), static_cast<std::uint32_t>(ranks.count())}));
  } catch (const std::exception& error) {
    complaint = error.what();
  }
  complaint = ranks.first_complaint(complaint);
  if (!complaint.empty()) throw MachineError(complaint);
  return std::make_unique<SplitMandelbrotEngine>(std::move(parts), false, &ranks);
}

MandelbrotIdeas fastest_ideas(BackendKind backend) {
  MandelbrotIdeas ideas;
  ideas.periodicity = backend == BackendKind::kCpu;
  return ideas;
}

}  // namespace loom
