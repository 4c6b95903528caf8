#include "compute/cuda/bits/plane_cells.h"
#include "compute/cuda/bits/plane_step.cuh"
#include "compute/cuda/launch.cuh"

namespace loom::cuda {
namespace {

/// The plane and the thread of a word.
struct WordPlace {
  std::uint32_t thread = 0;
  std::uint32_t plane = 0;
};
__device__ __forceinline__ WordPlace place_of_word(const BitPlanes& planes, std::uint64_t word) {
  const std::uint64_t line = word / BitPlanes::kInterleave;
  const std::uint64_t row = planes.planes_divisor.divide(line);
  return {static_cast<std::uint32_t>(row * BitPlanes::kInterleave + word % BitPlanes::kInterleave),
          static_cast<std::uint32_t>(line - row * planes.planes)};
}

/// Calls `visit(group, plane, shift of its slot)` for the groups of a word.
template <typename Visit>
__device__ __forceinline__ void for_each_slot(const BitPlanes& planes, const WordPlace& at,
                                              const Visit& visit) {
  for (std::uint32_t slot = 0; slot < planes.groups_in_word; ++slot) {
    const std::uint64_t group = std::uint64_t{at.thread} * planes.groups_in_word + slot;
    if (group < planes.groups)
      visit(static_cast<std::uint32_t>(group), slot * static_cast<std::uint32_t>(planes.split.slot_bits));
  }
}

template <typename Word>
__global__ void fill_random_planes_kernel(const __grid_constant__ PlaneTree tiles, Word* words,
                                          std::uint64_t first, std::uint64_t count, std::uint64_t seed,
                                          std::uint64_t threshold) {
  for (std::uint64_t i = first + grid_thread(); i < first + count; i += grid_stride()) {
    const WordPlace at = place_of_word(tiles.planes, i);
    Word word = 0;
    for_each_slot(tiles.planes, at, [&](std::uint32_t number, std::uint32_t shift) {
      const PlaneGroup group{tiles.planes.index_of_group(number), {}};
      word |= static_cast<Word>(random_slot(tiles, group, at.plane, seed, threshold) << shift);
    });
    words[i] = word;
  }
}

template <typename Word>
__global__ void single_write_planes_kernel(const __grid_constant__ PlaneTree tiles, Word* words,
                                           std::uint64_t first, std::uint64_t end, std::uint32_t generation) {
  for (std::uint64_t i = first + grid_thread(); i < end; i += grid_stride()) {
    const WordPlace at = place_of_word(tiles.planes, i);
    Word word = 0;
    for_each_slot(tiles.planes, at, [&](std::uint32_t number, std::uint32_t shift) {
      const PlaneGroup group{0, tiles.corner(0, number + tiles.planes.first_group)};
      word |= static_cast<Word>(single_write_slot(tiles, group, at.plane, generation) << shift);
    });
    words[i] = word;
  }
}

__device__ __forceinline__ unsigned long long sum_over_warp(unsigned long long value) {
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(0xffffffffu, value, lanes);
  return value;
}

template <typename Word>
__device__ __forceinline__ std::uint64_t slot_of(const BitPlanes& planes, Word word, std::uint32_t shift) {
  return static_cast<std::uint64_t>(word >> shift) & planes.slot_mask();
}

template <typename Word>
__global__ void census_of_planes_kernel(const __grid_constant__ PlaneTree tiles,
                                        const Word* __restrict__ words, std::uint64_t first,
                                        std::uint64_t count, unsigned long long* totals) {
  unsigned long long population = 0;
  unsigned long long hash = 0;
  for (std::uint64_t i = first + grid_thread(); i < first + count; i += grid_stride()) {
    const Word word = words[i];
    if (word == 0) continue;
    const WordPlace at = place_of_word(tiles.planes, i);
    for_each_slot(tiles.planes, at, [&](std::uint32_t number, std::uint32_t shift) {
      const std::uint64_t slot = slot_of(tiles.planes, word, shift);
      const PlaneGroup group{tiles.planes.index_of_group(number), {}};
      population += __popcll(slot);
      hash += hash_of_slot(tiles, group, at.plane, slot);
    });
  }
  population = sum_over_warp(population);
  hash = sum_over_warp(hash);
  if (threadIdx.x % 32 == 0 && population) {
    atomicAdd(&totals[0], population);
    atomicAdd(&totals[1], hash);
  }
}

template <typename Word>
__global__ void reduce_planes_kernel(const __grid_constant__ PlaneTree tiles, const Word* __restrict__ words,
                                     std::uint64_t first, std::uint64_t end, unsigned long long* sum) {
  unsigned long long found = 0;
  for (std::uint64_t i = first + grid_thread(); i < end; i += grid_stride()) {
    const Word word = words[i];
    if (word == 0) continue;
    const WordPlace at = place_of_word(tiles.planes, i);
    for_each_slot(tiles.planes, at, [&](std::uint32_t number, std::uint32_t shift) {
      const PlaneGroup group{0, tiles.corner(0, number + tiles.planes.first_group)};
      found += sum_of_slot(tiles, group, at.plane, slot_of(tiles.planes, word, shift));
    });
  }
  found = sum_over_warp(found);
  if (threadIdx.x % 32 == 0 && found) atomicAdd(sum, found);
}

template <typename Word, int kSlots>
__global__ void count_groups_kernel(std::uint32_t planes, std::uint32_t groups, std::uint32_t threads,
                                    const Word* __restrict__ words, std::uint16_t* __restrict__ living) {
  for (std::uint64_t i = grid_thread(); i < threads; i += grid_stride()) {
    const auto t = static_cast<std::uint32_t>(i);
    const Word* const own = words + std::uint64_t{t / 32} * (planes * 32) + t % 32;
    std::uint32_t found[kSlots] = {};
    for (std::uint32_t p = 0; p < planes; ++p) add_living<kSlots>(own[p * 32], found);
    store_counts<kSlots, Word>(living, t, groups, found);
  }
}

__global__ void count_tiles_kernel(const __grid_constant__ PlaneTree tiles,
                                   const std::uint16_t* __restrict__ living, std::uint64_t* living_above,
                                   int height) {
  for (std::uint64_t i = grid_thread(); i < tiles.tiles[height]; i += grid_stride())
    living_above[tiles.first[height] + i] = living_of_children(tiles, living, living_above, height, i);
}

__global__ void __launch_bounds__(kPlaneThreads)
    count_plane_threads_kernel(std::uint32_t threads, unsigned long long* counts) {
  const std::uint32_t t = blockIdx.x * kPlaneThreads + threadIdx.x;
  const auto active = static_cast<unsigned long long>(__syncthreads_count(t < threads));
  if (threadIdx.x != 0) return;
  atomicAdd(&counts[0], static_cast<unsigned long long>(blockDim.x));
  atomicAdd(&counts[1], active);
  atomicAdd(&counts[2], 1ull);
  if (active > 0) atomicAdd(&counts[3], 1ull);
}

/// The largest number of steps (LaunchSlices) for a word whose cells are processed one by one: the position
/// of its groups, then a few steps per cell.
std::uint64_t steps_of_cells(const PlaneTree& tiles) {
  return 64 + 8 * static_cast<std::uint64_t>(tiles.planes.bits);
}

/// Calls `use` with the words in their width.
template <typename Bytes, typename Use>
void with_words(const BitPlanes& planes, Bytes* cells, const Use& use) {
  using Wide = std::conditional_t<std::is_const_v<Bytes>, const std::uint64_t, std::uint64_t>;
  using Narrow = std::conditional_t<std::is_const_v<Bytes>, const std::uint32_t, std::uint32_t>;
  if (planes.wide()) {
    use(reinterpret_cast<Wide*>(cells));
  } else {
    use(reinterpret_cast<Narrow*>(cells));
  }
}

}  // namespace

void fill_random_planes(const PlaneTree& tiles, std::uint8_t* cells, std::uint64_t first, std::uint64_t count,
                        std::uint64_t seed, std::uint64_t threshold, const Stream& stream) {
  with_words(tiles.planes, cells, [&]<typename Word>(Word* words) {
    launch_items(fill_random_planes_kernel<Word>, count, stream, tiles, words, first, count, seed, threshold);
  });
}

void single_write_planes(const PlaneTree& tiles, std::uint8_t* cells, std::uint32_t generation,
                         const LaunchSlices& slices, const Stream& stream) {
  with_words(tiles.planes, cells, [&]<typename Word>(Word* words) {
    slices.each(tiles.planes.words(), steps_of_cells(tiles), [&](std::uint64_t first, std::uint64_t end) {
      launch_items(single_write_planes_kernel<Word>, end - first, stream, tiles, words, first, end,
                   generation);
    });
  });
}

void add_census_of_planes(const PlaneTree& tiles, const std::uint8_t* cells, std::uint64_t first,
                          std::uint64_t count, unsigned long long* totals, const Stream& stream) {
  with_words(tiles.planes, cells, [&]<typename Word>(const Word* words) {
    launch_items(census_of_planes_kernel<Word>, count, stream, tiles, words, first, count, totals);
  });
}

void reduce_planes(const PlaneTree& tiles, const std::uint8_t* cells, unsigned long long* sum,
                   const LaunchSlices& slices, const Stream& stream) {
  LOOM_CUDA(cudaMemsetAsync(sum, 0, sizeof(*sum), stream.get()));
  with_words(tiles.planes, cells, [&]<typename Word>(const Word* words) {
    slices.each(tiles.planes.words(), steps_of_cells(tiles), [&](std::uint64_t first, std::uint64_t end) {
      launch_items(reduce_planes_kernel<Word>, end - first, stream, tiles, words, first, end, sum);
    });
  });
}

void count_groups(const PlaneTree& tiles, const std::uint8_t* cells, std::uint16_t* living,
                  const Stream& stream) {
  const BitPlanes& planes = tiles.planes;
  const auto threads = static_cast<std::uint32_t>(planes.threads());
  with_words(planes, cells, [&]<typename Word>(const Word* words) {
    if (planes.groups_in_word == 1) {
      launch_items(count_groups_kernel<Word, 1>, threads, stream, planes.planes, planes.groups, threads,
                   words, living);
    } else if constexpr (sizeof(Word) == 4) {
      launch_items(count_groups_kernel<Word, 2>, threads, stream, planes.planes, planes.groups, threads,
                   words, living);
    }
  });
}

void count_tiles(const PlaneTree& tiles, const std::uint16_t* living, std::uint64_t* living_above,
                 const Stream& stream) {
  for (int height = 1; height <= tiles.top; ++height)
    launch_items(count_tiles_kernel, tiles.tiles[height], stream, tiles, living, living_above, height);
}

void count_plane_threads(const BitPlanes& planes, unsigned long long* counts, const Stream& stream) {
  const auto threads = static_cast<std::uint32_t>(planes.threads());
  count_plane_threads_kernel<<<(threads + kPlaneThreads - 1) / kPlaneThreads, kPlaneThreads, 0,
                               stream.get()>>>(threads, counts);
  LOOM_CUDA(cudaGetLastError());
}

}  // namespace loom::cuda
