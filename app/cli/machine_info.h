#pragma once

#include <optional>
#include <string>

#include "compute/backend/engine_factory.h"
#include "render/context/graphics_context.h"

namespace loom::app {

/// What this machine offers the program, each part with a reason where it offers nothing.
struct MachineInfo {
  CudaStatus cuda;
  BackendSelection backend;  ///< what the asked-for backend comes to
  std::string cpu_device;    ///< the CPU engine's own words: "2 threads"
  std::optional<render::GlInfo> gl;
  std::string gl_reason;       ///< why there is no GL; empty where there is
  int gl_cuda_device = -1;     ///< CUDA ordinal of the GPU that GL draws on, -1 if none
  bool interop = false;        ///< CUDA-OpenGL interop for the chosen device
  std::string interop_reason;  ///< why there is none; empty where there is
};

/// Asks CUDA, the CPU engine and, through an off-screen context, OpenGL. Throws only where the asked-for
/// backend is not there.
MachineInfo inspect_machine(BackendChoice choice, int device);

}  // namespace loom::app
