#pragma once

#include <imgui.h>

#include <glm/vec2.hpp>

#include "app/shell/frame_times.h"

namespace loom::app {

/// The colour of a stage in the plot and the table.
ImU32 colour_of(Stage stage);

/// The label of a stage in the table. With several panes, the label says whose step it is.
const char* label_of(Stage stage, const FrameTimes& times);

/// A table of the stages of the recorded frames: the mean, which sums to the mean frame time, and the 95th
/// percentile. `on_gpu`: a GPU computes.
void stage_table(const FrameTimes& times, bool on_gpu);

/// A scrolling plot of the recorded frames, newest at the right: stacked stages, the frame time as a line,
/// and a line at 16.7 ms (60 frames per second) if it is in range.
void stage_plot(const FrameTimes& times, glm::vec2 size);

}  // namespace loom::app
