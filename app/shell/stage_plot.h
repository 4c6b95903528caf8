#pragma once

#include <imgui.h>

#include "app/shell/frame_times.h"
#include "app/shell/shell_settings.h"

namespace loom::app {

/// The colour of a stage in the plot and the table.
ImU32 colour_of(Stage stage);

/// The label of a stage in the table. With several panes, the label says whose step it is.
const char* label_of(Stage stage, const FrameTimes& times);

/// The end of the metrics: buttons to freeze and clear them, and the times of the program's own frames,
/// folded at first. `on_gpu`: a GPU computes.
void program_timing(const FrameTimes& times, bool on_gpu, ShellEdit& edit);

}  // namespace loom::app
