#include "compute/backend/map_backend.h"

#include <fmt/format.h>

#include "compute/core/error.h"
#ifdef LOOM_HAS_CUDA
#include "compute/cuda/map_code/gpu_map.h"
#endif

namespace loom {
namespace {

bool has_map_compiler() {
#ifdef LOOM_HAS_CUDA
  return cuda::has_map_compiler();
#else
  return false;
#endif
}

constexpr const char* kNoCompiler = "NVRTC of the CUDA Toolkit is not installed";

}  // namespace

std::string MapBackend::name() const {
  return device.on_host ? std::string("CPU (interpreter)") : fmt::format("{} (NVRTC)", device.name);
}

MapBackend map_backend_of(const BackendSelection& selection) {
  if (selection.device.on_host) return {selection.device, selection.reason};
  if (!has_map_compiler()) return {Device(), kNoCompiler};
  return {selection.device, selection.reason};
}

MapBackend select_map_backend(BackendChoice choice, int device) {
  MapBackend backend = map_backend_of(select_backend(choice, device));
  if (choice == BackendChoice::kCuda && backend.device.on_host)
    throw MachineError(fmt::format("--backend cuda: {}; allowed: --backend cpu", kNoCompiler));
  return backend;
}

MapResult run_map(const NbbFractal& fractal, const MapRequest& request, const ProgressMonitor* monitor) {
#ifdef LOOM_HAS_CUDA
  if (!request.device.on_host) return cuda::run_map_on_gpu(fractal, request, monitor);
#endif
  return run_map_on_cpu(fractal, request, monitor);
}

}  // namespace loom
