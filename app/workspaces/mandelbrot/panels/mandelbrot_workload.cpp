#include "app/workspaces/mandelbrot/panels/mandelbrot_workload.h"

#include <imgui.h>

#include <array>

#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/text.h"
#include "app/workspaces/mandelbrot/picture/difference_overlay.h"
#include "app/workspaces/mandelbrot/scene/pixel_samples.h"

namespace loom::app {
namespace {

void check_row(MandelbrotEdit& edit, const MandelbrotStats& now) {
  const bool ready = now.has_picture && now.divisor == 1;
  constexpr std::array kLabels = {"Verify", "Benchmark exhaustive"};
  const ButtonRow line(kLabels);
  if (choice_button(
          kLabels[0], false, line.width(kLabels[0]), ready ? "" : "The picture is not at full resolution yet",
          "Computes every pixel by the exhaustive method, counts and marks those that differ (Shift V)")) {
    edit.commands.check = true;
  }
  ImGui::SameLine();
  const bool exhaustive = edit.settings.config.method == MandelbrotMethod::kExhaustive;
  if (choice_button(kLabels[1], false, line.width(kLabels[1]),
                    exhaustive ? "The exhaustive method is selected"
                    : ready    ? ""
                               : "No picture yet",
                    "Times the exhaustive method at this view, one to three runs (K)")) {
    edit.commands.measure_exhaustive = true;
  }
  mark_item(Control::kExhaustive);
  if (!now.check) {
    return note(edit.settings.compare ? "The panes count the pixels that differ from exhaustive."
                                      : "Not verified for this view.");
  }
  const std::uint64_t count = now.check->differences.count;
  const double pixels = static_cast<double>(now.picture.x) * now.picture.y;
  Text text = format_text("{} differ from exhaustive: {}", plural(count, "pixel"),
                          format_percent(static_cast<double>(count) / pixels));
  if (count == 0) return note("Verified: every pixel equals the exhaustive result.");
  const std::size_t marked = now.check->differences.places.size();
  // More rings would hide each other.
  const char* const how = marked > kMaxRings ? "marked by tinted squares" : "marked by rings";
  const bool in_order = count <= kMaxDifferencesInOrder;
  const char* const which = in_order ? "the first " : "";
  const char* const of = in_order ? "from the top" : "of them";
  warning(marked < count ? text.add(", {}{} {} {}.", which, format_count(marked), of, how)
                         : text.add(", {}.", how));
}

}  // namespace

void mandelbrot_workload(MandelbrotEdit& edit, const MandelbrotStats& now) {
  if (!section("Workload")) return;
  MandelbrotSettings& explorer = edit.settings;
  choice_row("Samples", kSamplesPerAxis, explorer.samples_per_axis, {"1 per pixel", "4", "16"},
             {"One sample per pixel", "Mean of 4 samples per pixel (2 × 2), once the picture is at rest",
              "Mean of 16 samples per pixel (4 × 4), once the picture is at rest"});
  check_row(edit, now);
}

}  // namespace loom::app
