#pragma once

#include <string>

#include "compute/device/device.h"
#include "compute/map_code/run.h"

namespace loom {

/// Where custom maps run, and why.
struct MapBackend {
  Device device;
  std::string reason;  ///< "selected", "auto: NVRTC is not installed"
  /// "CPU (interpreter)" or "NVIDIA H200 (NVRTC)".
  std::string name() const;
};
/// The GPU for kAuto where there is one and NVRTC is installed, else the CPU. Throws MachineError if kCuda is
/// not possible, InputError as select_backend().
MapBackend select_map_backend(BackendChoice choice, int device = 0);
/// The selected device if maps run on it, else the CPU.
MapBackend map_backend_of(const BackendSelection& selection);

/// Checks and runs a map on the device of the request, in this process. Blocks until it ends, up to the time
/// limit; `monitor` may cancel it (OperationCancelled) and be null. Throws InputError for a level that is too
/// large, MachineError for a GPU that fails.
MapResult run_map(const NbbFractal& fractal, const MapRequest& request,
                  const ProgressMonitor* monitor = nullptr);

}  // namespace loom
