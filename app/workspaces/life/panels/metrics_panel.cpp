#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/explain/memory.h"
#include "app/explain/warp_memory_access.h"
#include "app/gui/theme.h"
#include "app/shell/stage_plot.h"
#include "app/text/format.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/workspaces/life/panels/basics_panel.h"
#include "compute/backend/emulation.h"
#include "compute/core/input_text.h"
#include "compute/engine/thread_count.h"
#include "compute/map/tiling.h"

namespace loom::app {
namespace {

Text utilization(const LifeStats& report) {
  return report.threads ? format_percent(thread_utilization(report.threads->threads_active,
                                                            report.threads->threads_launched))
                        : Text("not counted yet");
}

std::string_view kernel_of(const LifeStats& stats) {
  switch (stats.work.workload) {
    case Workload::kSingleWrite:
      return "single_write_kernel";
    case Workload::kReduction:
      return "reduction_kernel";
    case Workload::kLife:
      break;
  }
  return explain::kernel_name(explain::life_kernel_of(stats.config.method, stats.space.tiled()));
}

// The launch as CUDA code. Bit-packed storage has other kernels, without tiles.
void launch_code(const LifeStats& stats) {
  const FractalConfig& config = stats.config;
  if (!explain::has_tiles(config)) return;
  const LaunchShape shape = stats.space.launch_shape(config.method.map);
  const GpuLaunch launch = gpu_launch(config.method, stats.space.tiled(), shape);
  Text code = format_text("{}\n  <<<dim3({}, {}),", kernel_of(stats), launch.blocks_x, launch.blocks_y);
  if (config.method.map == MapKind::kBoundingBox) {
    code.add("\n     dim3({}, {}, {})>>>", shape.threads_x, shape.threads_y, launch.tiling.tiles());
  } else {
    code.add(" {}>>>", launch.threads);
  }
  if (ImGui::Selectable(code.c_str())) ImGui::SetClipboardText(code.c_str());
  const std::uint32_t warps = (launch.threads + explain::kWarpLanes - 1) / explain::kWarpLanes;
  tooltip(
      format_text("{}: {} thread blocks of {} threads, in {} warps each. Click copies it. Registers, shared "
                  "memory and occupancy: Timeline (Q)",
                  stats.backend.device.on_host ? "The launch on a GPU" : "The launch of one generation",
                  format_count(launch.thread_blocks()), launch.threads, warps));
}

// Counted by the engine, thread by thread, not derived from formulas.
void counts_table(const LifeStats& report) {
  launch_code(report);
  if (!begin_rows("##counts", 0.83f)) return;
  const auto counted = [&](std::uint64_t ThreadCount::*figure) {
    return report.threads ? format_count((*report.threads).*figure) : "not counted yet";
  };
  row("Launched tiles", counted(&ThreadCount::tiles_launched));
  if (report.threads && report.threads->thread_blocks != 0) {
    tooltip(format_text("In {} thread blocks", counted(&ThreadCount::thread_blocks)));
  }
  row("Launched threads", counted(&ThreadCount::threads_launched));
  row("Active threads", counted(&ThreadCount::threads_active));
  row("Thread utilization", utilization(report), kUtilizationMeaning);
  row("Memory, 2 generations", format_bytes(report.allocated_bytes),
      "Allocated for cells: the engine reads one generation and writes the other");
  ImGui::EndTable();
}

void map_row(MapKind map, const LifeStats& report) {
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
    tooltip(format_text("Map arithmetic {}, intra-block mapping {}", name_of(time->method.arithmetic),
                        name_of(time->method.intra_block)));
  }
  ImGui::TableNextColumn();
  if (!time) {
    ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().muted);
    if (map == MapKind::kLambda && report.config.method.storage == CellStorage::kBits) {
      right_aligned("bytes only");
      ImGui::TableNextColumn();
      ImGui::PopStyleColor();
      return;
    }
    right_aligned(current ? "no step yet" : "not measured");
    ImGui::TableNextColumn();
    right_aligned(current ? "" : "press K");
    ImGui::PopStyleColor();
    return;
  }
  right_aligned(format_time(time->milliseconds));
  ImGui::TableNextColumn();
  if (!box) {
    muted_value("press K");
  } else if (are_comparable(box->milliseconds, time->milliseconds)) {
    right_aligned(format_speedup(box->milliseconds, time->milliseconds));
  } else {
    muted_value("too small");
    tooltip(kTooSmallMeaning);
  }
}

const char* name_of_one(Workload workload) {
  return value_for<Workload::kLife>({"Single write", "Reduction", "Generation"}, workload);
}

void maps_table(const LifeStats& report) {
  if (!ImGui::BeginTable("##maps", 3)) return;
  ImGui::TableSetupColumn("map", ImGuiTableColumnFlags_WidthStretch, 1.4f);
  ImGui::TableSetupColumn("step", ImGuiTableColumnFlags_WidthStretch, 1.15f);
  ImGui::TableSetupColumn("ratio", ImGuiTableColumnFlags_WidthStretch, 0.85f);
  muted_titles({name_of_one(report.work.workload), "Step", "Speedup"});
  for (const MapKind map : kMapKinds) map_row(map, report);
  ImGui::EndTable();
  tooltip(
      "Median times at this fractal, level, tile size, workload, generations per frame and backend, and the "
      "speedup over the bounding box. Only times measured in the same way are compared.");
  note(report.comparison.benchmarked ? "Benchmarked back to back with rendering paused, after a warm-up."
                                     : "Live timing, with rendering between steps.");
}

void benchmark_row(LifeEdit& edit, const LifeStats& report) {
  if (!report.measuring.what.empty()) {
    ImGui::ProgressBar(static_cast<float>(report.measuring.share), {-1, ImGui::GetTextLineHeight()}, "");
  } else if (ImGui::SmallButton("Benchmark all (K)")) {
    measure_maps(edit);
  }
  // The benchmark's key scrolls to this row.
  if (edit.commands.measure_maps) ImGui::SetScrollHereY(1);
  tooltip(
      "Benchmarks all three maps and loop arithmetic back to back on separate engines, after a warm-up, for "
      "about 0.3 s each. The simulation pauses meanwhile; its cells do not change.");
}

// The map arithmetic, and its cost compared with loop arithmetic at the same settings.
void arithmetic_row(const LifeStats& report) {
  const FractalConfig& config = report.config;
  const bool has_arithmetic = config.method.map != MapKind::kBoundingBox;
  const bool emulated =
      is_arithmetic_emulated(report.backend.device, config.method.map, config.method.arithmetic);
  const auto& now = report.comparison.selected_ms;
  const auto& loop = report.comparison.loop_ms;
  if (!begin_rows("##arithmetic", 1.75f)) return;
  row("Arithmetic",
      !has_arithmetic ? "none (identity)"
                      : format_text("{}{}", name_of(config.method.arithmetic), emulated ? ", emulated" : ""));
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted("vs loop");
  tooltip(
      "Time per generation minus the time with loop arithmetic at the same settings, both measured in the "
      "same way");
  ImGui::TableNextColumn();
  if (!has_arithmetic) {
    muted_value("not applicable");
  } else if (config.method.arithmetic == MapArithmetic::kLoop) {
    muted_value("is loop");
  } else if (!now || !loop) {
    muted_value("press K");
  } else if (!are_comparable(*now, *loop)) {
    muted_value(format_speedup(*loop, *now).c_str());
    tooltip(kTooSmallMeaning);
  } else {
    const double extra = *now - *loop;
    const char* const sign = extra < 0 ? "−" : "+";
    right_aligned(format_text("{}{} ({}{})", sign, format_time(std::abs(extra)), sign,
                              format_percent(std::abs(extra) / std::max(*loop, 1e-9))));
  }
  ImGui::EndTable();
}

void step_row(const LifeStats& report) {
  if (!begin_rows("##step", 0.83f)) return;
  const auto& benchmarked = report.comparison.selected_ms;
  if (report.comparison.benchmarked && benchmarked) {
    row("Step time", format_time(*benchmarked),
        "Median time of one generation, benchmarked back to back with rendering paused (K)");
  } else {
    row("Step time (live)", report.generation.samples > 0 ? format_time(report.generation.median) : "–",
        "Median time of one generation of this pane, with rendering between steps, since its method last "
        "changed. K benchmarks the maps back to back with rendering paused");
  }
  if (report.steps_in_background) tooltip("Steps run in the background");
  ImGui::EndTable();
}

}  // namespace

void metrics_panel(LifeEdit& edit, const LifeStats& report, bool compares_maps) {
  const ScopedControlMark marked(Control::kMetrics);
  counts_table(report);
  if (!compares_maps) step_row(report);
  ImGui::Separator();
  if (!compares_maps) maps_table(report);
  benchmark_row(edit, report);
  if (!compares_maps) arithmetic_row(report);
  program_timing(report.times, !report.backend.device.on_host, edit.shell);
}

}  // namespace loom::app
