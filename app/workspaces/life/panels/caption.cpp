#include "app/workspaces/life/panels/caption.h"

#include <imgui.h>

#include <algorithm>

#include "app/explain/bit_storage_text.h"
#include "app/gui/theme.h"
#include "app/widgets/choice.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/fixed_window.h"
#include "app/widgets/text.h"

namespace loom::app {
namespace {

constexpr float kDescriptionWidth = 46;  // of the longest description, in font sizes
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
  const float height = begin_caption("##caption", area, kDescriptionWidth, one_line);
  if (height == 0) return 0;
  const float width = remaining_width();
  const bool muted = !hovered && explained.empty();
  ImGui::PushStyleColor(ImGuiCol_Text, muted ? theme::colours().muted : theme::colours().text);
  if (!report.tiles_hidden_reason.empty() && !one_line) text.add("({})  ", report.tiles_hidden_reason);
  text.append(!explained.empty()                                  ? Text(explained)
              : hovered                                           ? describe(report, *hovered, alive)
              : one_line || width < kBrief * ImGui::GetFontSize() ? "Hover a cell: tile, thread"
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
