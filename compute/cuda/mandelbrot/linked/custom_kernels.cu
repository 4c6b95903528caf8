// The kernels of custom formulas: those of DirectFormula, whose orbits are computed by functions that are
// compiled at run time (custom/custom_kernels.cpp) and linked with this code. It is no part of the program's
// own device code.

#include "compute/cuda/mandelbrot/dp/dynamic_parallelism.cuh"
#include "compute/cuda/mandelbrot/mandelbrot_kernels.cuh"
#include "compute/mandelbrot/smooth_dwell.h"

extern "C" {
// The dwell of an orbit that is at (x, y) after `count` steps; its point `steps` steps later.
__device__ unsigned loom_orbit_f32(float x, float y, float re, float im, unsigned count, unsigned limit);
__device__ unsigned loom_orbit_f64(double x, double y, double re, double im, unsigned count, unsigned limit);
__device__ void loom_point_f32(float* x, float* y, float re, float im, unsigned steps);
__device__ void loom_point_f64(double* x, double* y, double re, double im, unsigned steps);
__device__ unsigned loom_degree();
}

namespace loom::cuda {
namespace {

__device__ std::uint32_t orbit_of(Complex<float> z, Complex<float> c, std::uint32_t count,
                                  std::uint32_t limit) {
  return loom_orbit_f32(z.re, z.im, c.re, c.im, count, limit);
}
__device__ std::uint32_t orbit_of(Complex<double> z, Complex<double> c, std::uint32_t count,
                                  std::uint32_t limit) {
  return loom_orbit_f64(z.re, z.im, c.re, c.im, count, limit);
}
__device__ void move(Complex<float>& z, Complex<float> c, std::uint32_t steps) {
  loom_point_f32(&z.re, &z.im, c.re, c.im, steps);
}
__device__ void move(Complex<double>& z, Complex<double> c, std::uint32_t steps) {
  loom_point_f64(&z.re, &z.im, c.re, c.im, steps);
}

/// The evaluator of a custom formula, laid out as DirectFormula, which the host passes.
template <typename Real>
struct CustomPoints : DirectFormula<Real> {
  __device__ std::uint32_t plain_dwell(Complex<Real> point, std::uint32_t limit) const {
    return orbit_of(point, this->parameter_of(point), 0, limit);
  }
  __device__ std::uint32_t dwell_at(std::uint32_t x, std::uint32_t y, std::uint32_t limit) const {
    return plain_dwell(this->at(x, y), limit);
  }
  __device__ float smooth_at(std::uint32_t x, std::uint32_t y, std::uint32_t dwell) const {
    Complex<Real> z = this->at(x, y);
    const std::uint32_t degree = loom_degree();
    move(z, this->parameter_of(z), dwell + static_cast<std::uint32_t>(smooth_more_steps(degree)));
    return with_step(Formula::kMultibrot, degree, [&](auto step) {
      return smooth_from<decltype(step)::kDegree>(dwell, static_cast<float>(z.re), static_cast<float>(z.im));
    });
  }
  __device__ bool stays_escaped_within(Complex<Real>) const { return false; }
  __device__ bool run(Orbit<Real>& orbit, Complex<Real> point, const OrbitRun& how) const {
    orbit.count = orbit_of(orbit.z, this->parameter_of(point), orbit.count, how.limit);
    return true;
  }
};

}  // namespace

// Each as the kernel of the same name, without the templates.
#define LOOM_TASK(Real, Dwell) const __grid_constant__ DwellTask<CustomPoints<Real>, Dwell> task
#define LOOM_ASK(name, Block, Real, Dwell)                                                           \
  extern "C" __global__ void __launch_bounds__(kMaxRegionThreads)                                    \
      name(LOOM_TASK(Real, Dwell), const AskTables tables, std::uint32_t level, std::uint32_t parts, \
           const __grid_constant__ NoRegionSpans recording) {                                        \
    __shared__ typename Block::Space space;                                                          \
    ask_level_block<Block>(task, tables, level, parts, recording, space);                            \
  }
#define LOOM_JOBS(name, Block, Real, Dwell)                                                          \
  extern "C" __global__ void __launch_bounds__(kMaxRegionThreads)                                    \
      name(LOOM_TASK(Real, Dwell), const AskTables tables, std::uint32_t level, std::uint32_t parts, \
           std::uint32_t job_parts, const __grid_constant__ NoRegionSpans recording) {               \
    __shared__ typename Block::Space space;                                                          \
    ask_jobs_block<Block>(task, tables, level, parts, job_parts, recording, space);                  \
  }
#define LOOM_KERNELS(S, Real, Dwell)                                                                         \
  namespace of##S {                                                                                          \
    using Plain = PublishedBlock<CustomPoints<Real>, Dwell>;                                                 \
    using Ideas = OptimisedBlock<CustomPoints<Real>, Dwell>;                                                 \
    using KnownPlain = PublishedBlock<CustomPoints<Real>, Dwell, true>;                                      \
    using KnownIdeas = OptimisedBlock<CustomPoints<Real>, Dwell, true>;                                      \
  }                                                                                                          \
  extern "C" __global__ void __launch_bounds__(kMaxRegionThreads) loom_exhaustive##S(                        \
      LOOM_TASK(Real, Dwell), std::uint32_t blocks_x, std::uint64_t first, std::uint64_t end, NoRecorder) {  \
    for (std::uint64_t block = first + blockIdx.x; block < end; block += gridDim.x)                          \
      compute_rectangle(task, blocks_x, block);                                                              \
  }                                                                                                          \
  extern "C" __global__ void __launch_bounds__(kMaxRegionThreads)                                            \
      loom_exhaustive_rows##S(LOOM_TASK(Real, Dwell), std::uint32_t blocks_x, const RowRange* pieces,        \
                              std::uint64_t first, std::uint64_t end) {                                      \
    compute_row_pieces(task, blocks_x, pieces, first, end);                                                  \
  }                                                                                                          \
  LOOM_ASK(loom_level##S, of##S::Ideas, Real, Dwell)                                                         \
  LOOM_ASK(loom_level_plain##S, of##S::Plain, Real, Dwell)                                                   \
  LOOM_ASK(loom_level_known##S, of##S::KnownIdeas, Real, Dwell)                                              \
  LOOM_ASK(loom_level_known_plain##S, of##S::KnownPlain, Real, Dwell)                                        \
  LOOM_JOBS(loom_jobs##S, of##S::Ideas, Real, Dwell)                                                         \
  LOOM_JOBS(loom_jobs_plain##S, of##S::Plain, Real, Dwell)                                                   \
  extern "C" __global__ void loom_borders##S(LOOM_TASK(Real, Dwell), const AskTables tables,                 \
                                             std::uint32_t parts, FastDivisor<std::uint64_t> of_region) {    \
    compute_border_pixels(task, tables, parts, of_region);                                                   \
  }                                                                                                          \
  extern "C" __global__ void loom_differences##S(LOOM_TASK(Real, Dwell), std::uint64_t first,                \
                                                 std::uint64_t end, unsigned long long* count,               \
                                                 DwellDifference* places, std::uint64_t capacity) {          \
    note_differences(task, first, end, count, places, capacity);                                             \
  }                                                                                                          \
  extern "C" __global__ void loom_smooth##S(LOOM_TASK(Real, Dwell), std::uint64_t first, std::uint64_t end,  \
                                            std::uint32_t* smooth) {                                         \
    smooth_pixels(task, first, end, smooth);                                                                 \
  }                                                                                                          \
  extern "C" __global__ void loom_dp##S(LOOM_TASK(Real, Dwell), const __grid_constant__ DpState state,       \
                                        dim3 blocks, dim3 threads) {                                         \
    dp_region_kernel<CustomPoints<Real>, Dwell>                                                              \
        <<<blocks, threads, 0, cudaStreamFireAndForget>>>(task, state, state.first_level, Coord32{0, 0}, 0); \
    note_launch(state);                                                                                      \
  }
LOOM_KERNELS(_f32_u16, float, std::uint16_t)
LOOM_KERNELS(_f32_u32, float, std::uint32_t)
LOOM_KERNELS(_f64_u16, double, std::uint16_t)
LOOM_KERNELS(_f64_u32, double, std::uint32_t)

}  // namespace loom::cuda
