#pragma once

#include <optional>

#include "app/cli/scene_options.h"
#include "app/scene/scene.h"

namespace loom::app {

/// The scene of --open; nothing where it was not typed. Throws as scene::read_file() does, CapacityError
/// where there is no room for its cells on the backend that was chosen.
std::optional<scene::Scene> open_scene(const SceneOptions& options);

}  // namespace loom::app
