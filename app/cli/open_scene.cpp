#include "app/cli/open_scene.h"

#include <limits>

#include "app/cli/read_number.h"
#include "app/scene/scene_file.h"

namespace loom::app {

std::optional<scene::Scene> open_scene(const SceneOptions& options) {
  if (!options.open) return std::nullopt;
  const BackendChoice backend = options.backend ? parse_backend(*options.backend) : BackendChoice::kAuto;
  const int device = !options.device ? 0
                                     : static_cast<int>(read_whole_number("--device", *options.device, 0,
                                                                          std::numeric_limits<int>::max()));
  return scene::read_file(*options.open, scene::room_on(select_backend(backend, device)));
}

}  // namespace loom::app
