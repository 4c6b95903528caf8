#pragma once

#include <cmath>
#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/mandelbrot/complex.h"
#include "compute/mandelbrot/double_double.h"
#include "compute/mandelbrot/float_exp.h"
#include "compute/perturbation/orbit_tracking.h"

// Orbits that never escape, which would otherwise be iterated to the dwell limit
// (docs/explanation/deep-zoom.md, Interiors). Orbit is a Perturbed.

namespace loom {

/// Looks for a cycle in the returns of an orbit to point 0. From there the rest of the orbit depends on its
/// distance z alone.
template <typename Real>
class CycleSearch {
 public:
  /// Takes the next return, at `at`. Whether z has come back bit for bit (Brent's search): the orbit as
  /// computed never ends.
  template <typename Progress>
  LOOM_HOST_DEVICE bool add(const Progress& at) {
    const ComplexExp<Real> z = at.exact_z();
    if (returns_ > 0 && at.is_wide == saved_wide_ && (z - saved_).larger().is_zero()) return true;
    if (++returns_ == save_at_) {
      saved_ = z;
      saved_wide_ = at.is_wide;
      save_at_ *= 2;
    }
    return false;
  }

 private:
  ComplexExp<Real> saved_;
  bool saved_wide_ = false;
  std::uint32_t returns_ = 0;
  std::uint32_t save_at_ = 1;
};

/// Goes on from a return to point 0 with a search.
template <typename Orbit>
LOOM_HOST_DEVICE typename Orbit::Run run_searching(const Orbit& orbit, typename Orbit::Progress& at,
                                                   const typename Orbit::Distance& c, std::uint32_t limit,
                                                   typename Orbit::Tracking& tracking) {
  using Search = CycleSearch<typename Orbit::Value>;
  Search search;
  for (;;) {
    if (search.add(at)) {
      at.uncertain = tracking.is_lost();
      return Orbit::Run::kLimit;
    }
    const typename Orbit::Run ended = orbit.advance(at, c, limit, 0, tracking);
    if (ended != Orbit::Run::kReturn) return ended;
  }
}

}  // namespace loom
