#pragma once

#include <optional>

#include "render/camera.h"

namespace loom::app {

/// What a camera looks at in a field.
struct LifeView {
  render::Camera::Sight x;
  render::Camera::Sight y;
  friend bool operator==(const LifeView&, const LifeView&) = default;
};

/// Nothing where it is fitted to the whole field.
inline std::optional<LifeView> view_of(const render::Camera& camera) {
  if (camera.fitted()) return std::nullopt;
  return LifeView{camera.sight_x(), camera.sight_y()};
}

inline void look_at(render::Camera& camera, const std::optional<LifeView>& view) {
  view ? camera.look_at(view->x, view->y) : camera.fit();
}

}  // namespace loom::app
