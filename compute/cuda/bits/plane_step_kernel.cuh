#pragma once

#include <cstdint>

#include "compute/cuda/bits/plane_step.cuh"
#include "compute/cuda/bits/plane_unrolled.cuh"

namespace loom::cuda {

/// One thread per word of each plane, all in registers, with a program known at compile time.
template <typename Of, bool kCounts>
__global__ void __launch_bounds__(kPlaneThreads)
    step_planes_kernel(const __grid_constant__ PlaneGroups groups, const typename Of::Word* __restrict__ from,
                       typename Of::Word* __restrict__ to, std::uint16_t* __restrict__ counts,
                       const __grid_constant__ CountRule given) {
  // A copy, so that the used parts stay in registers.
  const CountRule rule = given;
  constexpr int kSlots = Of::kProgram.groups_in_word;
  const std::uint32_t t = groups.first + blockIdx.x * kPlaneThreads + threadIdx.x;
  if (t >= groups.threads) return;
  const std::uint64_t base = first_word<Of::kPlanes>(t);
  Halves<Of> own[Of::kPlanes];
  unroll<Of::kPlanes>([&](auto p) { own[p] = halves_of<Of>(__ldg(from + base + p * 32)); });
  Halves<Of> halo[Of::kHaloWords > 0 ? Of::kHaloWords : 1];
  load_halo<Of>(groups, t, from, halo);

  const auto used = halves_of<Of>(
      used_bits<kSlots>(static_cast<typename Of::Word>(Of::kProgram.word_mask), t, groups.groups));
  Halves<Of> none;
  unroll<Of::kHalves>([&](auto h) { none.half[h] = rule.base[0][0] & used.half[h]; });
  std::uint32_t living[kSlots] = {};
  next_of_planes<Of>(rule, none, own, halo, [&](auto p, const Halves<Of>& next) {
    const typename Of::Word word = whole<Of>(next);
    to[base + p * 32] = word;
    if constexpr (kCounts) add_living<kSlots>(word, living);
  });
  if constexpr (kCounts) store_counts<kSlots, typename Of::Word>(counts, t, groups.groups, living);
}

}  // namespace loom::cuda
