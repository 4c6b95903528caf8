#pragma once

#include <optional>

#include "app/explain/map_steps.h"
#include "compute/map/dispatch.h"
#include "configurations.h"

namespace loom::app::explain::tests {

/// Calls `use` with the arithmetic that the engines use.
template <typename Use>
void with_arithmetic_of(const ThreadSpace& space, MapArithmetic arithmetic, const Use& use) {
  with_width(space.tiled(), [&]<typename Int>(Int) {
    with_arithmetic<Int>({.map = MapKind::kLambda, .arithmetic = arithmetic}, space.tiled(),
                         space.tables().view(), use);
  });
}

/// lambda, computed with the arithmetic of the engines.
inline Coord64 lambda_by(const ThreadSpace& space, MapArithmetic arithmetic, Coord64 omega) {
  Coord64 place;
  with_arithmetic_of(space, arithmetic, [&](const auto& engines) {
    using Int = decltype(engines.lambda({}).x);
    place = widened(engines.lambda(narrowed<Int>(omega)));
  });
  return place;
}
/// nu, computed with the arithmetic of the engines.
inline std::optional<Coord64> nu_by(const ThreadSpace& space, MapArithmetic arithmetic, Coord64 place) {
  std::optional<Coord64> omega;
  with_arithmetic_of(space, arithmetic, [&](const auto& engines) {
    if constexpr (requires { engines.nu({}); }) {
      using Int = decltype(engines.lambda({}).x);
      const auto found = engines.nu(narrowed<Int>(place));
      if (found.present) omega = widened(found.omega);
    }
  });
  return omega;
}

/// `occupied` in half of the cases, else a random position.
inline Coord64 random_place(const ThreadSpace& space, Coord64 occupied) {
  if (*rc::gen::inRange(0, 2) == 0) return occupied;
  return {random_below(space.tiled().grid_x), random_below(space.tiled().grid_y)};
}

inline Coord64 random_omega(const ThreadSpace& space) {
  return {random_below(space.tiled().orthotope_x), random_below(space.tiled().orthotope_y)};
}

}  // namespace loom::app::explain::tests
