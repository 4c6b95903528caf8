#include "app/widgets/landscape_plot.h"

#include "app/gui/theme.h"
#include "app/plot/landscape_diagram.h"
#include "app/widgets/diagram_painter.h"
#include "app/widgets/pane_window.h"
#include "app/widgets/tooltip.h"

namespace loom::app {

std::optional<CostCut> landscape_plot(
    const plot::LandscapeFigure& landscape, ImVec2 size,
    const std::function<std::string(const CostCut& cut, std::optional<double> value)>& describe) {
  const float font = ImGui::GetFontSize();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const diagram::Diagram drawing =
      plot::landscape_diagram(landscape, window_text_width(), plot::PlotSize{size.x / font, size.y / font});
  const diagram::Hotspot* const hovered = draw_at_cursor(drawing, font);
  if (hovered == nullptr) return std::nullopt;
  const Area cell = area_of(hovered->box, at.x, at.y, font);
  ImGui::GetWindowDrawList()->AddRect({cell.x, cell.y}, {cell.x + cell.width, cell.y + cell.height},
                                      ImGui::GetColorU32(theme::kAccent), 0, 0, 2);
  const CostCut cut = plot::cut_of(landscape, hovered->tag);
  tooltip_of(cell, describe(cut, plot::value_at(landscape, cut)));
  return ImGui::IsMouseClicked(ImGuiMouseButton_Left) ? std::optional(cut) : std::nullopt;
}

}  // namespace loom::app
