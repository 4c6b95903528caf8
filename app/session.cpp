#include "app/session.h"

#include "compute/engine/fastest_method.h"
#include "compute/fractal/nbb_catalog.h"

namespace loom::app {

Settings default_settings() {
  FractalConfig config{
      .fractal = find_fractal("sierpinski-gasket"), .level = 9, .map = MapKind::kLambda, .block = 16};
  const MethodChoices fastest = fastest_method(BackendKind::kCpu, config.map);
  config.arithmetic = fastest.arithmetic;
  config.intra_block = fastest.intra_block;
  config.halo = fastest.halo;
  return Settings{.config = config, .rule = {}, .start = {}, .view = {}};
}

}  // namespace loom::app
