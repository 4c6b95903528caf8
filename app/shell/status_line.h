#pragma once

#include <optional>
#include <string>

#include "app/gui/layout.h"
#include "app/shell/workspace.h"
#include "app/text/text.h"

namespace loom::app {

/// What computes, in a few words: "CUDA: NVIDIA H200", "CPU: no NVIDIA GPU", "CPU: as asked".
Text words_of(const BackendSelection& backend, const CudaStatus& cuda);

/// The line at the bottom: what computes and how the picture reaches the screen, in words whose reasons show
/// on hover; work that goes on beside the frames, with a way to end it; frames a second, or nothing at rest,
/// and a way to the list of keys.
void status_line(const Area& area, ShellEdit& edit, const WorkspaceStatus& status, const CudaStatus& cuda,
                 std::optional<double> frames_per_second);

}  // namespace loom::app
