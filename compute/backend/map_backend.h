#pragma once

#include <string>

#include "compute/device/device.h"

namespace loom {

/// Where custom maps run, and why.
struct MapBackend {
  Device device;
  std::string reason;  ///< "selected", "auto: NVRTC is not installed"
  /// "CPU (libtcc, one thread)" or "NVIDIA H200 (NVRTC)".
  std::string name() const;
};
/// The GPU for kAuto where there is one and NVRTC is installed, else the CPU. Throws MachineError if kCuda is
/// not possible, InputError as select_backend().
MapBackend select_map_backend(BackendChoice choice, int device = 0);
/// The selected device if maps run on it, else the CPU.
MapBackend map_backend_of(const BackendSelection& selection);

/// The process that run_map() starts: reads a request from standard input, drops its privileges, compiles,
/// runs, and writes the result to standard output. Returns an exit status.
int serve_map_run();

}  // namespace loom
