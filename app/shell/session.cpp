#include "app/shell/session.h"

#include <array>

#include "compute/backend/fastest_method.h"
#include "compute/core/named_choice.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {

std::string_view name_of(Workspace workspace) {
  return workspace == Workspace::kLife ? "life" : "mandelbrot";
}

Workspace parse_workspace(std::string_view name) {
  return parse_choice("workspace", name, std::array{Workspace::kLife, Workspace::kMandelbrot});
}

Settings default_settings() {
  FractalConfig config{.fractal = find_fractal("sierpinski-gasket"),
                       .level = 9,
                       .block = 16,
                       .method = fastest_method(MapKind::kLambda)};
  return Settings{.config = config, .rule = {}, .start = {}, .view = {}, .explorer = {}};
}

}  // namespace loom::app
