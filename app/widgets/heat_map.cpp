#include "app/widgets/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/gui/theme.h"
#include "app/widgets/choice.h"

namespace loom::app {
namespace {

ImU32 colour_at(const render::Palette& palette, double place) {
  const render::Rgb colour =
      palette.ramp[static_cast<std::size_t>(std::lround(255 * std::clamp(place, 0.0, 1.0)))];
  return IM_COL32(colour.r, colour.g, colour.b, 255);
}

}  // namespace

std::optional<std::size_t> heat_map(const HeatMap& map, const render::Palette& palette, float width,
                                    const std::function<std::string(std::size_t)>& describe) {
  const float font = ImGui::GetFontSize();
  const float small = font * 0.72f;
  const float labels = small * 1.9f;
  const float cell = std::max(4.0f, std::floor((width - labels) / static_cast<float>(map.side)));
  const float edge = cell * static_cast<float>(map.side);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 muted = ImGui::GetColorU32(theme::kMuted);
  ImFont* const typeface = ImGui::GetFont();
  list.AddText({at.x + labels, at.y}, ImGui::GetColorU32(ImGuiCol_Text), map.title);
  const ImVec2 grid{at.x + labels, at.y + font * 1.25f};
  for (std::size_t i = 0; i < map.side; ++i) {
    const std::string number = fmt::format("{}", 2u << i);
    const float width_of = typeface->CalcTextSizeA(small, 1000, 0, number.c_str()).x;
    const float offset = cell * static_cast<float>(i);
    list.AddText(typeface, small, {grid.x - width_of - small * 0.25f, grid.y + offset + (cell - small) / 2},
                 muted, number.c_str());
    // Label every other column: three digits do not fit in each.
    if (i % 2 == 0) {
      list.AddText(typeface, small, {grid.x + offset + (cell - width_of) / 2, grid.y + edge + small * 0.1f},
                   muted, number.c_str());
    }
  }
  list.AddText(typeface, small, {at.x, grid.y - small * 1.15f}, muted, map.rows);
  list.AddText(typeface, small, {at.x + small * 0.6f, grid.y + edge + small * 0.1f}, muted, map.columns);

  const auto corner = [&](std::size_t index) {
    return ImVec2{grid.x + cell * static_cast<float>(index % map.side),
                  grid.y + cell * static_cast<float>(index / map.side)};
  };
  const double span = std::max(map.high - map.low, 1e-9);
  for (std::size_t i = 0; i < map.values.size(); ++i) {
    const ImVec2 low = corner(i);
    const ImVec2 high{low.x + cell - 1, low.y + cell - 1};
    if (map.values[i]) {
      list.AddRectFilled(low, high, colour_at(palette, (*map.values[i] - map.low) / span));
    } else {
      list.AddRect(low, high, ImGui::GetColorU32(ImGuiCol_FrameBg));
    }
  }
  const auto mark = [&](std::size_t index, ImU32 colour, float inset) {
    const ImVec2 low = corner(index);
    list.AddRect({low.x + inset, low.y + inset}, {low.x + cell - 1 - inset, low.y + cell - 1 - inset}, colour,
                 0, 0, 2);
  };
  if (map.present) mark(*map.present, ImGui::GetColorU32(theme::kWarning), -1);
  if (map.best) mark(*map.best, IM_COL32_WHITE, 1.5f);

  ImGui::PushID(map.title);
  ImGui::PushID(&map.values[0]);
  ImGui::InvisibleButton("##cells", {labels + edge, font * 1.25f + edge + small * 1.2f});
  ImGui::PopID();
  ImGui::PopID();
  const ImVec2 mouse = ImGui::GetMousePos();
  const bool inside = ImGui::IsItemHovered() && mouse.x >= grid.x && mouse.y >= grid.y &&
                      mouse.x < grid.x + edge && mouse.y < grid.y + edge;
  if (!inside) return std::nullopt;
  const auto column = static_cast<std::size_t>((mouse.x - grid.x) / cell);
  const auto row = static_cast<std::size_t>((mouse.y - grid.y) / cell);
  const std::size_t index = std::min(row, map.side - 1) * map.side + std::min(column, map.side - 1);
  mark(index, ImGui::GetColorU32(theme::kAccent), 0);
  tooltip(describe(index));
  return ImGui::IsItemClicked() ? std::optional(index) : std::nullopt;
}

}  // namespace loom::app
