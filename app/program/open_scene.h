#pragma once

#include <optional>

#include "app/cli/options/scene_options.h"
#include "app/document/scene/scene.h"

namespace loom::app {

/// The scene of --open; empty if it was not typed. Throws as scene::read_file(), CapacityError if the
/// selected backend has not enough memory for its cells.
std::optional<scene::Scene> open_scene(const SceneOptions& options);

}  // namespace loom::app
