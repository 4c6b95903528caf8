// Overlays of the Mandelbrot workspace.

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/widgets/picture_hint.h"
#include "app/workspaces/mandelbrot/mandelbrot_workspace.h"
#include "app/workspaces/mandelbrot/picture/device_overlay.h"
#include "app/workspaces/mandelbrot/picture/difference_overlay.h"
#include "app/workspaces/mandelbrot/picture/divergence_overlay.h"
#include "app/workspaces/mandelbrot/picture/region_overlay.h"

namespace loom::app {

void MandelbrotWorkspace::overlays(ImDrawList& list) {
  const Area area = pane_area(settings_.config.method);
  const float scale = scale_;
  const MandelbrotSettings& settings = settings_;
  if (area.empty()) return;
  const render::Rect<int> inset = julia_inset();
  const auto on_screen = [&](const render::Rect<int>& pixels) {
    return Area{area.corner + glm::vec2(pixels.corner) / scale, glm::vec2(pixels.size) / scale};
  };
  const Area julia = on_screen(inset);
  const glm::vec2 end = area.end();
  list.PushClipRect(area.corner, end);
  // Overlays of the displayed picture are drawn at its position.
  const render::Rect<int> place = picture_rect();
  const Area marked = on_screen(place);
  const float marks_scale = scale *
                            static_cast<float>(displayed_picture_ ? displayed_picture_->size.x : picture_.x) /
                            static_cast<float>(place.size.x);
  if (settings.overlay == RegionOverlay::kDivergence) {
    measure_divergence();
    if (!divergence_.counts()) divergence_drawn_ = false;
    if (divergence_.counts() && !std::exchange(divergence_drawn_, true))
      upload_divergence(*divergence_.counts(), divergence_texture_);
  }
  if (settings.overlay == RegionOverlay::kLevels || settings.overlay == RegionOverlay::kQuantities) {
    marks_.request(runner_.regions(), runner_.regions_number(),
                   {.overlay = settings.overlay, .up_to = levels_.shown(), .scale = scale});
  } else {
    marks_.forget();
  }
  if (settings.overlay != RegionOverlay::kOff) {
    // Clip the overlay around the Julia set inset, which is already drawn.
    const auto draw_in = [&](glm::vec2 low, glm::vec2 high) {
      list.PushClipRect(low, high, true);
      if (settings.overlay == RegionOverlay::kDevices) {
        draw_devices(list, marked, marks_scale * static_cast<float>(std::max(runner_.divisor(), 1)),
                     runner_.parts());
      } else if (settings.overlay != RegionOverlay::kDivergence) {
        draw_marks(list, marked, marks_scale, marks_.marks());
      } else if (divergence_.counts()) {
        draw_divergence(list, marked, marks_scale, *divergence_.counts(), divergence_texture_);
      }
      list.PopClipRect();
    };
    const float split = julia.empty() ? end.y : julia.corner.y;
    draw_in(area.corner, {end.x, split});
    if (split < end.y) draw_in({julia.end().x, split}, end);
  }
  if (settings.show_timeline && timeline_.level()) {
    level_marks_.request(runner_.regions(), runner_.regions_number(),
                         {.only = timeline_.level(), .scale = scale});
    draw_marks(list, marked, marks_scale, level_marks_.marks());
    draw_text_line(list, area, unmarked_reason(runner_.regions(), *timeline_.level()));
  } else {
    level_marks_.forget();
  }
  if (const auto& check = runner_.checked()) draw_differences(list, marked, marks_scale, check->differences);
  // Beyond double, all other points of the orbit are far outside.
  if (settings.orbit && !view().decimal && cursor_.hovered() &&
      (key_cursor_.shown() || mouse_area_.corner == area.corner)) {
    draw_orbit(list, area, scale, view(), picture_, cursor_.hovered()->point, settings.config.dwell_limit);
  }
  if (is_outside(view(), picture_))
    picture_hint(list, area, "The Mandelbrot set is outside this view. F fits it");
  if (!julia.empty()) draw_julia_frame(list, julia, cursor_.last());
  if (key_cursor_.shown()) {
    const glm::vec2 middle = area.corner + glm::vec2(*hovered_pixel()) / scale;
    draw_picture_cursor(list, middle, 1 / scale, false);
  }
  list.PopClipRect();
  other_overlays(list);
  list.PushClipRect(mouse_area_.corner, mouse_area_.end());
  mouse_.draw(list);
  list.PopClipRect();
}

// Counts divergence once per picture and only on request, because it reads all dwells.
void MandelbrotWorkspace::measure_divergence() {
  const bool whole = runner_.has_picture() && runner_.divisor() == 1 && !runner_.busy() && !new_picture_;
  if (whole)
    divergence_.request(runner_.engine(), runner_.request().config, runner_.image_size(), runner_.regions());
  divergence_.poll(services_.waits);
}

}  // namespace loom::app
