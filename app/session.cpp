#include "app/session.h"

#include "compute/fractal/nbb_catalog.h"

namespace loom::app {

Settings default_settings() {
  return Settings{.config = {.fractal = find_fractal("sierpinski-gasket"),
                             .level = 9,
                             .map = MapKind::kLambda,
                             .block = 16},
                  .rule = {},
                  .start = {},
                  .view = {}};
}

}  // namespace loom::app
