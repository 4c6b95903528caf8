#pragma once

#include <optional>
#include <string>

#include "compute/device/device.h"
#include "render/context/graphics_context.h"

namespace loom::app {

/// The capabilities of this machine, each with a reason if it is missing.
struct MachineInfo {
  CudaStatus cuda;
  BackendSelection backend;  ///< the backend that the request selects
  std::string cpu_device;    ///< as named by the CPU engine: "2 threads"
  std::optional<render::GlInfo> gl;
  std::string gl_reason;       ///< why there is no OpenGL; empty if there is
  int gl_cuda_device = -1;     ///< CUDA ordinal of the GPU that GL draws on, -1 if none
  bool interop = false;        ///< CUDA-OpenGL interop for the chosen device
  std::string interop_reason;  ///< why there is none; empty if there is
};

/// Queries CUDA, the CPU engine and, with an off-screen context, OpenGL. Throws only if the requested backend
/// is not available.
MachineInfo inspect_machine(BackendChoice choice, int device);

}  // namespace loom::app
