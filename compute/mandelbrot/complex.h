#pragma once

namespace loom {

template <typename Real>
struct Complex {
  Real re;
  Real im;
};

}  // namespace loom
