#include "app/workspaces/mandelbrot/panels/mandelbrot_basics.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/text.h"

namespace loom::app {
namespace {

void history_row(MandelbrotEdit& edit, const MandelbrotStats& now) {
  const float width = equal_width(4);
  const auto count = [](std::size_t views) { return format_text("{} views", views); };
  if (choice_button("Back", false, width, now.views_behind == 0 ? "There is no previous view" : "",
                    count(now.views_behind).append(" back (Backspace, side button)"))) {
    --edit.commands.history;
  }
  ImGui::SameLine();
  if (choice_button("Forward", false, width, now.views_ahead == 0 ? "There is no next view" : "",
                    count(now.views_ahead).append(" forward (Shift Backspace, side button)"))) {
    ++edit.commands.history;
  }
  ImGui::SameLine();
  if (choice_button("Box", false, width, {}, "Zoom into a box with the next drag (B); or Shift + drag")) {
    edit.shell.view.arm_box_zoom = true;
  }
  ImGui::SameLine();
  if (choice_button("Reset", false, remaining_width(), {}, "The whole set: the window of the papers (F)"))
    edit.shell.view.fit = true;
}

void tour_row(MandelbrotEdit& edit, const MandelbrotStats& now) {
  row_label("Tour");
  const float button = ImGui::GetFrameHeight();
  ImGui::SetNextItemWidth(remaining_width() - 2 * (button + ImGui::GetStyle().ItemSpacing.x));
  const Text present = now.tour_index
                           ? format_text("{}. {}", *now.tour_index + 1, now.tour[*now.tour_index].name)
                           : format_text("{} stops", now.tour.size());
  if (ImGui::BeginCombo("##tour", present.c_str())) {
    for (std::size_t i = 0; i < now.tour.size(); ++i) {
      const Text label = format_text("{}. {}", i + 1, now.tour[i].name);
      if (ImGui::Selectable(label.c_str(), now.tour_index == i)) edit.commands.tour_stop = i;
      tooltip(now.tour[i].note);
    }
    ImGui::EndCombo();
  }
  if (now.tour_index)
    tooltip(format_text("{}. {}", now.tour[*now.tour_index].name, now.tour[*now.tour_index].note));
  ImGui::SameLine();
  if (choice_button("<", false, button, {}, "Previous stop")) --edit.commands.tour;
  ImGui::SameLine();
  if (choice_button(">", false, button, {}, "Next stop (R)")) ++edit.commands.tour;
}

void place_text(const MandelbrotStats& now) {
  const double spacing = pixel_spacing(now.view, now.picture);
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(spacing))) + 1, 3, 17);
  note(format_text("{:.{}f} {} {:.{}f} i, width {:.3g}", now.view.centre.x, digits,
                   now.view.centre.y < 0 ? "−" : "+", std::abs(now.view.centre.y), digits, now.view.width));
}

void dwell_choice(MandelbrotConfig& config, const MandelbrotStats& now) {
  const ScopedControlMark marked(Control::kDwell);
  row_label("Dwell limit");
  int limit = static_cast<int>(config.dwell_limit);
  ImGui::SliderInt("##dwell", &limit, 16, static_cast<int>(kMaxNarrowLimit), "%d",
                   ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_Logarithmic);
  config.dwell_limit = static_cast<std::uint32_t>(limit);
  tooltip("Iterations after which a pixel counts as interior. Ctrl + click to type a number.");
  if (!now.nothing_escapes(config.dwell_limit)) return;
  warning(format_text("No pixel escapes within {} iterations", config.dwell_limit));
  if (config.dwell_limit >= kMaxNarrowLimit) return;
  const std::uint32_t higher = std::min(config.dwell_limit * 4, kMaxNarrowLimit);
  if (choice_button(format_text("Dwell limit {}", higher).c_str(), false, remaining_width(), {},
                    "Shows pixels that escape later. Pixels of the set never escape"))
    config.dwell_limit = higher;
}

// Remaining precision: the bar is full for the whole set and empty where zooming stops.
void gauge_bar(const PrecisionGauge& gauge) {
  const float height = ImGui::GetTextLineHeight() * 0.5f;
  const float width = remaining_width();
  const glm::vec2 corner = ImGui::GetCursorScreenPos();
  const glm::vec2 low{corner.x, corner.y + (ImGui::GetFrameHeight() - height) / 2};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 colour = gauge.state == PrecisionState::kSufficient
                           ? ImGui::GetColorU32(theme::colours().accent)
                           : ImGui::GetColorU32(theme::colours().warning);
  list.AddRectFilled(low, {low.x + width, low.y + height}, ImGui::GetColorU32(ImGuiCol_FrameBg), height / 2);
  const float remaining = std::max(static_cast<float>(gauge.remaining) * width, height);
  list.AddRectFilled(low, {low.x + remaining, low.y + height}, colour, height / 2);
  ImGui::Dummy({width, ImGui::GetFrameHeight()});
  tooltip(
      format_text("The width of the view can be halved {:.0f} more times. Neighbouring pixels are {:.3g} "
                  "ulps of the coordinates apart. Below {:.0f} a warning appears; at {:.0f} the zoom stops.",
                  std::floor(gauge.octaves_left), gauge.ulps, kWarnUlps, kMinUlps));
}

void precision_choice(MandelbrotEdit& edit, const MandelbrotStats& now) {
  MandelbrotConfig& config = edit.settings.config;
  row_label("Precision");
  const float width = equal_width(2);
  const char* const no_float =
      now.fits_float ? "" : "Float precision is exhausted at this zoom: zoom out to select it";
  if (choice_button("float", config.precision == Precision::kFloat, width, no_float,
                    "IEEE binary32: 24 bits (A)")) {
    config.precision = Precision::kFloat;
  }
  ImGui::SameLine();
  if (choice_button("double", config.precision == Precision::kDouble, width, {},
                    "IEEE binary64: 53 bits (A)")) {
    config.precision = Precision::kDouble;
  }
  row_label("Zoom depth");
  gauge_bar(now.gauge);
  if (now.gauge.state == PrecisionState::kSufficient) return;
  const bool is_float = config.precision == Precision::kFloat;
  const bool at_end = now.gauge.state == PrecisionState::kExhausted;
  warning(format_text("{} {}", is_float ? "float" : "double",
                      at_end ? "precision exhausted" : "precision almost exhausted"));
  if (!is_float) return;
  if (choice_button("Use double (A)", false, remaining_width(), {}, "Computes in IEEE binary64: 53 bits")) {
    config.precision = Precision::kDouble;
  }
}

void colouring_row(MandelbrotSettings& explorer) {
  choice_row("Colouring", kColourings, explorer.colouring, {"bands", "smooth", "histogram"},
             {"One colour per dwell, on a logarithmic scale (C)",
              "Continuous colours by the logarithm of the smooth dwell (C). The orbit of every exterior "
              "pixel is computed once more, so the method saves work only in the interior.",
              "Histogram colouring: colours are distributed evenly over the pixels (C)"});
}

}  // namespace

void mandelbrot_basics(MandelbrotEdit& edit, const MandelbrotStats& now) {
  if (!section("Basics")) return;
  {
    const ScopedControlMark marked(Control::kPlace);
    place_text(now);
    history_row(edit, now);
    tour_row(edit, now);
  }
  dwell_choice(edit.settings.config, now);
  precision_choice(edit, now);
  colouring_row(edit.settings);
}

}  // namespace loom::app
