#include <imgui.h>

#include <algorithm>

#include "app/bench/results.h"
#include "app/shell/frame_times.h"
#include "app/text/format.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/workspaces/mandelbrot/panels/mandelbrot_panels.h"
#include "app/workspaces/mandelbrot/panes/volume_pane.h"
#include "app/workspaces/mandelbrot/picture/overlays.h"

namespace loom::app {
namespace {

Text method_text(const MandelbrotConfig& config, const Device& device) {
  if (config.method == MandelbrotMethod::kExhaustive) return "exhaustive";
  Text name = config.method == MandelbrotMethod::kDp ? "DP" : "ASK";
  if (!device.warps) return name;
  return name.append(config.scheme == RegionScheme::kSbr ? "-SBR" : "-MBR");
}

Text ms_or_dash(const std::optional<double>& milliseconds) {
  return milliseconds ? format_time(*milliseconds) : "–";
}

void method_rows(const MandelbrotSettings& settings, const MandelbrotStats& now) {
  const MandelbrotConfig& config = settings.config;
  const CostCut cut = settings.cut();
  if (!begin_rows("##method", 1.25f)) return;
  row("Method", method_text(config, now.backend.device),
      now.backend.device.warps ? "" : "On the CPU, one thread processes a region in any scheme");
  if (config.method != MandelbrotMethod::kExhaustive) {
    row("g, r, B", format_text("{}, {}, {}", cut.g, cut.r, cut.b),
        "g initial regions per axis; a region splits into r parts on each axis while its side / r is greater "
        "than B");
  }
  if (now.in_space) {
    const std::uint32_t n = settings.volume.config.size;
    row("Samples", format_text("{0} × {0} × {0}", n));
    row("Dwell limit", format_text("{}, double", settings.volume.config.dwell_limit));
  } else {
    row("Dwell limit", format_text("{}, {}", config.dwell_limit, name_of(config.precision)));
  }
  ImGui::EndTable();
}

void time_rows(const MandelbrotStats& now) {
  if (!begin_rows("##times", 1.25f)) return;
  const bool any = now.times.samples > 0;
  const Text runs = plural(now.times.samples, "run");
  row("Median", any ? format_time(now.times.median) : "coarse so far",
      format_text("Over all runs of this method at this view ({}). Shift K computes in every frame", runs));
  constexpr std::size_t kMinRunsOfP95 = 20;  // fewer have no 95th percentile of their own
  row("P95",
      now.times.samples >= kMinRunsOfP95 ? format_text("{} ({})", format_time(now.times.p95), runs) : "–",
      "95 of 100 runs take at most this time; from 20 runs on");
  if (now.exhaustive_ms && any) {
    row("Exhaustive", format_time(*now.exhaustive_ms), "Last measurement at this view");
    const bool compared = are_comparable(*now.exhaustive_ms, now.times.median);
    row("Speedup",
        format_speedup(*now.exhaustive_ms, now.times.median).append(compared ? " vs exhaustive" : ""));
  } else {
    row("Exhaustive", now.exhaustive_ms ? format_time(*now.exhaustive_ms) : "not measured (K)",
        "Press K or Benchmark exhaustive to time it at this view. Compare (V) times it too");
  }
  ImGui::EndTable();
}

void work_rows(const MandelbrotConfig& config, const MandelbrotStats& now) {
  const ScopedControlMark marked(Control::kWork);
  if (!now.report || !begin_rows("##work", 1.25f)) return;
  const MandelbrotReport& report = *now.report;
  const auto pixels = [&](const char* name, std::uint64_t count, const char* tip) {
    row(name,
        format_text("{} ({})", format_count(count),
                    format_percent(static_cast<double>(count) /
                                   static_cast<double>(std::max<std::uint64_t>(report.pixels, 1)))),
        tip);
  };
  if (now.in_space) {
    pixels("Computed samples", report.computed_pixels(),
           "Orbits computed on the faces of regions and in leaves, over the samples of the cube");
  } else {
    pixels("Computed pixels", report.computed_pixels(),
           "Orbits computed on borders and in leaves, over the pixels of the image");
  }
  if (now.in_space && config.method != MandelbrotMethod::kExhaustive) {
    pixels("Filled samples", bench::filled_pixels(report),
           "Written with the dwell of their region's six faces, without computing an orbit");
  } else if (config.method != MandelbrotMethod::kExhaustive) {
    pixels(
        "Computed twice", bench::recomputed_pixels(report),
        "Of the computed pixels: where a region splits, the next level computes its border again. Computed "
        "pixels without these, filled and mirrored pixels sum to 100 %");
    pixels("Filled pixels", bench::filled_pixels(report),
           "Written with the dwell of the surrounding border, without computing an orbit");
    if (report.mirrored_pixels > 0)
      pixels("Mirrored pixels", report.mirrored_pixels,
             "Copied across the real axis, without computing an orbit");
  }
  row("Work reduction", format_ratio(report.work_reduction()),
      now.in_space ? "Samples of the cube over computed samples, both counted"
                   : "Pixels of the image over computed pixels, both counted");
  if (now.in_space) {
    row("Launches", format_count(report.launches),
        now.backend.device.warps ? "Kernel launches, counted"
                                 : "Parallel loops of the CPU, and for DP tasks, counted");
    if (config.method == MandelbrotMethod::kAsk && now.volume->volume())
      row("Offset table", format_bytes(now.volume->volume()->table_bytes()),
          "The most bytes that the tables of a level and the next one took together");
  }
  if (now.divergence != nullptr) {
    const Divergence& divergence = now.divergence->method;
    row("Divergence",
        format_percent(divergence.idle_fraction()).append(now.divergence->exact ? "" : ", baseline"),
        format_text(
            "Warp divergence: percentage of idle lane-cycles, from the dwells. A warp runs until the longest "
            "orbit of its 32 lanes ends. Lane-iterations: {} active, {} waiting, {} without a pixel. {}",
            format_count(divergence.iterations), format_count(divergence.waited),
            format_count(divergence.idle),
            now.divergence->exact
                ? ""
                : "Of the baseline kernel: early-stop, periodicity, tiles and regroup reduce "
                  "the work. Pixels that a formula identifies as inside cost nothing."));
  }
  row("Memory", format_bytes(report.allocated_bytes));
  ImGui::EndTable();
}

// One bar per level: its time if levels are timed and `with_times`, otherwise the pixels computed on it.
void level_bars(const MandelbrotStats& now, bool with_times) {
  if (!now.report || now.report->levels.empty()) return;
  const ScopedControlMark marked(Control::kLevels);
  const auto& levels = now.report->levels;
  const bool overlap = !levels.front().milliseconds;
  const bool timed = with_times && !overlap;
  const auto value = [&](const MandelbrotLevel& level) {
    return timed ? level.milliseconds.value_or(0)
                 : static_cast<double>(level.border_pixels + level.leaf_pixels);
  };
  double most = 1e-9;
  for (const MandelbrotLevel& level : levels) most = std::max(most, value(level));
  if (!ImGui::BeginTable("##levels", 4)) return;
  ImGui::TableSetupColumn("level", ImGuiTableColumnFlags_WidthStretch, 0.5f);
  ImGui::TableSetupColumn("regions", ImGuiTableColumnFlags_WidthStretch, 0.9f);
  ImGui::TableSetupColumn("split", ImGuiTableColumnFlags_WidthStretch, 0.6f);
  ImGui::TableSetupColumn("bar", ImGuiTableColumnFlags_WidthStretch, 1.6f);
  const char* const unit = now.in_space ? "samples" : "pixels";
  muted_titles({"Level", "Regions", "Split",
                timed          ? "Time"
                : now.in_space ? "Samples computed"
                               : "Pixels computed"});
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const MandelbrotLevel& level = levels[i];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::Text("%zu", i);
    ImGui::TableNextColumn();
    right_aligned(format_count(level.regions));
    tooltip(format_text("{} × {}{} {}: {} filled, {} leaves, {} split; {} {} computed, {} filled",
                        level.width, level.height, now.in_space ? format_text(" × {}", level.width) : Text(),
                        unit, format_count(level.filled), format_count(level.leaves),
                        format_count(level.splits), format_count(level.border_pixels + level.leaf_pixels),
                        unit, format_count(level.filled_pixels)));
    ImGui::TableNextColumn();
    right_aligned(format_text("{:.2f}", level.split_fraction()));
    tooltip("P: fraction of the regions of this level that split");
    ImGui::TableNextColumn();
    bar(value(level) / most,
        timed ? format_time(value(level)) : format_count(level.border_pixels + level.leaf_pixels));
  }
  ImGui::EndTable();
  if (overlap) note("Levels overlap, so there is no time per level.");
}

void stage_rows(const MandelbrotStats& now) {
  if (!begin_rows("##beside", 1.25f)) return;
  row("Count dwells", ms_or_dash(now.histogram_ms), "Reads back and counts the dwells, once per image");
  if (now.smooth_ms) {
    const double pixels = static_cast<double>(now.picture.x) * now.picture.y;
    row("Smooth", ms_or_dash(now.smooth_ms),
        format_text("Computes the orbits of all exterior pixels ({}) again, once per image",
                    format_percent(static_cast<double>(now.exterior) / pixels)));
  }
  ImGui::EndTable();
}

// Controls for repeated timing of an unchanged picture.
void measure_row(MandelbrotEdit& edit) {
  ImGui::Checkbox("Every frame", &edit.settings.measure);
  tooltip("Computes in every frame, even if nothing changed (Shift K)");
  ImGui::SameLine();
  if (ImGui::SmallButton("Clear runs")) edit.commands.clear_times = true;
  tooltip("Clears the timings so far");
}

}  // namespace

void mandelbrot_metrics(MandelbrotEdit& edit, const MandelbrotStats& now) {
  const ScopedControlMark marked(Control::kMetrics);
  method_rows(edit.settings, now);
  work_rows(edit.settings.config, now);
  // A comparison has the times of the methods below the panes.
  const bool compares = edit.settings.compare;
  level_bars(now, !compares);
  ImGui::Separator();
  if (!compares) time_rows(now);
  if (!compares && !now.in_space) stage_rows(now);
  if (now.in_space && now.volume != nullptr && begin_rows("##rays", 1.25f)) {
    row("Picture", format_time(now.volume->picture().state().trace_ms()), "Rays of the last picture");
    ImGui::EndTable();
  }
  if (!now.in_space) measure_row(edit);
  dwell_devices(now);
  program_timing(now.frames, !now.backend.device.on_host, edit.shell);
}

namespace {

/// Time at which the last device finished.
double end_of(std::span<const DwellPartition> parts) {
  double end = 0;
  for (const DwellPartition& part : parts) end = std::max(end, part.time.end);
  return end;
}

void table(std::span<const DwellPartition> parts, double end) {
  if (!ImGui::BeginTable("##devices", 4)) return;
  ImGui::TableSetupColumn("device", ImGuiTableColumnFlags_WidthStretch, 0.7f);
  muted_titles({"Device", "Work", "Wait", "Pixels"});
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const MandelbrotPartitionTime& time = parts[i].time;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(format_text("{}", i).c_str());
    ImGui::TableNextColumn();
    right_aligned(format_time(time.milliseconds));
    ImGui::TableNextColumn();
    right_aligned(format_time(std::max(0.0, end - time.end + time.begin)));
    ImGui::TableNextColumn();
    right_aligned(format_count(time.pixels));
  }
  ImGui::EndTable();
  tooltip(
      "The last computation: the time each device worked by its own clock, the time it waited, and the "
      "pixels of its rows. The rows of the next frame are distributed by the costs of this one.");
}

void lanes(std::span<const DwellPartition> parts, double end) {
  const float font = ImGui::GetFontSize();
  const float lane = font * 0.6f;
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const float name = font * 1.2f;
  const float width = std::max(ImGui::GetContentRegionAvail().x - name, font);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const MandelbrotPartitionTime& time = parts[i].time;
    const float top = at.y + static_cast<float>(i) * (lane + font * 0.25f);
    const auto x = [&](double of) { return at.x + name + width * static_cast<float>(of / end); };
    list.AddRectFilled({at.x, top}, {at.x + lane, top + lane}, colour_of_device(i));
    list.AddRectFilled({at.x + name, top}, {at.x + name + width, top + lane},
                       ImGui::GetColorU32(ImGuiCol_FrameBg));
    list.AddRectFilled({x(time.begin), top}, {std::max(x(time.end), x(time.begin) + 1), top + lane},
                       colour_of_device(i));
  }
  ImGui::Dummy({name + width, static_cast<float>(parts.size()) * (lane + font * 0.25f)});
  tooltip(
      format_text("The whole computation ({}). Each bar spans from sending the rows to the device until "
                  "its completion is known, calls included",
                  format_time(end)));
}

}  // namespace

void dwell_devices(const MandelbrotStats& now) {
  const double end = end_of(now.parts);
  if (now.parts.size() < 2 || end <= 0) return;
  table(now.parts, end);
  lanes(now.parts, end);
}

}  // namespace loom::app
