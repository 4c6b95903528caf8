#pragma once

#include <cstdint>
#include <optional>

#include "app/explain/space_layout.h"
#include "compute/geometry/nbb_fractal.h"
#include "render/camera.h"

namespace loom::app {

/// The part of a field of width x height units that the camera shows; nothing if it shows all of it.
std::optional<explain::UnitRect> visible_part(const render::Camera& camera, std::uint64_t width,
                                              std::uint64_t height);

/// True if a replica of level `of`, or a part of one, lies in this part of the field: level 0 is a cell,
/// `level` the square. 0 <= of <= level.
bool has_replicas(const NbbFractal& fractal, int level, int of, const render::Rect<double>& part);

}  // namespace loom::app
