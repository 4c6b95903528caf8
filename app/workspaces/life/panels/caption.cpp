#include "app/workspaces/life/panels/caption.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/explain/bit_storage_text.h"
#include "app/gui/theme.h"
#include "app/widgets/choice.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/fixed_window.h"
#include "app/widgets/text.h"

namespace loom::app {
namespace {

constexpr float kDescriptionWidth = 46;  // in font sizes
constexpr float kBrief = 60;             // width below which the hint is short, in font sizes

Text describe(const LifeStats& report, const PointInfo& place, bool alive) {
  const bool all_blocks = report.config.method.map == MapKind::kBoundingBox;
  Text text = format_text("{} ({}, {})", place.is_cell ? alive ? "living cell" : "dead cell" : "hole",
                          place.cell.x, place.cell.y);
  if (!explain::has_tiles(report.config)) {
    if (place.is_cell) text.add("  ·  {}", explain::bit_of_cell(report.config, place.cell));
    return text;
  }
  if (is_hidden(Control::kLambda)) return text.append("  ·  tile and thread: after your answer");
  if (!all_blocks && !place.omega) return text.append("  ·  no tile is launched here");
  if (all_blocks) {
    text.add("  ·  tile ({}, {})", place.tile.x, place.tile.y);
  } else {
    text.add("  ·  tile ω = ({}, {})  λ→  ({}, {})", place.omega->x, place.omega->y, place.tile.x,
             place.tile.y);
  }
  if (!place.thread) return text.append("  ·  no thread: a hole");
  text.add("  ·  thread ({}, {})", place.thread->x, place.thread->y);
  if (!place.omega) return text.append(" idle: an empty tile");
  return text.append(place.is_cell ? " active" : " idle");
}

}  // namespace

float caption(const Area& area, const LifeStats& report, const std::optional<PointInfo>& hovered, bool alive,
              std::string_view explained, bool one_line, Text& text) {
  text.clear();
  const float font = ImGui::GetFontSize();
  if (area.size.x < 12 * font || area.size.y < 12 * font) return 0;
  const float padding = theme::grid(1);
  const float width = area.size.x - 2 * ImGui::GetStyle().WindowPadding.x;
  // Reserves room for the longest description, so that the picture keeps its size when the mouse moves.
  const float lines = one_line ? 1.0f : std::clamp(std::ceil(kDescriptionWidth * font / width), 1.0f, 3.0f);
  const float height = std::floor(lines * ImGui::GetTextLineHeight() + 2 * padding);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ImGui::GetStyle().WindowPadding.x, padding});
  begin_bar("##caption", {{area.corner.x, area.end().y - height}, {area.size.x, height}},
            ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar();
  const bool muted = !hovered && explained.empty();
  ImGui::PushStyleColor(ImGuiCol_Text, muted ? theme::colours().muted : theme::colours().text);
  if (!report.tiles_hidden_reason.empty() && !one_line) text.add("({})  ", report.tiles_hidden_reason);
  text.append(!explained.empty()                  ? Text(explained)
              : hovered                           ? describe(report, *hovered, alive)
              : one_line || width < kBrief * font ? "Hover a cell: tile, thread"
              : explain::has_tiles(report.config) ? "Hover the picture to see a cell's tile and thread."
                                                  : "Hover the picture to see the bit of a cell.");
  one_line ? elided_text(text, width) : wrapped_text(text);
  ImGui::PopStyleColor();
  ImGui::End();
  return height;
}

void inexact_result_banner(const Area& picture, std::string_view text) {
  if (text.empty() || picture.empty()) return;
  const float font = ImGui::GetFontSize();
  const float width = std::min(picture.size.x - font, font * 22);
  if (width < font * 6) return;
  ImGui::SetNextWindowPos(picture.corner + theme::grid(2));
  ImGui::SetNextWindowSize({width, 0});
  ImGui::PushStyleColor(ImGuiCol_Border, theme::colours().warning);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 2);
  ImGui::Begin("##wrong", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoInputs);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  warning(text);
  ImGui::End();
}

}  // namespace loom::app
