#include "app/mandelbrot/explorer_settings.h"

namespace loom::app {

std::string_view name_of(RegionOverlay overlay) {
  static constexpr std::array<std::string_view, 3> kNames = {"off", "levels", "kinds"};
  return kNames[static_cast<std::size_t>(overlay)];
}

}  // namespace loom::app
