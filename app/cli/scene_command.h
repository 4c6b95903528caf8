#pragma once

#include <optional>
#include <string>

#include "app/life/scene/life_view.h"
#include "app/scene/scene.h"
#include "compute/backend/engine_factory.h"
#include "render/extent.h"

namespace loom::app {

/// What a command has to say beside the scene.
struct CommandWish {
  render::Extent window;
  render::Extent picture;              ///< of the Mandelbrot workspace: how much precision its view needs
  std::optional<FieldPart> part = {};  ///< of the cells, where not all of them are looked at
  BackendSelection backend = {};       ///< that runs: where something is shared out, its devices are named
};

/// The command line that opens exactly this scene, by options, quoted for a shell. The scene's cells are
/// those of a start. It is read again by the program's own reader and compared: throws InputError that names
/// what no option says.
std::string command_of(const scene::Scene& scene, const CommandWish& wish);

}  // namespace loom::app
