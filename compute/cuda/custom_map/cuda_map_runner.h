#pragma once

#include <string>

#include "compute/custom_map/map_protocol.h"

namespace loom::cuda {

/// Whether NVRTC of the CUDA Toolkit is installed, without which maps do not run on a GPU.
bool has_map_compiler();

/// Compiles a map by NVRTC and runs it on the CUDA device of the request, and sends what happens. NVRTC reads
/// the code in a process of its own in the sandbox; this process only launches the result. Its time limit
/// bounds each launch. The caller must not have used CUDA, and exits next.
void run_with_nvrtc(const MapRunRequest& request, const std::string& code);

}  // namespace loom::cuda
