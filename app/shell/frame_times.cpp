#include "app/shell/frame_times.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/bench/sampler.h"
#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "compute/core/input_text.h"

namespace loom::app {

std::string_view name_of(Stage stage) {
  return value_for<Stage::kGpuResolve>(
      {"step", "other panes", "resolve", "transfer", "draw", "panels", "present", "other", "frame",
       "gpu picture", "gpu panels", "gpu transfer", "gpu step", "gpu other panes", "gpu resolve"},
      stage);
}

void FrameClock::add(Stage stage, double milliseconds) {
  sample_[stage] = sample_[stage].value_or(0) + milliseconds;
}

std::optional<FrameSample> FrameClock::begin(Clock::time_point now) {
  std::optional<FrameSample> ended;
  if (running_) {
    lap(Stage::kPresent, now);
    const double whole = std::chrono::duration<double, std::milli>(now - begin_).count();
    double sum = 0;
    for (const Stage stage : kFrameParts) sum += sample_[stage].value_or(0);
    add(Stage::kOther, std::max(0.0, whole - sum));
    sample_[Stage::kFrame] = whole;
    if (valid_) ended = sample_;
  }
  sample_ = {};
  parts_ = {};
  running_ = valid_ = true;
  begin_ = last_ = now;
  return ended;
}

void FrameClock::lap(Stage stage, Clock::time_point now) {
  double left = std::chrono::duration<double, std::milli>(now - last_).count();
  for (const Stage measured : kFrameParts) {
    const double part = std::min(left, parts_[measured].value_or(0));
    if (parts_[measured]) add(measured, part);
    left -= part;
  }
  add(stage, left);
  parts_ = {};
  last_ = now;
}

void FrameClock::wait(Stage stage, double milliseconds, double image) {
  image = std::min(image, milliseconds);
  if (image > 0) part(Stage::kResolve, image);
  if (milliseconds > image) part(stage, milliseconds - image);
}

void FrameTimes::add(const FrameSample& sample) {
  if (paused_) return;
  samples_[next_] = sample;
  next_ = (next_ + 1) % kWindow;
  size_ = std::min(size_ + 1, kWindow);
}

void FrameTimes::reset() {
  next_ = 0;
  size_ = 0;
}

const FrameSample& FrameTimes::sample(std::size_t index) const {
  return samples_[(next_ + kWindow - size_ + index) % kWindow];
}

StageStats FrameTimes::stats(Stage stage) const {
  std::array<double, kWindow> milliseconds;
  std::size_t count = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    if (const auto& value = sample(i)[stage]) milliseconds[count++] = *value;
  }
  return stats_in_place(std::span(milliseconds).first(count));
}

double FrameTimes::mean(Stage stage) const {
  double sum = 0;
  for (std::size_t i = 0; i < size_; ++i) sum += sample(i)[stage].value_or(0);
  return size_ > 0 ? sum / static_cast<double>(size_) : 0;
}

StageStats stats_in_place(std::span<double> milliseconds) {
  if (milliseconds.empty()) return {};
  const bench::Summary summary = bench::summarise_in_place(milliseconds);
  return {summary.mean, summary.median, summary.p95, summary.samples};
}

StageStats StepTimes::stats() const {
  std::array<double, std::tuple_size_v<decltype(times_)>> copy = times_;
  return stats_in_place(std::span(copy).first(std::min(count_, copy.size())));
}

void FrameRate::skip() {
  begin_ = {};
  frames_ = 0;
}

void FrameRate::count(Clock::time_point now) {
  if (begin_ == Clock::time_point{}) {
    begin_ = now;
    return;
  }
  ++frames_;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  if (seconds < 0.5 && settled_) return;
  frames_per_second_ = frames_ / seconds;
  if (seconds < 0.5) return;  // provisional value during the first half second
  settled_ = true;
  frames_ = 0;
  begin_ = now;
}

namespace {

// With vertical sync, a frame may arrive slightly before its period has elapsed on this clock. A frame at or
// above this fraction of the period counts as on time, so that no second period is waited.
constexpr double kOnTime = 0.8;

// Wait while idle. Anything that changes without an event, such as a text cursor, is up to this much late.
constexpr double kIdleSeconds = 0.1;

double refresh_rate() {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
  return mode != nullptr && mode->refreshRate >= 20 ? mode->refreshRate : 60;
}

}  // namespace

FramePacer::FramePacer() : period_(1 / refresh_rate()), last_(Clock::now()) {}

void FramePacer::wait_events(bool is_idle) {
  if (is_idle) {
    glfwWaitEventsTimeout(kIdleSeconds);
    last_ = Clock::now();
    return;
  }
  const Clock::time_point due = last_ + std::chrono::duration_cast<Clock::duration>(period_);
  glfwPollEvents();
  auto now = Clock::now();
  if (now - last_ < kOnTime * period_) {
    // An event ends the wait early, but the next frame still starts when the period has elapsed.
    while ((now = Clock::now()) < due)
      glfwWaitEventsTimeout(std::chrono::duration<double>(due - now).count());
  }
  last_ = now;
}

nlohmann::ordered_json timing_json(const FrameTimes& times) {
  auto json = nlohmann::ordered_json::object();
  for (const Stage stage : kStages) {
    const StageStats stats = times.stats(stage);
    auto& entry = json["stages"][std::string(name_of(stage))];
    entry = {{"median", nullptr}, {"p95", nullptr}, {"mean", nullptr}};
    if (stats.samples > 0) {
      entry = {{"median", stats.median}, {"p95", stats.p95}, {"mean", times.mean(stage)}};
    }
  }
  json["window_frames"] = times.size();
  const StageStats frame = times.stats(Stage::kFrame);
  json["fps"] = nullptr;
  if (frame.samples > 0) json["fps"] = 1000 / frame.mean;
  return json;
}

std::string timing_table(const FrameTimes& times) {
  std::string text = fmt::format("{:<18}{:>12}{:>12}\n", "stage", "median ms", "p95 ms");
  for (const Stage stage : kStages) {
    const StageStats stats = times.stats(stage);
    const char* const name = label_of(stage, times);
    text += stats.samples > 0 ? fmt::format("{:<18}{:>12.3f}{:>12.3f}\n", name, stats.median, stats.p95)
                              : fmt::format("{:<18}{:>12}{:>12}\n", name, "-", "-");
  }
  const StageStats frame = times.stats(Stage::kFrame);
  if (frame.samples > 0) {
    text +=
        fmt::format("{:.1f} frames per second over the last {} frames\n", 1000 / frame.mean, frame.samples);
  }
  return text;
}

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
