#pragma once

#include <cstdint>
#include <optional>

#include "app/teach/space_layout.h"
#include "render/camera.h"

namespace loom::app {

/// What of a field of so many units the camera sees; nothing where that is all of it.
std::optional<teach::UnitBox> seen_part(const render::Camera& camera, std::uint64_t width,
                                        std::uint64_t height);

}  // namespace loom::app
