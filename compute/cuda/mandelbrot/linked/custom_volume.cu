// The kernels of custom formulas in space, whose step is compiled at run time (custom/custom_kernels.cpp) and
// linked with this code. It is no part of the program's own device code.

#include "compute/mandelbrot/volume.h"

extern "C" {
// The next point of an orbit; whether a point is within the escape radius.
__device__ void loom_next_in_space(double* x, double* y, double* z, double c_x, double c_y, double c_z);
__device__ bool loom_is_inside(double x, double y, double z);
}

namespace loom::cuda {
namespace {

struct CustomStep {
  static __device__ bool is_inside(const Quaternion& v) { return loom_is_inside(v.x, v.y, v.z); }
  static __device__ Quaternion next(Quaternion v, const Quaternion& c) {
    loom_next_in_space(&v.x, &v.y, &v.z, c.x, c.y, c.z);
    return v;
  }
};

}  // namespace
}  // namespace loom::cuda

// In these files, that step is the only one.
#define LOOM_VOLUME_STEP CustomStep
// clang-format off
#include "compute/cuda/mandelbrot/dp/dp_volume.cuh"
#include "compute/cuda/mandelbrot/region/volume_kernels.cuh"
