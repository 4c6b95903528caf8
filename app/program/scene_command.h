#pragma once

#include <optional>
#include <string>

#include "app/document/scene/scene.h"
#include "app/workspaces/life/scene/life_view.h"
#include "compute/backend/engine_factory.h"
#include "render/extent.h"

namespace loom::app {

/// Input of a command line in addition to the scene.
struct CommandOptions {
  render::Extent window;
  std::optional<FieldPart> part = {};  ///< visible region of the cells; empty: all cells
  BackendSelection backend = {};  ///< the running backend; its devices are named if the work is distributed
};

/// The command line that opens exactly this scene, quoted for a shell. The cells of the scene must be those
/// of a start. The result is parsed again and compared; throws InputError that names what no option can
/// express.
std::string command_of(const scene::Scene& scene, const CommandOptions& command_options);

}  // namespace loom::app
