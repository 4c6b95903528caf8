#include "app/widgets/landscape_plot.h"

#include <utility>

#include "app/gui/theme.h"
#include "app/plot/landscape_diagram.h"
#include "app/widgets/diagram_painter.h"
#include "app/widgets/pane_window.h"
#include "app/widgets/tooltip.h"

namespace loom::app {

void LandscapePlot::set(plot::LandscapeFigure landscape) {
  landscape_ = std::move(landscape);
  drawing_.reset();
}

std::optional<CostCut> LandscapePlot::show(glm::vec2 size, const Describe& describe) {
  const float font = ImGui::GetFontSize();
  if (!drawing_ || size != size_ || font != font_) {
    size_ = size;
    font_ = font;
    drawing_ = plot::landscape_diagram(landscape_, window_text_width(), size / font);
  }
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const diagram::Hotspot* const hovered = draw_at_cursor(*drawing_, font);
  if (hovered == nullptr) return std::nullopt;
  const Area cell = area_of(hovered->box, at, font);
  ImGui::GetWindowDrawList()->AddRect(cell.corner, cell.end(), ImGui::GetColorU32(theme::colours().accent), 0,
                                      0, 2);
  const CostCut cut = plot::cut_of(landscape_, hovered->tag);
  tooltip_of(cell, describe(cut, plot::value_at(landscape_, cut)));
  return ImGui::IsMouseClicked(ImGuiMouseButton_Left) ? std::optional(cut) : std::nullopt;
}

}  // namespace loom::app
