#include "app/workspaces/mandelbrot/scene/point_under_cursor.h"

#include <algorithm>

namespace loom::app {

std::optional<std::uint32_t> PointUnderCursor::read_dwell(const HoveredPoint& point, render::Extent picture,
                                                          const DwellRunner& runner) {
  const render::Extent image = runner.image_size();
  row_.resize(static_cast<std::size_t>(image.width));
  // Selects the same texel as the shader.
  const auto texel = [](int pixel, int texels, int pixels) {
    return static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(std::int64_t{pixel} * texels / pixels, 0, texels - 1));
  };
  runner.engine().read_dwells(texel(point.pixel_y, image.height, picture.height), row_);
  return row_[texel(point.pixel_x, image.width, picture.width)];
}

void PointUnderCursor::look(const std::optional<ComplexPoint>& pixel, const ComplexView& view,
                            render::Extent picture, const DwellRunner& runner) {
  if (!pixel) {
    hovered_.reset();
    if (!once_) last_ = {view.re, view.im};
    return;
  }
  once_ = true;
  HoveredPoint found;
  found.point = point_at(view, picture, pixel->re, pixel->im);
  found.pixel_x = static_cast<int>(pixel->re);
  found.pixel_y = static_cast<int>(pixel->im);
  last_ = found.point;
  const bool of_view =
      runner.has_picture() && runner.request().view == view && runner.request().picture == picture;
  const bool same_pixel =
      hovered_ && hovered_->pixel_x == found.pixel_x && hovered_->pixel_y == found.pixel_y;
  if (of_view && same_pixel && !stale_) {
    found.dwell = hovered_->dwell;
  } else if (of_view && !runner.busy()) {
    found.dwell = read_dwell(found, picture, runner);
    stale_ = false;
  }
  const auto x = static_cast<std::uint32_t>(found.pixel_x);
  const auto y = static_cast<std::uint32_t>(found.pixel_y);
  for (const MandelbrotRegion& region : of_view ? runner.regions() : std::span<const MandelbrotRegion>()) {
    const bool inside = x - region.x < region.width && y - region.y < region.height;
    if (inside && (!found.region || region.level > found.region->level)) found.region = region;
  }
  hovered_ = found;
}

}  // namespace loom::app
