#pragma once

#include "compute/core/host_device.h"

namespace loom {

template <typename Real>
struct Complex {
  Real re;
  Real im;
};

/// a b + c: rounded once on devices, twice on hosts. Where it is written out, compilers have nothing to
/// contract, so that all kernels round alike.
template <typename Real>
LOOM_HOST_DEVICE Real multiply_add(Real a, Real b, Real c) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Real) == 4) {
    return __fmaf_rn(a, b, c);
  } else {
    return __fma_rn(a, b, c);
  }
#else
  return a * b + c;
#endif
}

/// a b + c for complex numbers.
template <typename Real>
LOOM_HOST_DEVICE Complex<Real> multiply_add(Complex<Real> a, Complex<Real> b, Complex<Real> c) {
  return {multiply_add(a.re, b.re, multiply_add(-a.im, b.im, c.re)),
          multiply_add(a.re, b.im, multiply_add(a.im, b.re, c.im))};
}
template <typename Real>
LOOM_HOST_DEVICE Complex<Real> multiply(Complex<Real> a, Complex<Real> b) {
  return {multiply_add(a.re, b.re, -(a.im * b.im)), multiply_add(a.re, b.im, a.im * b.re)};
}
template <typename Real>
LOOM_HOST_DEVICE Real square_of_length(Complex<Real> z) {
  return multiply_add(z.re, z.re, z.im * z.im);
}

/// |z|^2 to the precision in which sizes are compared.
template <typename Real>
LOOM_HOST_DEVICE Real plain_square(Complex<Real> z) {
  return square_of_length(z);
}

}  // namespace loom
