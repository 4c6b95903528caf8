#pragma once

#include <optional>

#include "render/camera.h"

namespace loom::app {

/// The part of a field that a camera shows.
struct LifeView {
  render::Camera::AxisView x;
  render::Camera::AxisView y;
  friend bool operator==(const LifeView&, const LifeView&) = default;
};

/// The view of a camera; nothing if the camera is fitted to the whole field.
inline std::optional<LifeView> view_of(const render::Camera& camera) {
  if (camera.fitted()) return std::nullopt;
  return LifeView{camera.view_x(), camera.view_y()};
}

/// A part of a field, in cells.
struct FieldPart {
  double x = 0;
  double y = 0;
  double width = 1;
  double height = 1;
};

/// The view that shows a part of a field as large as it fits. Cells are square, except in fields so long that
/// the camera stretches them (Camera::CellShape::kAuto); there the part fills the picture.
LifeView view_of_part(const FieldPart& part, double field_width, double field_height);
/// The part that a camera shows, which may extend beyond the field.
FieldPart part_of(const render::Camera& camera);

inline void look_at(render::Camera& camera, const std::optional<LifeView>& view) {
  view ? camera.look_at(view->x, view->y) : camera.fit();
}

}  // namespace loom::app
