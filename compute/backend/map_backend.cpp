#include "compute/backend/map_backend.h"

#include <fmt/format.h>
#include <unistd.h>

#include <new>

#include "compute/core/error.h"
#include "compute/custom_map/map_code.h"
#include "compute/custom_map/map_messages.h"
#include "compute/custom_map/map_runner.h"
#include "compute/custom_map/map_sandbox.h"
#ifdef LOOM_HAS_CUDA
#include "compute/cuda/custom_map/cuda_map_runner.h"
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
  return device.on_host ? std::string("CPU (libtcc, one thread)") : fmt::format("{} (NVRTC)", device.name);
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

int serve_map_run() {
  MapRunRequest request{};
  if (!read_all(STDIN_FILENO, &request, sizeof(request)) || request.code_bytes > kMaxMapCode) return 1;
  std::string code(request.code_bytes, '\0');
  if (!read_all(STDIN_FILENO, code.data(), code.size())) return 1;
#ifdef LOOM_HAS_CUDA
  if (request.device >= 0) {
    cuda::run_with_nvrtc(request, code);
    _exit(0);
  }
#endif
  const char filtered = enter_sandbox(request.milliseconds, RefusedCall::kEnds) ? 1 : 0;
  send(MapMessage::kSandbox, &filtered, 1);
  try {
    run_with_libtcc(request, code);
  } catch (const std::bad_alloc&) {
    send_problem(0, 0, "out of memory");
  }
  _exit(0);  // without handlers of exit(), which may need what is no longer allowed
}

}  // namespace loom
