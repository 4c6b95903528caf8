#pragma once

#include <optional>
#include <string>

#include "app/gui/layout.h"
#include "app/shell/workspace.h"
#include "app/text/text.h"

namespace loom::app {

/// The active backend: "CUDA: NVIDIA H200", "CPU: no NVIDIA GPU", "CPU: selected".
Text words_of(const BackendSelection& backend, const CudaStatus& cuda);

/// The status line: backend and display path with details in tooltips, background work with a Cancel button,
/// frames per second (nothing when idle), and links to lessons and keys.
void status_line(const Area& area, ShellEdit& edit, const WorkspaceStatus& status, const CudaStatus& cuda,
                 std::optional<double> frames_per_second);

}  // namespace loom::app
