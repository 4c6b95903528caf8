#include "app/panels/caption.h"

#include <fmt/format.h>
#include <imgui.h>

#include "app/gui/theme.h"
#include "app/widgets/format.h"
#include "app/widgets/palette_swatch.h"
#include "app/widgets/text.h"

namespace loom::app {
namespace {

enum class Swatch { kOutline, kFill, kDot };

// One legend entry; it goes on the same line as the one before where there is room.
void entry(Swatch swatch, const std::string& text, float right_edge) {
  const float side = ImGui::GetFontSize() * 0.8f;
  const float width = side + ImGui::GetStyle().ItemInnerSpacing.x + ImGui::CalcTextSize(text.c_str()).x;
  flow_to(width, ImGui::GetFontSize(), right_edge);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 low{at.x, at.y + (ImGui::GetTextLineHeight() - side) / 2};
  const ImVec2 high{low.x + side, low.y + side};
  if (swatch == Swatch::kOutline) list.AddRect(low, high, theme::kLaunchedBlock, 0, 0, 2);
  if (swatch == Swatch::kFill) {
    list.AddRectFilled(low, high, theme::kWastedBlock);
    list.AddRect(low, high, theme::kWastedOutline);
  }
  if (swatch == Swatch::kDot) {
    const float third = side / 3;
    list.AddRectFilled({low.x + third, low.y + third}, {high.x - third, high.y - third}, theme::kIdleThread);
  }
  ImGui::Dummy({side, ImGui::GetTextLineHeight()});
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::TextUnformatted(text.c_str());
}

std::string describe(const Report& report, const Place& place, bool alive) {
  const bool all_blocks = report.config.map == MapKind::kBoundingBox;
  std::string text = fmt::format("{} ({}, {})", place.is_cell ? alive ? "living cell" : "dead cell" : "hole",
                                 place.cell.x, place.cell.y);
  if (!all_blocks && !place.omega) return text + "  ·  no block is launched here";
  if (all_blocks) {
    text += fmt::format("  ·  block ({}, {})", place.block.x, place.block.y);
  } else {
    text += fmt::format("  ·  block ω = ({}, {})  λ→  ({}, {})", place.omega->x, place.omega->y, place.block.x,
                        place.block.y);
  }
  text += fmt::format("  ·  thread ({}, {})", place.thread.x, place.thread.y);
  if (!place.omega) return text + " idle: a block without cells";
  return text + (place.is_cell ? " works on it" : " idles");
}

}  // namespace

float caption(const Area& area, const Report& report, const render::Palette& palette,
              const std::optional<Place>& hovered, bool alive) {
  const float font = ImGui::GetFontSize();
  if (area.width < 12 * font || area.height < 12 * font) return 0;
  const bool brief = area.width < 40 * font;
  const LaunchCount count = report.space.launch_count(report.config.map);
  const std::uint64_t idle_inside = count.occupied_blocks * report.space.blocked().block_area() - count.cells;
  ImGui::SetNextWindowPos({area.x, area.y + area.height}, ImGuiCond_Always, {0, 1});
  ImGui::SetNextWindowSizeConstraints({area.width, 0}, {area.width, area.height * 0.5f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::Begin("##caption", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoFocusOnAppearing |
                   ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar();
  const float right = ImGui::GetCursorScreenPos().x + area.width - 2 * ImGui::GetStyle().WindowPadding.x;
  palette_legend(palette);
  entry(Swatch::kOutline, plural(count.occupied_blocks, "block") + (brief ? "" : " with cells"), right);
  entry(Swatch::kDot, brief ? format_count(idle_inside) + " idle" : plural(idle_inside, "idle thread") + " in them",
        right);
  if (count.empty_blocks() == 0) {
    entry(Swatch::kFill, brief ? "none for nothing" : "no block launched for nothing", right);
  } else {
    entry(Swatch::kFill,
          brief ? format_count(count.empty_blocks()) + " for nothing"
                : plural(count.empty_blocks(), "block") + " launched for nothing",
          right);
  }
  ImGui::PushStyleColor(ImGuiCol_Text, hovered ? theme::kText : theme::kMuted);
  ImGui::PushTextWrapPos(right - ImGui::GetWindowPos().x);
  ImGui::TextUnformatted(hovered ? describe(report, *hovered, alive).c_str()
                                 : brief ? "Hover a cell: its block, its thread"
                                         : "Hover the picture to see a cell's block and thread.");
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  const float height = ImGui::GetWindowHeight();
  ImGui::End();
  return height;
}

}  // namespace loom::app
