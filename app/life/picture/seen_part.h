#pragma once

#include <cstdint>
#include <optional>

#include "app/life/scene/life_view.h"
#include "app/teach/space_layout.h"
#include "compute/geometry/nbb_fractal.h"
#include "render/camera.h"

namespace loom::app {

/// What of a field of so many units the camera sees; nothing where that is all of it.
std::optional<teach::UnitBox> seen_part(const render::Camera& camera, std::uint64_t width,
                                        std::uint64_t height);

/// Whether a replica of level `of`, or a piece of one, lies in this part of the field of a level: a cell for
/// 0, the square for the level itself. 0 <= of <= level.
bool has_replicas(const NbbFractal& fractal, int level, int of, const FieldPart& part);

}  // namespace loom::app
