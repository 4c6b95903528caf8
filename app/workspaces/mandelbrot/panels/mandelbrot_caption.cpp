#include "app/workspaces/mandelbrot/panels/mandelbrot_caption.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/explain/colour_by.h"
#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/icons.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"
#include "app/workspaces/mandelbrot/picture/overlays.h"
#include "app/workspaces/mandelbrot/picture/region_marks.h"

namespace loom::app {
namespace {

// In font sizes.
constexpr float kBrief = 40;             ///< width of a picture with short entries
constexpr float kDescriptionWidth = 54;  ///< of the longest description

void swatch(ImU32 colour, const char* text) {
  const float side = theme::grid(3);
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const float top = at.y + (ImGui::GetTextLineHeight() - side) / 2;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({at.x, top}, {at.x + side, top + side}, colour);
  list.AddRect({at.x, top}, {at.x + side, top + side}, ImGui::GetColorU32(ImGuiCol_Border));
  ImGui::Dummy({side, ImGui::GetTextLineHeight()});
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::TextUnformatted(text);
}

ImU32 interior_colour(InteriorColour interior, const render::Palette& palette) {
  switch (interior) {
    case InteriorColour::kPalette:
      return theme::packed(palette.hole);
    case InteriorColour::kBlack:
      return IM_COL32(0, 0, 0, 255);
    case InteriorColour::kWhite:
      return IM_COL32(255, 255, 255, 255);
  }
  return 0;
}

void chips(const MandelbrotSettings& settings, const MandelbrotStats& now, const render::Palette& palette,
           bool brief) {
  const float gap = ImGui::GetFontSize();
  const float height = theme::grid(3);
  const auto last = last_level_drawn(now.regions, now.shown_level);
  const auto next_chip = [] {
    end_chip();
    begin_chip();
  };
  const auto left_out = [&](std::optional<int> of) {
    if (!of) return;
    next_chip();
    ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().warning);
    const Text words =
        *of < 0 ? Text("too many to draw") : format_text("to level {} of {}", *of, now.levels - 1);
    ImGui::TextUnformatted(words.c_str());
    ImGui::PopStyleColor();
  };
  begin_chip();
  swatch(interior_colour(settings.interior, palette),
         brief ? "limit" : format_text("inside ({} iterations)", settings.config.dwell_limit).c_str());
  // In a narrow picture, the colours of the regions need the space.
  if (!brief || settings.overlay == RegionOverlay::kOff) {
    const bool cycles = settings.dwell_colouring().cycles();
    next_chip();
    ImGui::TextUnformatted(cycles ? "iterations 0" : "few iterations");
    ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    const glm::vec2 at = ImGui::GetCursorScreenPos();
    const float ramp = ImGui::GetFontSize() * 5;
    draw_colours(*ImGui::GetWindowDrawList(), cycles ? palette.cycle : palette.ramp,
                 {at.x, at.y + (ImGui::GetTextLineHeight() - height) / 2}, {ramp, height});
    ImGui::Dummy({ramp, ImGui::GetTextLineHeight()});
    ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    ImGui::TextUnformatted(cycles ? format_text("{}, repeating", settings.cycle).c_str() : "many");
  }
  if (settings.overlay == RegionOverlay::kQuantities) {
    for (const RegionKind kind : {RegionKind::kFill, RegionKind::kLeaf, RegionKind::kSplit}) {
      next_chip();
      swatch(colour_of(kind), name_of(kind));
    }
    left_out(last);
  }
  if (settings.overlay == RegionOverlay::kDivergence) {
    next_chip();
    ImGui::TextUnformatted(brief ? "0 %" : "divergence 0 %");
    constexpr int kSteps = 16;
    for (int i = 0; i < kSteps; ++i) {
      const glm::u8vec3 colour = explain::ordered_colour(static_cast<float>(i) / (kSteps - 1));
      ImGui::SameLine(0, i == 0 ? ImGui::GetStyle().ItemInnerSpacing.x : 0);
      const glm::vec2 at = ImGui::GetCursorScreenPos();
      const float top = at.y + (ImGui::GetTextLineHeight() - height) / 2;
      ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + gap / 4, top + height},
                                                theme::packed(colour));
      ImGui::Dummy({gap / 4, ImGui::GetTextLineHeight()});
    }
    ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    ImGui::TextUnformatted("100 %");
  }
  if (settings.overlay == RegionOverlay::kDevices) {
    next_chip();
    ImGui::TextUnformatted(now.backend.device.simulated_devices > 0 ? "part" : "device");
    for (std::size_t i = 0; i < std::min<std::size_t>(now.parts.size(), 8); ++i) {
      ImGui::SameLine(0, gap / 2);
      swatch(colour_of_device(i), format_text("{}", i).c_str());
    }
  }
  if (settings.overlay == RegionOverlay::kLevels) {
    next_chip();
    ImGui::TextUnformatted("level");
    for (int level = 0; level < std::min(last ? *last + 1 : now.levels, 8); ++level) {
      ImGui::SameLine(0, gap / 2);
      swatch(colour_of_level(level), format_text("{}", level).c_str());
    }
    left_out(last);
  }
  end_chip();
}

Text describe(const HoveredPoint& hovered, const MandelbrotSettings& settings, const MandelbrotStats& now) {
  Text text = now.is_outdated ? "" : "computing  ·  ";
  if (hovered.dwell) {
    text = format_text("dwell {}{}  ·  ", *hovered.dwell,
                       *hovered.dwell >= settings.config.dwell_limit ? " (inside)" : "");
  }
  if (now.view.decimal) {
    // The centre is in the panel; its digits would fill the line.
    const FloatExp<double> width = now.view.decimal->width.rounded();
    const glm::dvec2 part = (glm::dvec2(hovered.pixel) + 0.5 - glm::dvec2(now.picture) / 2.0) /
                            static_cast<double>(now.picture.x);
    const auto distance = [&](double by) {
      return shortened_decimal(decimal_text(width * FloatExp<double>(by)), 3);
    };
    text.add("c = centre {} {} {} {} i", part.x < 0 ? "−" : "+", distance(std::abs(part.x)),
             part.y < 0 ? "−" : "+", distance(std::abs(part.y)));
  } else {
    const double spacing = pixel_spacing(now.view, now.picture);
    const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(spacing))) + 1, 3, 17);
    text.add("c = {:.{}f} {} {:.{}f} i", hovered.point.x, digits, hovered.point.y < 0 ? "−" : "+",
             std::abs(hovered.point.y), digits);
  }
  text.add("  ·  pixel ({}, {})", hovered.pixel.x, hovered.pixel.y);
  if (hovered.region) {
    text.add("  ·  level {} region of {} × {}: {}", hovered.region->level, hovered.region->width,
             hovered.region->height, name_of(hovered.region->kind));
  }
  return text;
}

Text state(const MandelbrotStats& now) {
  if (now.is_outdated) return "Computation incomplete. Any change restarts it.  ";
  if (!now.has_picture) return now.pictured ? "" : "No picture yet.  ";
  if (now.divisor == 1 && now.samples_per_axis > 1)
    return format_text("Each pixel is the mean of {0} × {0} samples.  ", now.samples_per_axis);
  if (now.divisor == 1) return {};
  return format_text("1/{} of the resolution so far. Full resolution takes about {} ms.  ", now.divisor,
                     format_ms(now.expected_ms.value_or(0)));
}

}  // namespace

void mandelbrot_legend(PictureLegend& legend, const Area& picture, const Area& inset,
                       const MandelbrotSettings& settings, const MandelbrotStats& now,
                       const render::Palette& palette) {
  const auto weight = [&](glm::vec2 point) { return inset.contains(point) ? 1.0f : 0.0f; };
  if (!legend.begin(picture, weight)) return;
  chips(settings, now, palette, picture.size.x < kBrief * ImGui::GetFontSize());
  legend.end();
}

float mandelbrot_caption(const Area& area, const MandelbrotSettings& settings, const MandelbrotStats& now,
                         bool one_line) {
  const float height = begin_caption("##dwells", area, kDescriptionWidth, one_line);
  if (height == 0) return 0;
  ImGui::PushStyleColor(
      ImGuiCol_Text, now.divisor > 1 || now.is_outdated ? theme::colours().warning : theme::colours().muted);
  Text text = state(now);
  if (now.hovered) {
    text.append(describe(*now.hovered, settings, now));
  } else if (!now.has_picture || now.divisor == 1) {
    text.append(
        now.nothing_escapes(settings.config.dwell_limit)
            ? format_text("No pixel escapes within {} iterations. A higher dwell limit may show more.",
                          settings.config.dwell_limit)
            : Text("Hover over the picture for dwell, orbit and Julia set of a point."));
  }
  one_line ? elided_text(text, remaining_width()) : wrapped_text(text);
  ImGui::PopStyleColor();
  ImGui::End();
  return height;
}

}  // namespace loom::app
