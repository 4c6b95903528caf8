#include "app/workspaces/solid/scene/solid_settings.h"

#include "compute/core/coord3.h"

namespace loom::app {

int solid_start_level(const SolidFractal& fractal) {
  constexpr int kHighest = 9;
  constexpr std::uint64_t kPoints = std::uint64_t{1} << 20;
  int level = 0;
  while (level < kHighest && level < fractal.max_level() && volume(fractal.size(level + 1)) <= kPoints)
    ++level;
  return level;
}

}  // namespace loom::app
