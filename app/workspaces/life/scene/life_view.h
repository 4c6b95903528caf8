#pragma once

#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "render/camera.h"

namespace loom::app {

/// The view of a camera; nothing if the camera is fitted to the whole field.
inline std::optional<render::Camera::View> view_of(const render::Camera& camera) {
  if (camera.fitted()) return std::nullopt;
  return camera.view();
}

/// The view that shows a part of a field, in cells, as large as it fits. Cells are square, except in fields
/// so long that the camera stretches them (Camera::CellShape::kAuto); there the part fills the picture.
render::Camera::View view_of_part(const render::Rect<double>& part, glm::dvec2 field);

inline constexpr std::size_t kMaxPartText = 1 << 20;  ///< bytes

/// Reads a region of the square: "x, y, x2, y2". Throws InputError.
render::Rect<double> parse_part(std::string_view text);
/// A text that parse_part() reads as exactly the same region.
std::string text_of(const render::Rect<double>& part);

inline void look_at(render::Camera& camera, const std::optional<render::Camera::View>& view) {
  view ? camera.look_at(*view) : camera.fit();
}

}  // namespace loom::app
