#pragma once

#include <string>

#include "compute/backend/map_backend.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::test {

/// Runs code on the gasket, with a short time limit.
inline MapResult run_on_gasket(const std::string& code, int level = 4,
                               std::chrono::milliseconds limit = std::chrono::milliseconds(400)) {
  return run_map(find_fractal("sierpinski-gasket"),
                 {.code = code, .level = level, .time_limit = limit, .keep_points = true});
}

/// A map whose cell_of_thread() has this body, launched with one thread block of 32 threads.
inline std::string map_with(const std::string& body, const std::string& before = "") {
  return before +
         "\n__host__ Launch launch(Fractal f) { return grid1d(1, 32); }\n"
         "__device__ Cell cell_of_thread(Fractal f) {\n" +
         body + "\n}\n";
}

/// The bounding box with 8 x 8 threads per block.
inline constexpr const char* kBoundingBox = R"(
__host__ Launch launch(Fractal f) { return grid2d((f.width + 7) / 8, (f.height + 7) / 8, 8, 8); }
__device__ Cell cell_of_thread(Fractal f) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  return is_cell(x, y) ? cell(x, y) : none();
}
)";

/// λ by loop for any fractal, with k threads per block.
inline constexpr const char* kLambda = R"(
__host__ Launch launch(Fractal f) { return grid1d(f.cells / f.k, f.k); }
__device__ Cell cell_of_thread(Fractal f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = 0, y = 0, side_x = 1, side_y = 1;
  for (int level = 0; level < f.level; ++level) {
    x += offset_x(i % f.k) * side_x;
    y += offset_y(i % f.k) * side_y;
    i /= f.k;
    side_x *= f.s_x;
    side_y *= f.s_y;
  }
  return cell(x, y);
}
)";

}  // namespace loom::test
