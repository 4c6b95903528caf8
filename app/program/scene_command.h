#pragma once

#include <glm/vec2.hpp>
#include <optional>
#include <string>

#include "app/document/scene/scene.h"
#include "compute/backend/engine_factory.h"
#include "render/camera.h"

namespace loom::app {

/// Input of a command line in addition to the scene.
struct CommandOptions {
  glm::ivec2 window{0};
  std::optional<render::Rect<double>> part = {};  ///< visible region of the cells; empty: all cells
  BackendSelection backend = {};  ///< the running backend; its devices are named if the work is distributed
};

/// The command line that opens exactly this scene, quoted for a shell. The cells of the scene must be those
/// of a start. What its options open is compared; throws InputError that names what no option can express.
std::string command_of(const scene::Scene& scene, const CommandOptions& command_options);

}  // namespace loom::app
