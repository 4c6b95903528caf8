#pragma once

#include <string_view>

#include "compute/backend/engine_factory.h"

namespace loom::app {

/// What the row of backends tells of now.
struct BackendNow {
  const CudaStatus& cuda;
  const BackendSelection& backend;  ///< that runs
  std::string_view name;            ///< "cpu: 2 threads"
  const char* cpu;                  ///< what the CPU does, in a sentence
};

/// The row of controls that chooses where all workspaces compute.
void backend_row(BackendChoice& chosen, const BackendNow& now);

}  // namespace loom::app
