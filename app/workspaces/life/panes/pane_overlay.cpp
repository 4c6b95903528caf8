#include "app/workspaces/life/panes/pane_overlay.h"

#include "app/explain/bit_storage_text.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/picture_cursor.h"
#include "app/workspaces/life/picture/age_overlay.h"
#include "app/workspaces/life/picture/grid_overlay.h"

namespace loom::app {

void draw_pane_overlay(ImDrawList& list, const Pane& pane, const PaneOverlay& overlay) {
  const Area& area = pane.area();
  if (area.empty()) return;
  list.PushClipRect(area.corner, area.end());
  const PictureView view = pane.view();
  const MapKind map = pane.async_engine->config().method.map;
  pane.draw_colours(list);
  if (overlay.settings.show_ages && overlay.ages != nullptr) draw_ages(list, view, *overlay.ages);
  if (overlay.settings.cell_grid) draw_cell_grid(list, view, pane.space);
  const bool blocks = explain::has_tiles(pane.async_engine->config());
  if (overlay.settings.tile_grid && blocks) draw_tile_grid(list, view, pane.space, map, pane.grid_memory());
  if (overlay.hovered && blocks) {
    const auto here = pane.space.place_at(static_cast<std::int64_t>(overlay.hovered->cell.x),
                                          static_cast<std::int64_t>(overlay.hovered->cell.y));
    if (here) draw_hovered(list, view, pane.space, *here, map);
    // Small cells of a comparison have a ring, so that the same one is found in each pane.
    if (here && overlay.compares && !overlay.explanation.point() && here->is_cell &&
        cell_side(view) < kMinGridSpacing)
      draw_ring(list, view, here->cell);
  }
  const ThreadExplanation& explanation = overlay.explanation;
  // The explanation dates from the beginning of the frame; the engine may have been replaced since.
  const bool of_this =
      explanation.space() != nullptr && explanation.space()->config() == pane.async_engine->config();
  const bool thread = blocks && of_this && explanation.thread();
  // The place in the picture is what λ computes.
  if (thread && !is_hidden(Control::kLambda))
    draw_thread(list, view, pane.cells_layout(), *explanation.thread());
  if (explanation.point() && !thread) draw_ring(list, view, *explanation.point());
  if (overlay.marked) draw_square(list, view, *overlay.marked);
  if (overlay.differs) draw_ring(list, view, *overlay.differs);
  if (overlay.editor != nullptr) overlay.editor->draw(list, view);
  if (overlay.cursor) {
    draw_picture_cursor(list, view.screen(glm::dvec2(overlay.cursor->x, overlay.cursor->y) + 0.5),
                        cell_side(view), view.is_light);
  }
  pane.mouse.draw(list);
  list.PopClipRect();
}

}  // namespace loom::app
