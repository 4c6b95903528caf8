#pragma once

#include <cmath>

#include "compute/core/host_device.h"

namespace loom {

/// IEEE operations, each rounded to nearest, that no compiler contracts into a fused multiply-add, so that
/// hosts and devices agree bit for bit. Host code that includes this header is compiled with
/// -ffp-contract=off (compute/CMakeLists.txt).
template <typename Real>
LOOM_HOST_DEVICE Real rounded_add(Real a, Real b) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Real) == 4) {
    return __fadd_rn(a, b);
  } else {
    return __dadd_rn(a, b);
  }
#else
  return a + b;
#endif
}

template <typename Real>
LOOM_HOST_DEVICE Real rounded_subtract(Real a, Real b) {
  return rounded_add(a, -b);
}

template <typename Real>
LOOM_HOST_DEVICE Real rounded_multiply(Real a, Real b) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Real) == 4) {
    return __fmul_rn(a, b);
  } else {
    return __dmul_rn(a, b);
  }
#else
  return a * b;
#endif
}

template <typename Real>
LOOM_HOST_DEVICE Real rounded_divide(Real a, Real b) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Real) == 4) {
    return __fdiv_rn(a, b);
  } else {
    return __ddiv_rn(a, b);
  }
#else
  return a / b;
#endif
}

template <typename Real>
LOOM_HOST_DEVICE Real rounded_root(Real a) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Real) == 4) {
    return __fsqrt_rn(a);
  } else {
    return __dsqrt_rn(a);
  }
#else
  return std::sqrt(a);
#endif
}

/// 2 p + c. The doubling is exact, so that one fused operation on the device rounds like two operations on
/// the host.
template <typename Real>
LOOM_HOST_DEVICE Real rounded_double_add(Real p, Real c) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Real) == 4) {
    return __fmaf_rn(Real{2}, p, c);
  } else {
    return __fma_rn(Real{2}, p, c);
  }
#else
  return (p + p) + c;
#endif
}

/// 4 p + c, in the same way.
template <typename Real>
LOOM_HOST_DEVICE Real rounded_quadruple_add(Real p, Real c) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Real) == 4) {
    return __fmaf_rn(Real{4}, p, c);
  } else {
    return __fma_rn(Real{4}, p, c);
  }
#else
  return Real{4} * p + c;
#endif
}

}  // namespace loom
