#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/workspaces/mandelbrot/panels/mandelbrot_panels.h"
#include "app/workspaces/mandelbrot/panes/volume_pane.h"
#include "app/workspaces/solid/panels/solid_panels.h"
#include "compute/core/input_text.h"

namespace loom::app {
namespace {

constexpr std::array<std::uint32_t, 5> kSides = {64, 128, 256, 512, 1024};

void constant_rows(VolumeConfig& config) {
  if (config.set == VolumeSet::kCustom) return;  // its constants are in the code
  if (config.set == VolumeSet::kMandelbulb) {
    row_label("Power");
    ImGui::SetNextItemWidth(remaining_width());
    slider("##power", &config.power, kMinBulbPower, kMaxBulbPower, "%u", ImGuiSliderFlags_AlwaysClamp);
    return tooltip("P of z^P + c");
  }
  row_label("c");
  ImGui::SetNextItemWidth(remaining_width());
  std::array<double, 4> c = config.c;
  constexpr double kMost = 2;
  constexpr double kLeast = -kMost;
  const auto length = [&] { return std::sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2] + c[3] * c[3]); };
  if (ImGui::DragScalarN("##c", ImGuiDataType_Double, c.data(), 4, 0.002f, &kLeast, &kMost, "%.3f",
                         ImGuiSliderFlags_AlwaysClamp) &&
      length() <= kMost)
    config.c = c;
  tooltip(
      "c of the Julia set, four numbers at a distance of at most 2 from 0. Drag to change, Ctrl + click "
      "to type");
}

void part_row(MandelbrotEdit& edit, const MandelbrotStats& now) {
  constexpr std::array kLabels = {"Refine this part", "Back", "Reset"};
  ButtonRow line(kLabels);
  if (choice_button(kLabels[0], false, line.next(),
                    now.may_refine ? "" : "Zoom in first: the picture shows the whole cube",
                    "Computes the cube that the picture shows, in the background, with all samples"))
    edit.commands.refine = true;
  if (choice_button(kLabels[1], false, line.next(), now.views_behind == 0 ? "There is no previous view" : "",
                    "Back to the larger cube (Backspace)"))
    --edit.commands.history;
  if (choice_button(kLabels[2], false, line.next(), {}, "The whole set (F)")) edit.shell.view.fit = true;
}

const char* colouring_label(VolumeColouring colouring) {
  return value_for<VolumeColouring::kThreadBlock>({"Dwell", "Level", "Region", "Block"}, colouring);
}

}  // namespace

void volume_basics(MandelbrotEdit& edit, const MandelbrotStats& now) {
  VolumeSettings& settings = edit.settings.volume;
  VolumeConfig& config = settings.config;
  constant_rows(config);
  constexpr const char* kHint = "Samples on each axis. First a fourth of them, then all, in the background";
  choice_row("Samples", kSides, config.size, {"64", "128", "256", "512", "1024"},
             {kHint, kHint, kHint, kHint, kHint});
  {
    const ScopedControlMark marked(Control::kDwell);
    row_label("Dwell limit");
    ImGui::SetNextItemWidth(remaining_width());
    slider("##dwell", &config.dwell_limit, 4u, 1024u, "%u",
           ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_Logarithmic);
    tooltip("Dwell: iterations until a sample escapes. One that reaches the limit counts as inside");
  }
  row_label("Surface");
  ImGui::SetNextItemWidth(remaining_width());
  constexpr std::uint32_t kMostSurface = 32;
  slider("##surface", &settings.surface, 1u, std::min(config.dwell_limit, kMostSurface), "dwell %u",
         ImGuiSliderFlags_AlwaysClamp);
  tooltip("The surface is where the dwell reaches this number. Nothing is computed again");
  part_row(edit, now);
}

void volume_method(MandelbrotEdit& edit, const MandelbrotStats& now) {
  VolumeConfig& config = edit.settings.volume.config;
  const MandelbrotMethod method = edit.settings.config.method;
  subdivision_choice(config.g, config.r, config.b, method == MandelbrotMethod::kExhaustive);
  config.g = std::min(config.g, config.size);
  choice_row("Order", kRegionOrders, config.order, {"canonical", "Morton", "Hilbert", "x, y, z"},
             {"The offset table holds x + n y + n² z of a region", "It holds the position on Morton's curve",
              "It holds the position on Hilbert's curve", "It holds the three coordinates of a region"},
             method == MandelbrotMethod::kAsk ? "" : "Only ASK has an offset table");
  scheme_choice(config.scheme, now,
                method == MandelbrotMethod::kAsk  ? ""
                : method == MandelbrotMethod::kDp ? "One thread block for each region of DP"
                                                  : "The exhaustive method has no regions");
  note("No theorem says what is inside a region's faces. Verify (Shift V) counts the misses.");
}

void volume_workload(MandelbrotEdit& edit, const MandelbrotStats& now) {
  const bool exhaustive = edit.settings.config.method == MandelbrotMethod::kExhaustive;
  const char* const problem = exhaustive                ? "The exhaustive method is selected"
                              : !now.report.has_value() ? "The samples are not complete yet"
                                                        : "";
  constexpr std::array kLabels = {"Verify", "Benchmark exhaustive"};
  ButtonRow line(kLabels);
  if (choice_button(kLabels[0], false, line.next(), problem,
                    "Computes every sample by the exhaustive method and counts those that differ (Shift V)"))
    edit.commands.check = true;
  if (choice_button(kLabels[1], false, line.next(), problem, "Times the exhaustive method for this cube (K)"))
    edit.commands.measure_exhaustive = true;
  mark_item(Control::kExhaustive);
  if (exhaustive) return;
  if (now.volume == nullptr || !now.volume->differences())
    return note(now.volume != nullptr && now.volume->checking() ? "Counting..." : "Not verified.");
  const VolumeDifferences& found = *now.volume->differences();
  const std::uint64_t count = found.filled + found.others;
  const VolumeConfig& config = now.volume->volume()->config();
  if (count == 0) {
    return note(format_text("Verified: every sample equals the exhaustive result at g {}, r {}, B {}.",
                            config.g, config.r, config.b));
  }
  warning(
      format_text("{} of {} differ from exhaustive ({:.3f} %) at g {}, r {}, B {}: their region's faces "
                  "have one dwell.",
                  format_count(count), plural(now.report->pixels, "sample"),
                  100.0 * static_cast<double>(count) / static_cast<double>(now.report->pixels), config.g,
                  config.r, config.b));
}

namespace {

/// The threads whose colours kThreadBlock shows.
const char* block_text(const MandelbrotSettings& settings, const MandelbrotStats& now) {
  const bool on_gpu = now.backend.device.warps;
  if (settings.config.method == MandelbrotMethod::kExhaustive)
    return on_gpu ? "one colour per thread block, 8 × 8 × 2 samples"
                  : "one colour per row, computed by one thread";
  if (!on_gpu) return "one colour per region, ended by one thread";
  const bool is_mbr =
      settings.config.method == MandelbrotMethod::kAsk && settings.volume.config.scheme == RegionScheme::kMbr;
  return is_mbr ? "one colour per thread block, several for a region"
                : "one colour per thread block, one for a region";
}

}  // namespace

void volume_view_rows(MandelbrotEdit& edit, const MandelbrotStats& now) {
  VolumeSettings& settings = edit.settings.volume;
  choice_row("Colour by", kVolumeColourings, settings.colouring,
             {colouring_label(VolumeColouring::kDwell), colouring_label(VolumeColouring::kLevel),
              colouring_label(VolumeColouring::kRegion), colouring_label(VolumeColouring::kThreadBlock)},
             {"The dwell below the surface (C)", "The level of the region that was filled (C)",
              "The region that was filled (C)",
              now.backend.device.warps
                  ? "The thread block that computed the sample, or that ended its region (C)"
                  : "The CPU has no thread blocks: the row or the region that a thread processes (C)"});
  const char* const problem =
      edit.settings.config.method == MandelbrotMethod::kExhaustive && !edit.settings.compare
          ? "The exhaustive method fills nothing"
          : "";
  row_label("Show");
  constexpr std::array kLabels = {"Filled boxes", "Misses"};
  ButtonRow line(kLabels);
  if (choice_button(kLabels[0], settings.boxes, line.next(), problem,
                    "The edges of filled boxes, one colour per level (G)"))
    settings.boxes = !settings.boxes;
  if (choice_button(kLabels[1], settings.misses, line.next(), problem,
                    "Marks the samples that were filled wrongly, in red. Verifies each new set of samples"))
    settings.misses = !settings.misses;
  auto cut = static_cast<float>(settings.cut);
  const float before = cut;
  cut_plane_rows(settings.cut_axis, cut,
                 "Removes the set in front of a plane across this axis of the picture (/)");
  if (cut != before) settings.cut = static_cast<double>(cut);
}

void volume_legend(PictureLegend& legend, const Area& picture, const MandelbrotSettings& settings,
                   const MandelbrotStats& now, const render::Palette& palette) {
  if (!legend.begin(picture, [](glm::vec2) { return 0.0f; })) return;
  const VolumeSettings& volume = settings.volume;
  const render::SolidColours colours = volume_colours(palette, volume.colouring, palette.outside);
  const auto levels = now.report ? now.report->levels.size() : 0;
  if (volume.colouring == VolumeColouring::kDwell) {
    chip([&] {
      ImGui::TextUnformatted(
          format_text("dwell {}", std::min(volume.surface, volume.config.dwell_limit)).c_str());
      ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
      colour_strip(3, 32, [&](int i) {
        return theme::packed(colours.values[kVolumeLast * static_cast<std::size_t>(i) / 31]);
      });
      ImGui::TextUnformatted(format_text("{}", volume.config.dwell_limit).c_str());
    });
    if (volume.cut_axis != CutAxis::kNone) {
      chip([&] {
        swatch(theme::packed(colours.values[kVolumeLast]),
               format_text("inside (dwell limit {})", volume.config.dwell_limit).c_str());
      });
    }
  } else if (volume.colouring == VolumeColouring::kThreadBlock) {
    chip([&] { swatch(theme::packed(colours.values[1]), block_text(settings, now)); });
  } else {
    chip([&] { swatch(theme::packed(colours.values[0]), "computed"); });
    for (std::size_t level = 0; volume.colouring == VolumeColouring::kLevel && level < levels; ++level) {
      chip([&] {
        swatch(theme::packed(colours.values[level + 1]), format_text("filled at level {}", level).c_str());
      });
    }
    if (volume.colouring == VolumeColouring::kRegion)
      chip([&] { swatch(theme::packed(colours.values[1]), "one colour per filled region"); });
  }
  for (std::size_t level = 0; volume.boxes && level < levels; ++level) {
    if (now.report->levels[level].filled == 0) continue;
    chip([&] {
      swatch(theme::packed(colours.values[kVolumeBoxes + level]),
             format_text("box of level {}", level).c_str());
    });
  }
  if (volume.misses && now.volume != nullptr && now.volume->differences()) {
    chip([&] {
      swatch(theme::packed(colours.values[kVolumeMiss]),
             format_text("{} filled wrongly", plural(now.volume->differences()->filled, "sample")).c_str());
    });
  }
  if (now.report && !settings.compare) {
    chip([&] {
      ImGui::TextUnformatted(format_text("{} samples computed, {}",
                                         format_count(now.report->computed_pixels()),
                                         format_time(now.report->milliseconds))
                                 .c_str());
    });
  }
  legend.end();
}

Text volume_caption(const MandelbrotStats& now) {
  if (now.volume == nullptr || !now.volume->volume()) {
    if (now.volume != nullptr && !now.volume->problem().empty()) return Text(now.volume->problem());
    return "No picture yet.";
  }
  if (!now.volume->problem().empty())
    return format_text("{}. The last picture stays.", now.volume->problem());
  if (now.volume->is_refining()) {
    const std::uint32_t n = now.volume->volume()->config().size;
    return format_text("{0} × {0} × {0} samples so far.", n);
  }
  if (now.may_refine) return "Refine this part computes the cube that the picture shows, with all samples.";
  return "Drag turns the set, the wheel zooms, the right button moves. The camera only draws.";
}

}  // namespace loom::app
