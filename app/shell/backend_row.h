#pragma once

#include <string_view>

#include "compute/device/device.h"

namespace loom::app {

/// The current state shown by the row of backends.
struct BackendRowInfo {
  const CudaStatus& cuda;
  const BackendSelection& backend;  ///< active backend
  std::string_view name;            ///< "cpu: 2 threads"
  const char* cpu;                  ///< tooltip of the CPU button
};

/// The row of controls that chooses where all workspaces compute.
void backend_row(BackendChoice& chosen, const BackendRowInfo& now);

}  // namespace loom::app
