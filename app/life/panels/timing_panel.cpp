#include "app/life/panels/timing_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/gui/theme.h"
#include "app/life/scene/setting_steps.h"
#include "app/shell/stage_plot.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/rows.h"
#include "app/widgets/text.h"
#include "compute/backend/emulation.h"

namespace loom::app {
namespace {

Text efficiency(const LifeFacts& report) {
  if (!report.threads) return "not counted yet";
  return format_percent(static_cast<double>(report.threads->threads_active) /
                        static_cast<double>(report.threads->threads_launched));
}

// Counted by the engine, thread by thread, not derived from formulas.
void counts_table(const LifeFacts& report) {
  if (!begin_rows("##counts", 0.83f)) return;
  const auto counted = [&](std::uint64_t ThreadCount::*figure) {
    return report.threads ? format_count((*report.threads).*figure) : "not counted yet";
  };
  row("blocks launched", counted(&ThreadCount::blocks_launched));
  if (report.threads && report.threads->thread_blocks != 0) {
    tooltip(format_text("In {} thread blocks, several tiles in each", counted(&ThreadCount::thread_blocks)));
  }
  row("threads launched", counted(&ThreadCount::threads_launched));
  row("threads that had a cell", counted(&ThreadCount::threads_active));
  row("efficiency", efficiency(report));
  row("bytes held", format_bytes(report.bytes_held));
  ImGui::EndTable();
}

void map_row(MapKind map, const LifeFacts& report) {
  static constexpr std::array kKeys = {"1", "2", "3"};
  const MapComparison& comparison = report.comparison;
  const auto& time = comparison.maps[static_cast<std::size_t>(map)];
  const auto& box = comparison.maps[static_cast<std::size_t>(MapKind::kBoundingBox)];
  const bool current = report.config.method.map == map;
  ImGui::TableNextRow();
  if (current) ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, ImGui::GetColorU32(ImGuiCol_FrameBgHovered));
  ImGui::TableNextColumn();
  Text label = label_of(map);
  if (map == MapKind::kCompact && time) label.append(time->method.halo ? ", halo" : ", no halo");
  ImGui::TextUnformatted(label.c_str());
  if (map != MapKind::kBoundingBox && time) {
    tooltip(format_text("Measured with arithmetic {}, in blocks {}", name_of(time->method.arithmetic),
                        name_of(time->method.intra_block)));
  }
  ImGui::TableNextColumn();
  if (!time) {
    ImGui::PushStyleColor(ImGuiCol_Text, theme::kMuted);
    if (map == MapKind::kLambda && report.config.method.storage == CellStorage::kBits) {
      right_aligned("none in bits");
      ImGui::TableNextColumn();
      ImGui::PopStyleColor();
      return;
    }
    right_aligned(current ? "no step yet" : "not measured");
    ImGui::TableNextColumn();
    right_aligned(current ? Text() : format_text("press {}", kKeys[static_cast<std::size_t>(map)]));
    ImGui::PopStyleColor();
    return;
  }
  right_aligned(format_ms(time->milliseconds));
  ImGui::TableNextColumn();
  if (box && time->milliseconds > 0) {
    right_aligned(format_ratio(box->milliseconds / time->milliseconds));
  } else {
    muted_value("press K");
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

void maps_table(LifeEdit& edit, const LifeFacts& report) {
  if (!ImGui::BeginTable("##maps", 3)) return;
  ImGui::TableSetupColumn("map", ImGuiTableColumnFlags_WidthStretch, 1.4f);
  ImGui::TableSetupColumn("step", ImGuiTableColumnFlags_WidthStretch, 1.15f);
  ImGui::TableSetupColumn("ratio", ImGuiTableColumnFlags_WidthStretch, 0.85f);
  muted_titles({name_of_one(report.work.workload), "step ms", "speed"});
  for (const MapKind map : kMapKinds) map_row(map, report);
  ImGui::EndTable();
  tooltip(
      "Median times at this fractal, level, block size, workload, generations a frame and backend, and how "
      "many times "
      "as fast as the bounding box each map is. Only times that were taken in the same way stand side by "
      "side.");
  if (!report.comparison.together) {
    note("Live timing, with rendering between the steps.");
  } else if (report.generation.samples > 0) {
    note(
        format_text("Benchmarked back to back with rendering paused. Live, with rendering between the steps: "
                    "{} ms.",
                    format_ms(report.generation.median)));
  } else {
    note("Benchmarked back to back with rendering paused.");
  }
  if (!report.measuring.what.empty()) {
    ImGui::ProgressBar(static_cast<float>(report.measuring.share), {-1, ImGui::GetTextLineHeight()}, "");
  } else if (ImGui::SmallButton("Benchmark all (K)")) {
    measure_maps(edit);
  }
  // The key leads here, wherever the figures were scrolled to.
  if (edit.commands.measure_maps) ImGui::SetScrollHereY(1);
  tooltip(
      "All three maps, and loop arithmetic, one after the other on engines of their own, for about a quarter "
      "of a "
      "second each; the scene holds meanwhile, and its cells stay as they are.");
}

// What computes lambda and nu, and what it costs beyond loop at the same settings.
void arithmetic_row(const LifeFacts& report) {
  const FractalConfig& config = report.config;
  const bool has_arithmetic = config.method.map != MapKind::kBoundingBox;
  const bool emulated =
      is_arithmetic_emulated(report.backend.kind, config.method.map, config.method.arithmetic);
  const auto& now = report.comparison.now_ms;
  const auto& loop = report.comparison.loop_ms;
  if (!begin_rows("##arithmetic", 1.75f)) return;
  row("λ and ν by",
      !has_arithmetic ? "none: the identity"
                      : format_text("{}{}", name_of(config.method.arithmetic), emulated ? ", emulated" : ""));
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted("against loop");
  tooltip(
      "What one generation takes more (+) or less (−) than with loop arithmetic at otherwise the same "
      "settings, both "
      "taken in the same way");
  ImGui::TableNextColumn();
  if (!has_arithmetic) {
    muted_value("nothing computed");
  } else if (config.method.arithmetic == MapArithmetic::kLoop) {
    muted_value("this is loop");
  } else if (!now || !loop) {
    muted_value("press K");
  } else {
    const double extra = *now - *loop;
    const char* const sign = extra < 0 ? "−" : "+";
    right_aligned(format_text("{}{} ms ({}{})", sign, format_ms(std::abs(extra)), sign,
                              format_percent(std::abs(extra) / std::max(*loop, 1e-9))));
  }
  ImGui::EndTable();
}

void all_figures(LifeEdit& edit, const LifeFacts& report) {
  stage_table(report.times, report.backend.kind == BackendKind::kCuda);
  if (report.beside && report.generation.samples > 0) {
    note(
        format_text("Steps take {} ms and are done beside the frames.", format_ms(report.generation.median)));
  }
  stage_plot(report.times, {ImGui::GetContentRegionAvail().x, ImGui::GetFontSize() * 3.5f});
  ImGui::Separator();
  counts_table(report);
  arithmetic_row(report);
  ImGui::Separator();
  maps_table(edit, report);
}

void main_figures(const LifeFacts& report) {
  const auto median = [&](Stage stage) {
    const StageFigures figures = report.times.figures(stage);
    return figures.samples > 0 ? format_ms(figures.median).append(" ms") : "–";
  };
  if (begin_rows("##main")) {
    const bool ahead = report.times.figures(Stage::kGpuStep).samples > 0;
    const Stage others = ahead ? Stage::kGpuPanesStep : Stage::kPanesStep;
    const bool panes = report.times.figures(others).samples > 0;
    row(panes ? "live step (active)" : "live step", median(ahead ? Stage::kGpuStep : Stage::kStep),
        "Live timing: the frame is drawn between one step and the next. K benchmarks the maps back to back "
        "with rendering paused");
    if (panes) row("live step (others)", median(others), "Of all panes but the active one, added up");
    row("whole frame", median(Stage::kFrame));
    row(panes ? "efficiency (active)" : "efficiency", efficiency(report));
    ImGui::EndTable();
  }
}

}  // namespace

void timing_panel(LifeEdit& edit, const LifeFacts& report, const DockRoom& room) {
  if (!figures_section(edit.shell)) return;
  const MarkedRows marked(Control::kFigures);
  room.all ? all_figures(edit, report) : main_figures(report);
  figures_buttons(room, edit.shell);
}

}  // namespace loom::app
