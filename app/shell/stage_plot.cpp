#include "app/shell/stage_plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "compute/core/input_text.h"

namespace loom::app {
namespace {

constexpr double kSixtyHertz = 1000.0 / 60;

// Maximum of the scale: the 98th percentile of the frame times plus a margin, rounded up to a 1-2-5 step, so
// that a single slow frame does not flatten the plot.
double scale_of(const FrameTimes& times) {
  std::array<double, FrameTimes::kWindow> frames;
  std::size_t count = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (const auto& frame = times.sample(i)[Stage::kFrame]) frames[count++] = *frame;
  }
  if (count == 0) return 20;
  const auto high_frame = frames.begin() + static_cast<std::ptrdiff_t>((count - 1) * 98 / 100);
  std::nth_element(frames.begin(), high_frame, frames.begin() + static_cast<std::ptrdiff_t>(count));
  const double high = std::max(0.1, 1.15 * *high_frame);
  const double power = std::pow(10, std::floor(std::log10(high)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (high <= step * power) return step * power;
  }
  return 10 * power;
}

const char* meaning_of(Stage stage, bool on_gpu) {
  constexpr const char* kFrame =
      "Time from the start of a frame to the start of the next: the sum of the stages above";
  return value_for<Stage::kGpuResolve>(
      {on_gpu ? "Time of this frame for the workload or the dwells: computing them, or waiting for the "
                "GPU or the background thread that does. Live timing, with rendering between steps"
              : "Time of this frame for the workload or the dwells: computing them, or waiting for the "
                "background thread that does. Live timing, with rendering between steps on the same cores",
       "Sum over the other panes",
       "Gathers the visible cells into the image, or counts and smooths dwells, or waits for the image",
       "Moves the image into the OpenGL texture, by interop or by upload from host memory",
       "Submits the draw call that colours the texture with the palette",
       "Builds controls, metrics and overlays, and submits their draw calls",
       "Shows the frame: waits for the GPU, for the screen, and for events until the next frame",
       "Everything else: launch overhead and counting the population", kFrame, kFrame, kFrame, kFrame,
       "Workload of the active pane on the GPU, timed by CUDA events. It overlaps with UI and Present "
       "and is not part of the sum; the rest, for which the frame waits, is",
       "Sum over the other panes, which take turns",
       "Gathers the visible cells into the image on the GPU. Not part of the sum"},
      stage);
}

void muted(const char* text) {
  ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().muted);
  right_aligned(text);
  ImGui::PopStyleColor();
}

void stage_row(Stage stage, const FrameTimes& times, bool on_gpu) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const float side = theme::grid(2);
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const float y = at.y + (ImGui::GetTextLineHeight() - side) / 2;
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, y}, {at.x + side, y + side}, colour_of(stage), 2);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + side * 1.6f);
  ImGui::TextUnformatted(label_of(stage, times));
  tooltip(meaning_of(stage, on_gpu));
  const StageStats stats = times.stats(stage);
  ImGui::TableNextColumn();
  right_aligned(stats.samples > 0 ? format_time(times.mean(stage)) : "–");
  ImGui::TableNextColumn();
  right_aligned(stats.samples > 0 ? format_time(stats.p95) : "–");
}

}  // namespace

const char* label_of(Stage stage, const FrameTimes& times) {
  const bool panes = times.stats(Stage::kPanesStep).samples + times.stats(Stage::kGpuPanesStep).samples > 0;
  return value_for<Stage::kGpuResolve>(
      {panes ? "Active pane" : "Simulate", "Other panes", "Downsample", "Upload", "Render", "UI", "Present",
       "Other", "Frame time", "GPU render", "GPU UI", "GPU upload",
       panes ? "GPU active pane" : "GPU simulate", "GPU other panes", "GPU downsample"},
      stage);
}

ImU32 colour_of(Stage stage) {
  if (stage > Stage::kOther) return IM_COL32(150, 156, 168, 255);
  return value_for<Stage::kOther>(
      {IM_COL32(242, 183, 5, 255), IM_COL32(250, 222, 130, 255), IM_COL32(86, 180, 233, 255),
       IM_COL32(0, 170, 130, 255), IM_COL32(204, 121, 167, 255), IM_COL32(213, 94, 40, 255),
       IM_COL32(70, 78, 92, 255), IM_COL32(120, 105, 160, 255)},
      stage);
}

namespace {

/// The stages of the recorded frames: the mean, which sums to the mean frame time, and the 95th percentile.
void stage_table(const FrameTimes& times, bool on_gpu) {
  if (!ImGui::BeginTable("##stages", 3)) return;
  ImGui::TableSetupColumn("stage", ImGuiTableColumnFlags_WidthStretch, 1.9f);
  ImGui::TableSetupColumn("mean", ImGuiTableColumnFlags_WidthStretch, 1);
  ImGui::TableSetupColumn("p95", ImGuiTableColumnFlags_WidthStretch, 1);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().muted);
  ImGui::Text("Last %zu frames", times.size());
  ImGui::PopStyleColor();
  ImGui::TableNextColumn();
  muted("Mean");
  tooltip("Mean over these frames. A frame without a stage counts as 0, so the stages sum to the frame time");
  ImGui::TableNextColumn();
  muted("P95");
  tooltip("95th percentile over the frames that had the stage");
  for (const Stage stage : kFrameParts) {
    if (stage != Stage::kPanesStep || times.stats(stage).samples > 0) stage_row(stage, times, on_gpu);
  }
  stage_row(Stage::kFrame, times, on_gpu);
  for (const Stage stage : {Stage::kGpuStep, Stage::kGpuPanesStep, Stage::kGpuResolve}) {
    if (times.stats(stage).samples > 0) stage_row(stage, times, on_gpu);
  }
  ImGui::EndTable();
}

/// A scrolling plot of the recorded frames, newest at the right: stacked stages, the frame time as a line,
/// and a line at 16.7 ms (60 frames per second) if it is in range.
void stage_plot(const FrameTimes& times, glm::vec2 size) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const glm::vec2 low = ImGui::GetCursorScreenPos();
  const glm::vec2 high = low + size;
  const double scale = scale_of(times);
  const auto y_of = [&](double milliseconds) {
    return high.y - size.y * static_cast<float>(std::min(milliseconds / scale, 1.0));
  };
  list.AddRectFilled(low, high, ImGui::GetColorU32(ImGuiCol_FrameBg), 3);
  list.PushClipRect(low, high, true);
  const float column = size.x / static_cast<float>(FrameTimes::kWindow);
  float line_y = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const float x = high.x - column * static_cast<float>(times.size() - i);
    double sum = 0;
    for (const Stage stage : kFrameParts) {
      const auto& value = times.sample(i)[stage];
      if (!value) continue;
      list.AddRectFilled({x, y_of(sum + *value)}, {x + column, y_of(sum)}, colour_of(stage));
      sum += *value;
    }
    if (const auto& frame = times.sample(i)[Stage::kFrame]) {
      const float y = y_of(*frame);
      if (i > 0 && line_y > 0) {
        list.AddRectFilled({x, std::min(y, line_y)}, {x + column, std::max(y, line_y) + 1},
                           colour_of(Stage::kFrame));
      }
      line_y = y;
    }
  }
  if (kSixtyHertz < scale) {
    const float y = std::round(y_of(kSixtyHertz));
    list.AddRectFilled({low.x, y}, {high.x, y + 1}, theme::colours().grid);
  }
  const glm::vec2 pad{theme::grid(1), theme::grid(0.5f)};
  const Text top = format_text("{:g} ms", scale);
  const glm::vec2 at = low + pad;
  const glm::vec2 extent = ImGui::CalcTextSize(top.c_str());
  const glm::vec2 margin{pad.x / 2, 0};
  list.AddRectFilled(at - margin, at + extent + margin, theme::colours().text_background, 3);
  list.AddText(at, ImGui::ColorConvertFloat4ToU32(theme::colours().muted), top.c_str());
  list.PopClipRect();
  ImGui::Dummy(size);
}

}  // namespace

void program_timing(const FrameTimes& times, bool on_gpu, ShellEdit& edit) {
  ImGui::Separator();
  ImGui::Checkbox("Freeze metrics", &edit.settings.pause_timing);
  tooltip("Stops updating these metrics");
  ImGui::SameLine();
  if (ImGui::SmallButton("Clear statistics")) edit.commands.reset_times = true;
  tooltip("Clears the statistics. A change of method clears them too");
  const StageStats frame = times.stats(Stage::kFrame);
  const Text summary = frame.samples > 0 ? format_time(frame.median).append(" per frame") : Text();
  if (!folded_section("Program timing", summary)) return;
  stage_table(times, on_gpu);
  stage_plot(times, {ImGui::GetContentRegionAvail().x, ImGui::GetFontSize() * 3.5f});
}

}  // namespace loom::app
