#pragma once

#include <imgui.h>

#include "app/shell/frame_times.h"

namespace loom::app {

/// The colour of a stage in the plot and the table.
ImU32 colour_of(Stage stage);

/// What the table calls a stage: where there are several panes, whose step it is.
const char* label_of(Stage stage, const FrameTimes& times);

/// A table of the stages of the frames in the window: the mean, which sums to that of the whole frame, and
/// the 95th percentile. `cuda`: a GPU computes.
void stage_table(const FrameTimes& times, bool cuda);

/// A scrolling plot of the frames in the window, newest at the right: the stages stacked, the whole frame as
/// a line, and a line at 16.7 ms (60 frames a second) where it is in range.
void stage_plot(const FrameTimes& times, ImVec2 size);

}  // namespace loom::app
