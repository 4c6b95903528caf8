#include "app/program/open_scene.h"

#include "app/cli/options/device_selection.h"
#include "app/document/scene/scene_file.h"
#include "app/program/workspace_formats.h"

namespace loom::app {

std::optional<scene::Scene> open_scene(const SceneOptions& options) {
  if (!options.open) return std::nullopt;
  const BackendChoice backend = options.backend ? parse_backend(*options.backend) : BackendChoice::kAuto;
  return scene::read_file(
      *options.open, workspace_formats(),
      scene::capacity_check_for(select_backend(backend, read_device(options.device, backend))));
}

}  // namespace loom::app
