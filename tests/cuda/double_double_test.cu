#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "compute/cuda/check.h"
#include "compute/cuda/device_buffer.h"
#include "compute/mandelbrot/double_double.h"

namespace loom::cuda {
namespace {

struct Pair {
  DoubleDouble a;
  DoubleDouble b;
};

__global__ void sums_and_products_kernel(const Pair* pairs, Pair* results, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) results[i] = {pairs[i].a + pairs[i].b, pairs[i].a * pairs[i].b};
}

// Those of the host are compared with MPFR (tests/host/double_double_test.cpp).
TEST(TwoDoublesOnADevice, AreTheHostsBitForBit) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    cudaGetLastError();
    GTEST_SKIP() << "no CUDA device";
  }
  constexpr unsigned kCount = 1 << 16;
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> part(-1, 1);
  std::vector<Pair> pairs(kCount);
  const auto any = [&] {
    const double high = std::ldexp(part(random), static_cast<int>(random() % 60) - 30);
    return DoubleDouble::quick_sum(high, high * part(random) * 0x1p-54);
  };
  for (Pair& pair : pairs) pair = {any(), any()};
  const DeviceBuffer<Pair> from(kCount);
  const DeviceBuffer<Pair> to(kCount);
  LOOM_CUDA(cudaMemcpy(from.data(), pairs.data(), kCount * sizeof(Pair), cudaMemcpyHostToDevice));
  sums_and_products_kernel<<<kCount / 256, 256>>>(from.data(), to.data(), kCount);
  std::vector<Pair> results(kCount);
  LOOM_CUDA(cudaMemcpy(results.data(), to.data(), kCount * sizeof(Pair), cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < kCount; ++i) {
    const DoubleDouble sum = pairs[i].a + pairs[i].b;
    const DoubleDouble product = pairs[i].a * pairs[i].b;
    ASSERT_EQ(results[i].a.high, sum.high) << i;
    ASSERT_EQ(results[i].a.low, sum.low) << i;
    ASSERT_EQ(results[i].b.high, product.high) << i;
    ASSERT_EQ(results[i].b.low, product.low) << i;
  }
}

}  // namespace
}  // namespace loom::cuda
