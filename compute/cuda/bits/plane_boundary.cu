#include "compute/cuda/bits/plane_boundary.h"
#include "compute/cuda/bits/plane_step.cuh"
#include "compute/cuda/launch.cuh"

namespace loom::cuda {
namespace {

/// Item i of a launch: a word of plane i % planes, of the thread at index i / planes of the list.
struct ListedWord {
  std::uint32_t place;
  std::uint32_t thread;
  std::uint32_t plane;
};
__device__ __forceinline__ ListedWord listed_word(const BitPlanes& planes, const ThreadList& of,
                                                  std::uint64_t i) {
  const auto place = static_cast<std::uint32_t>(planes.planes_divisor.divide(i));
  const std::uint32_t thread = of.threads ? of.threads[place] : of.first + place;
  return {place, thread, static_cast<std::uint32_t>(i - std::uint64_t{place} * planes.planes)};
}
__device__ __forceinline__ std::uint64_t word_in_rows(const BitPlanes& planes, std::uint32_t thread,
                                                      std::uint32_t plane) {
  return planes.first_word(thread) + std::uint64_t{plane} * BitPlanes::kInterleave;
}

template <typename Word, bool kPack>
__global__ void copy_words_kernel(const __grid_constant__ BitPlanes planes,
                                  const __grid_constant__ ThreadList of, const Word* __restrict__ from,
                                  Word* __restrict__ to) {
  const std::uint64_t count = std::uint64_t{of.count} * planes.planes;
  for (std::uint64_t i = grid_thread(); i < count; i += grid_stride()) {
    const ListedWord word = listed_word(planes, of, i);
    const std::uint64_t row = word_in_rows(planes, word.thread, word.plane);
    to[kPack ? i : row] = from[kPack ? row : i];
  }
}

constexpr unsigned kWarp = 32;
constexpr unsigned kWarpsOfBlock = 4;

/// A warp processes the planes of one boundary thread in parallel, which hides the latency of the loads.
template <typename Word, int kSlots>
__global__ void __launch_bounds__(kWarp* kWarpsOfBlock)
    scatter_boundary_kernel(const __grid_constant__ BitPlanes planes, const __grid_constant__ ThreadList of,
                            const Word* __restrict__ boundary, Word* __restrict__ rows,
                            std::uint16_t* __restrict__ counts) {
  const std::uint32_t place = blockIdx.x * kWarpsOfBlock + threadIdx.x / kWarp;
  if (place >= of.count) return;
  const std::uint32_t thread = of.threads[place];
  const std::uint32_t lane = threadIdx.x % kWarp;
  std::uint32_t living[kSlots] = {};
  for (std::uint32_t p = lane; p < planes.planes; p += kWarp) {
    const Word word = boundary[word_in_rows(planes, place, p)];
    rows[word_in_rows(planes, thread, p)] = word;
    add_living<kSlots>(word, living);
  }
  if (counts == nullptr) return;
  for (std::uint32_t& slot : living) {
    for (unsigned other = kWarp / 2; other > 0; other /= 2) slot += __shfl_xor_sync(~0u, slot, other);
  }
  if (lane == 0) store_counts<kSlots, Word>(counts, thread, planes.groups, living);
}

template <bool kPack>
void copy_words(const BitPlanes& planes, const void* from, void* to, const ThreadList& of,
                const Stream& stream) {
  const auto launch = [&]<typename Word>(Word) {
    launch_items(copy_words_kernel<Word, kPack>, std::uint64_t{of.count} * planes.planes, stream, planes, of,
                 static_cast<const Word*>(from), static_cast<Word*>(to));
  };
  planes.wide() ? launch(std::uint64_t{}) : launch(std::uint32_t{});
}

}  // namespace

void pack_words(const BitPlanes& planes, const void* rows, const ThreadList& of, void* list,
                const Stream& stream) {
  copy_words<true>(planes, rows, list, of, stream);
}

void unpack_words(const BitPlanes& planes, const void* list, void* rows, const ThreadList& of,
                  const Stream& stream) {
  copy_words<false>(planes, list, rows, of, stream);
}

void scatter_boundary(const BitPlanes& planes, const void* boundary, void* rows, const ThreadList& of,
                      std::uint16_t* counts, const Stream& stream) {
  if (of.count == 0) return;
  const auto launch = [&]<typename Word, int kSlots>() {
    scatter_boundary_kernel<Word, kSlots>
        <<<(of.count + kWarpsOfBlock - 1) / kWarpsOfBlock, kWarp * kWarpsOfBlock, 0, stream.get()>>>(
            planes, of, static_cast<const Word*>(boundary), static_cast<Word*>(rows), counts);
    LOOM_CUDA(cudaGetLastError());
  };
  if (planes.wide()) {
    launch.template operator()<std::uint64_t, 1>();
  } else if (planes.groups_in_word == 2) {
    launch.template operator()<std::uint32_t, 2>();
  } else {
    launch.template operator()<std::uint32_t, 1>();
  }
}

}  // namespace loom::cuda
