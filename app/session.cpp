#include "app/session.h"

#include <array>

#include "compute/core/named_choice.h"
#include "compute/engine/fastest_method.h"
#include "compute/fractal/nbb_catalog.h"

namespace loom::app {

std::string_view name_of(Workspace workspace) {
  return workspace == Workspace::kLife ? "life" : "mandelbrot";
}

Workspace parse_workspace(std::string_view name) {
  return parse_choice("workspace", name, std::array{Workspace::kLife, Workspace::kMandelbrot});
}

Settings default_settings() {
  FractalConfig config{
      .fractal = find_fractal("sierpinski-gasket"), .level = 9, .map = MapKind::kLambda, .block = 16};
  const MethodChoices fastest = fastest_method(BackendKind::kCpu, config.map);
  config.arithmetic = fastest.arithmetic;
  config.intra_block = fastest.intra_block;
  config.halo = fastest.halo;
  return Settings{.config = config, .rule = {}, .start = {}, .view = {}, .explorer = {}};
}

}  // namespace loom::app
