#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace loom::cuda {

/// Sums per pixel, one array per partition, in memory that the current device can access.
struct PartitionSums {
  static constexpr int kMost = 16;
  const unsigned long long* of[kMost] = {};
  int count = 0;
};

/// Enqueue the total, and the image from the cell counts of all partitions and the living cells of each, as
/// in a Viewport of this number of states.
void add_sums(const PartitionSums& sums, std::size_t area, unsigned long long* total, cudaStream_t stream);
void draw_sums(const unsigned long long* cells, const PartitionSums& living, std::uint32_t states,
               std::size_t area, std::uint16_t* pixels, cudaStream_t stream);

}  // namespace loom::cuda
