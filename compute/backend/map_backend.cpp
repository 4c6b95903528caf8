#include "compute/backend/map_backend.h"

#include <fmt/format.h>

#include "compute/core/error.h"
#include "compute/core/stopwatch.h"
#include "compute/cuda/map_code/gpu_map.h"

namespace loom {
namespace {

constexpr const char* kNoCompiler = "NVRTC of the CUDA Toolkit is not installed";

}  // namespace

std::string MapBackend::name() const {
  return device.on_host ? std::string("CPU (interpreter)") : fmt::format("{} (NVRTC)", device.name);
}

MapBackend map_backend_of(const BackendSelection& selection) {
  if (selection.device.on_host) return {selection.device, selection.reason};
  if (!cuda::has_map_compiler()) return {Device(), kNoCompiler};
  return {selection.device, selection.reason};
}

MapBackend select_map_backend(BackendChoice choice, int device) {
  MapBackend backend = map_backend_of(select_backend(choice, device));
  if (choice == BackendChoice::kCuda && backend.device.on_host)
    throw MachineError(fmt::format("--backend cuda: {}; allowed: --backend cpu", kNoCompiler));
  return backend;
}

MapResult run_map(const NbbFractal& fractal, const MapRequest& request, const ProgressMonitor* monitor) {
  MapResult result;
  const Stopwatch stopwatch;
  const MapProgram program = parse_map_code(request.code);
  result.compile_milliseconds = stopwatch.milliseconds();
  result.problems = program.problems;
  if (!result.problems.empty()) return result;
  check_map_request(fractal, request);
  if (!request.device.on_host) {
    cuda::run_map_on_gpu(fractal, request, program, monitor, result);
    return result;
  }
  run_map_on_cpu(fractal, request, program, monitor, result);
  return result;
}

}  // namespace loom
