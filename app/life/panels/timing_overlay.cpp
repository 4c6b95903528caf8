#include "app/life/panels/timing_overlay.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/gui/theme.h"
#include "app/life/panels/thread_map_panel.h"
#include "app/shell/stage_plot.h"
#include "app/widgets/choice.h"
#include "app/widgets/format.h"
#include "app/widgets/text.h"
#include "compute/backend/emulation.h"

namespace loom::app {
namespace {

// In font sizes.
constexpr float kFullWidth = 23;
constexpr float kBriefWidth = 14;
constexpr Area kRoomForAll{0, 0, 40, 30};

const char* meaning_of(Stage stage, const Report& report) {
  const bool cuda = report.backend.kind == BackendKind::kCuda;
  switch (stage) {
    case Stage::kStep:
      return cuda ? "Generations of this frame, by CUDA events"
                  : "Generations of this frame, by the CPU's clock";
    case Stage::kResolve:
      return cuda ? "Gathering the visible cells into the picture, by CUDA events"
                  : "Gathering the visible cells into the picture, by the CPU's clock";
    case Stage::kTransfer:
      return "The picture into the OpenGL texture: map, copy and unmap through interop (CUDA events), or the "
             "upload "
             "from host memory (CPU clock)";
    case Stage::kDraw:
      return "Drawing the texture through the palette, by an OpenGL timer query";
    case Stage::kPanels:
      return "Building the panels (CPU clock) and drawing them (OpenGL timer query)";
    case Stage::kFrame:
      return "From the start of a frame to the start of the next, with what no stage covers: waiting for the "
             "screen, "
             "events, counting the population";
  }
  return "";
}

void muted_header(const char* text) {
  ImGui::PushStyleColor(ImGuiCol_Text, theme::kMuted);
  right_aligned(text);
  ImGui::PopStyleColor();
}

void stage_row(Stage stage, const Report& report) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const float side = ImGui::GetFontSize() * 0.6f;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float y = at.y + (ImGui::GetTextLineHeight() - side) / 2;
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, y}, {at.x + side, y + side}, colour_of(stage), 2);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + side * 1.6f);
  ImGui::TextUnformatted(stage == Stage::kFrame ? "whole frame" : name_of(stage).data());
  tooltip(meaning_of(stage, report));
  const StageFigures figures = report.times.figures(stage);
  ImGui::TableNextColumn();
  right_aligned(figures.samples > 0 ? format_ms(figures.median) : "–");
  ImGui::TableNextColumn();
  right_aligned(figures.samples > 0 ? format_ms(figures.p95) : "–");
}

void stages_table(const Report& report) {
  if (!ImGui::BeginTable("##stages", 3)) return;
  ImGui::TableSetupColumn("stage", ImGuiTableColumnFlags_WidthStretch, 1.4f);
  ImGui::TableSetupColumn("median", ImGuiTableColumnFlags_WidthStretch, 1);
  ImGui::TableSetupColumn("p95", ImGuiTableColumnFlags_WidthStretch, 1);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, theme::kMuted);
  ImGui::Text("last %zu frames", report.times.size());
  ImGui::PopStyleColor();
  ImGui::TableNextColumn();
  muted_header("median ms");
  ImGui::TableNextColumn();
  muted_header("p95 ms");
  for (const Stage stage : kStages) stage_row(stage, report);
  ImGui::EndTable();
}

void count_row(const char* name, const std::string& value) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(name);
  ImGui::TableNextColumn();
  right_aligned(value);
}

std::string efficiency(const Report& report) {
  if (!report.threads) return "not counted yet";
  return format_percent(static_cast<double>(report.threads->threads_active) /
                        static_cast<double>(report.threads->threads_launched));
}

// Counted by the engine, thread by thread, not derived from formulas.
void counts_table(const Report& report) {
  if (!ImGui::BeginTable("##counts", 2)) return;
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch, 1.2f);
  ImGui::TableSetupColumn("count", ImGuiTableColumnFlags_WidthStretch, 1);
  const auto counted = [&](std::uint64_t ThreadCount::*figure) {
    return report.threads ? format_count((*report.threads).*figure) : std::string("not counted yet");
  };
  count_row("blocks launched", counted(&ThreadCount::blocks_launched));
  if (report.threads && report.threads->thread_blocks != 0) {
    tooltip(fmt::format("In {} thread blocks, several tiles in each", counted(&ThreadCount::thread_blocks)));
  }
  count_row("threads launched", counted(&ThreadCount::threads_launched));
  count_row("threads that had a cell", counted(&ThreadCount::threads_active));
  count_row("efficiency", efficiency(report));
  count_row("bytes held", format_bytes(report.bytes_held));
  ImGui::EndTable();
}

void map_row(MapKind map, const Report& report) {
  static constexpr std::array kKeys = {"1", "2", "3"};
  const auto time = report.map_times.find(report.config, report.work, report.backend_name, map);
  const auto box =
      report.map_times.find(report.config, report.work, report.backend_name, MapKind::kBoundingBox);
  const bool current = report.config.method.map == map;
  ImGui::TableNextRow();
  if (current) ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, ImGui::GetColorU32(ImGuiCol_FrameBgHovered));
  ImGui::TableNextColumn();
  std::string label = label_of(map);
  if (map == MapKind::kCompact && time) label += time->config.method.halo ? ", halo" : ", no halo";
  ImGui::TextUnformatted(label.c_str());
  if (map != MapKind::kBoundingBox && time) {
    tooltip(fmt::format("Measured with arithmetic {}, in blocks {}", name_of(time->config.method.arithmetic),
                        name_of(time->config.method.intra_block)));
  }
  ImGui::TableNextColumn();
  if (!time) {
    ImGui::PushStyleColor(ImGuiCol_Text, theme::kMuted);
    right_aligned(current ? "not stepped" : "not measured");
    ImGui::TableNextColumn();
    right_aligned(current ? "" : fmt::format("press {}", kKeys[static_cast<std::size_t>(map)]));
    ImGui::PopStyleColor();
    return;
  }
  right_aligned(format_ms(time->milliseconds));
  ImGui::TableNextColumn();
  if (box && time->milliseconds > 0) {
    right_aligned(format_ratio(box->milliseconds / time->milliseconds));
  } else {
    muted_header("press 1");
  }
}

const char* name_of_one(Workload workload) {
  switch (workload) {
    case Workload::kSingleWrite:
      return "one write";
    case Workload::kReduction:
      return "one sum";
    case Workload::kLife:
      return "one generation";
  }
  return "";
}

void maps_table(const Report& report) {
  if (!ImGui::BeginTable("##maps", 3)) return;
  ImGui::TableSetupColumn("map", ImGuiTableColumnFlags_WidthStretch, 1.4f);
  ImGui::TableSetupColumn("step", ImGuiTableColumnFlags_WidthStretch, 1.15f);
  ImGui::TableSetupColumn("ratio", ImGuiTableColumnFlags_WidthStretch, 0.85f);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, theme::kMuted);
  ImGui::TextUnformatted(name_of_one(report.work.workload));
  ImGui::PopStyleColor();
  ImGui::TableNextColumn();
  muted_header("step ms");
  ImGui::TableNextColumn();
  muted_header("speed");
  for (const MapKind map : kMapKinds) map_row(map, report);
  ImGui::EndTable();
  tooltip(
      "The last measured time of each map at this fractal, level, block size, workload and backend (median), "
      "and how many times faster than the bounding box it is. A map that was not measured yet is measured "
      "when you press its key.");
}

// What computes lambda and nu, and what it costs beyond loop at the same settings.
void arithmetic_row(Edit& edit, const Report& report) {
  const FractalConfig& config = report.config;
  const bool has_arithmetic = config.method.map != MapKind::kBoundingBox;
  const bool emulated =
      is_arithmetic_emulated(report.backend.kind, config.method.map, config.method.arithmetic);
  const auto now = report.map_times.find_method(config, report.work, report.backend_name);
  const auto loop = report.map_times.find_method(with_loop(config), report.work, report.backend_name);
  if (!ImGui::BeginTable("##arithmetic", 2)) return;
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch, 0.8f);
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, 1.4f);
  count_row("λ and ν by", !has_arithmetic ? "none: the identity"
                                          : std::string(name_of(config.method.arithmetic)) +
                                                (emulated ? ", emulated" : ""));
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted("against loop");
  tooltip(
      "What one generation takes more (+) or less (−) than with loop arithmetic at otherwise the same "
      "settings. Both as last measured here: with the scene, or with the button.");
  ImGui::TableNextColumn();
  if (!has_arithmetic) {
    muted_header("nothing computed");
  } else if (config.method.arithmetic == MapArithmetic::kLoop) {
    muted_header("this is loop");
  } else if (!now) {
    muted_header("not stepped");
  } else if (!loop) {
    if (ImGui::SmallButton("Measure loop")) edit.commands.measure_loop = true;
    tooltip(
        "Not measured yet. Times loop on a second engine for about a quarter of a second, while the picture "
        "stands still; the cells stay as they are.");
  } else {
    const double extra = now->milliseconds - loop->milliseconds;
    const char* const sign = extra < 0 ? "−" : "+";
    right_aligned(fmt::format("{}{} ms ({}{})", sign, format_ms(std::abs(extra)), sign,
                              format_percent(std::abs(extra) / std::max(loop->milliseconds, 1e-9))));
  }
  ImGui::EndTable();
}

void collecting_row(TimingOverlayState& state, Edit& edit, const Report& report) {
  ImGui::Checkbox("Pause", &edit.settings.view.pause_timing);
  tooltip("Keep these figures as they are");
  ImGui::SameLine();
  if (ImGui::SmallButton("Reset")) edit.commands.reset_times = true;
  tooltip("Forget the frames so far; a change of method does that too");
  ImGui::SameLine();
  if (ImGui::SmallButton("Less")) state.full = false;
  tooltip("The most important figures only");
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Text, theme::kMuted);
  right_aligned(fmt::format("{:.0f} frames/s", report.frames_per_second));
  ImGui::PopStyleColor();
}

void all_figures(TimingOverlayState& state, Edit& edit, const Report& report) {
  stages_table(report);
  stage_plot(report.times, {ImGui::GetContentRegionAvail().x, ImGui::GetFontSize() * 3.5f});
  collecting_row(state, edit, report);
  ImGui::Separator();
  counts_table(report);
  arithmetic_row(edit, report);
  ImGui::Separator();
  maps_table(report);
}

void main_figures(TimingOverlayState& state, const Report& report) {
  const auto median = [&](Stage stage) {
    const StageFigures figures = report.times.figures(stage);
    return figures.samples > 0 ? format_ms(figures.median) + " ms" : std::string("–");
  };
  if (ImGui::BeginTable("##main", 2)) {
    ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch, 1);
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, 1);
    count_row("step", median(Stage::kStep));
    count_row("whole frame", median(Stage::kFrame));
    count_row("efficiency", efficiency(report));
    ImGui::EndTable();
  }
  if (ImGui::SmallButton("All figures")) state.full = true;
}

// The user may drag it past the picture's edge, and the picture may shrink under it.
void keep_inside(TimingOverlayState& state, const Area& picture) {
  const ImVec2 at = ImGui::GetWindowPos();
  const ImVec2 size = ImGui::GetWindowSize();
  const ImVec2 kept{std::clamp(at.x, picture.x, std::max(picture.x, picture.x + picture.width - size.x)),
                    std::clamp(at.y, picture.y, std::max(picture.y, picture.y + picture.height - size.y))};
  const bool settled = state.picture == picture && state.width == size.x && state.height == size.y;
  if (settled && state.anchored) {
    state.right = picture.x + picture.width - kept.x - size.x;
    state.top = kept.y - picture.y;
  }
  state.anchored = settled;
  state.picture = picture;
  state.width = size.x;
  state.height = size.y;
  if (settled && (kept.x != at.x || kept.y != at.y)) ImGui::SetWindowPos(kept);
}

}  // namespace

void timing_overlay(TimingOverlayState& state, const Area& picture, Edit& edit, const Report& report) {
  ViewSettings& view = edit.settings.view;
  if (!view.show_timing || picture.empty()) return;
  const float font = ImGui::GetFontSize();
  const float margin = font * 0.6f;
  const bool room = picture.width >= kRoomForAll.width * font && picture.height >= kRoomForAll.height * font;
  const bool full = state.full.value_or(room);
  const float width = std::min((full ? kFullWidth : kBriefWidth) * font, picture.width - 2 * margin);
  if (width < font * 8) return;  // a picture too small to hold it
  if (state.right < 0) state.right = state.top = margin;
  if (!state.anchored || state.picture != picture) {
    ImGui::SetNextWindowPos({picture.x + picture.width - state.right, picture.y + state.top},
                            ImGuiCond_Always, {1, 0});
  }
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, picture.height - margin});
  ImGui::SetNextWindowBgAlpha(0.92f);
  const bool shown = ImGui::Begin("Timing", &view.show_timing,
                                  ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse |
                                      ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  if (shown && full) all_figures(state, edit, report);
  if (shown && !full) main_figures(state, report);
  keep_inside(state, picture);
  ImGui::End();
}

}  // namespace loom::app
