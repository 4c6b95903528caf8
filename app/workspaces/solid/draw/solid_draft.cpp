#include "app/workspaces/solid/draw/solid_draft.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/files/fractal_file.h"
#include "compute/core/error.h"

namespace loom::app {

void SolidDraft::set(Coord3 offset, bool on) {
  const std::uint64_t bit = std::uint64_t{1} << bit_of(offset);
  replicas = on ? replicas | bit : replicas & ~bit;
}

void SolidDraft::set_scale(Coord3 changed) {
  const auto side = [](std::uint32_t length) { return std::clamp(length, 1u, kMaxSolidScale); };
  scale = {side(changed.x), side(changed.y), side(changed.z)};
  const std::vector<Coord3> kept = offsets();
  replicas = 0;
  for (const Coord3& offset : kept) set(offset, true);
}

std::vector<Coord3> SolidDraft::offsets() const {
  std::vector<Coord3> offsets;
  for (std::uint32_t z = 0; z < scale.z; ++z) {
    for (std::uint32_t y = 0; y < scale.y; ++y) {
      for (std::uint32_t x = 0; x < scale.x; ++x) {
        if (at({x, y, z})) offsets.push_back({x, y, z});
      }
    }
  }
  return offsets;
}

SolidDraft draft_of(const SolidFractal& fractal) {
  SolidDraft draft{.name = fractal.name(), .scale = fractal.shape().scale};
  for (const Coord3& offset : fractal.offsets()) draft.set(offset, true);
  return draft;
}

SolidFractal fractal_of(const SolidDraft& draft) {
  if (!is_fractal_name(draft.name)) {
    throw InputError(
        fmt::format("this is not a name; allowed: 1 to {} characters on one line", kMaxFractalName));
  }
  return {draft.name, draft.scale, draft.offsets()};
}

}  // namespace loom::app
