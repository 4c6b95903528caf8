#pragma once

#include "compute/cuda/mandelbrot/region/volume_kernels.h"
#include "compute/cuda/warp/warp_arithmetic.cuh"

// What a thread block does with a region of a volume.

namespace loom::cuda {
namespace {

/// Calls use(step) with the step of a set: of a built-in one, or that of linked/custom_volume.cu.
template <typename Use>
__device__ __forceinline__ auto with_step_of(VolumeSet set, std::uint32_t power, const Use& use) {
#ifdef LOOM_VOLUME_STEP
  return use(LOOM_VOLUME_STEP{});
#else
  return with_volume_step(set, power, use);
#endif
}

template <typename Step>
__device__ __forceinline__ std::uint32_t dwell_of_orbit(Quaternion v, const Quaternion& c,
                                                        std::uint32_t limit) {
  std::uint32_t dwell = 0;
  while (dwell < limit && Step::is_inside(v)) {
    v = Step::next(v, c);
    ++dwell;
  }
  return dwell;
}

/// One function for all sets: the kernels that call it are compiled once, not once for each step.
__noinline__ __device__ std::uint32_t volume_dwell(VolumeSet set, std::uint32_t power, std::uint32_t limit,
                                                   double x, double y, double z, Quaternion c) {
  return with_step_of(set, power, [&](auto step) {
    return dwell_of_orbit<decltype(step)>({x, y, z, 0}, c, limit);
  });
}

__device__ __forceinline__ VolumeSample dwell_at(const VolumeTask& task, Coord3 at) {
  const double x = task.points[0][at.x];
  const double y = task.points[1][at.y];
  const double z = task.points[2][at.z];
  const bool is_julia = task.set == VolumeSet::kQuaternionJulia;
  return static_cast<VolumeSample>(volume_dwell(task.set, task.power, task.dwell_limit, x, y, z,
                                                is_julia ? task.c : Quaternion{x, y, z, 0}));
}

__device__ __forceinline__ std::uint64_t index_of(const VolumeTask& task, Coord3 at) {
  return sample_index(task.cut.size, at);
}

/// Computes a sample that is not known yet, and counts it.
__device__ __forceinline__ VolumeSample known_sample(const VolumeTask& task, Coord3 at,
                                                     std::uint32_t& computed) {
  VolumeSample& sample = task.samples[index_of(task, at)];
  VolumeSample value = sample;
  if (value == kUnknownSample) {
    value = dwell_at(task, at);
    sample = value;
    ++computed;
  }
  return value;
}

__device__ __forceinline__ void add_of_warp(unsigned long long& sum, std::uint32_t value) {
  value = warp_sum(value);
  if (threadIdx.x % 32 == 0 && value != 0) atomicAdd(&sum, static_cast<unsigned long long>(value));
}

/// Sample i of a region, row by row.
__device__ __forceinline__ Coord3 sample_of(const VolumeRegion& region, std::uint32_t i) {
  const std::uint32_t width = region.high.x - region.low.x;
  const std::uint32_t height = region.high.y - region.low.y;
  const std::uint32_t row = i / width;
  return {region.low.x + i % width, region.low.y + row % height, region.low.z + row / height};
}

/// Samples of a region that the warps of a thread block compute together; in shared memory.
struct SampleList {
  VolumeRegion region;
  std::uint32_t begin;  ///< samples [begin, end) of its faces or of all
  std::uint32_t end;
  bool is_faces;
  VolumeSample first;   ///< of the faces
  std::uint32_t taken;  ///< the next sample that nobody has taken; `begin` at first
};

/// Computes those samples of the list that are not known. A lane whose orbit ends takes the next sample, so
/// that it does not wait for the longest orbit of its warp. Adds to `computed`; returns whether a sample that
/// the lane saw differs from `first`.
template <typename Step>
__device__ __forceinline__ bool compute_list(const VolumeTask& task, SampleList& list,
                                             std::uint32_t& computed) {
  constexpr unsigned kAll = ~0u;
  constexpr int kSteps = 4;  // between two looks for lanes that wait
  constexpr int kFew = 4;    // lanes may wait for others
  const std::uint32_t limit = task.dwell_limit;
  const bool is_julia = task.set == VolumeSet::kQuaternionJulia;
  const std::uint32_t end = list.end;
  const bool is_faces = list.is_faces;
  const VolumeSample first = list.first;
  const unsigned lower_lanes = (1u << threadIdx.x % 32) - 1;
  VolumeSample* at = nullptr;
  Quaternion v;
  Quaternion c;
  std::uint32_t dwell = 0;
  bool differs = false;
  bool has_more = true;  // equal in all lanes
  while (true) {
    while (has_more) {
      const unsigned waiting = __ballot_sync(kAll, at == nullptr);
      if (__popc(waiting) < kFew) break;
      std::uint32_t next = 0;
      if (threadIdx.x % 32 == 0) next = atomicAdd(&list.taken, static_cast<std::uint32_t>(__popc(waiting)));
      next = __shfl_sync(kAll, next, 0);
      has_more = next < end;
      const std::uint32_t i = next + static_cast<std::uint32_t>(__popc(waiting & lower_lanes));
      if (at != nullptr || i >= end) continue;
      const Coord3 place = is_faces ? face_sample(list.region, i) : sample_of(list.region, i);
      VolumeSample* const sample = &task.samples[index_of(task, place)];
      const VolumeSample known = *sample;
      if (known != kUnknownSample) {
        differs = differs || known != first;
        continue;
      }
      at = sample;
      v = {task.points[0][place.x], task.points[1][place.y], task.points[2][place.z], 0};
      c = is_julia ? task.c : v;
      dwell = 0;
    }
    if (!__any_sync(kAll, at != nullptr)) return differs;
    for (int i = 0; i < kSteps && at != nullptr; ++i) {
      if (dwell < limit && Step::is_inside(v)) {
        v = Step::next(v, c);
        ++dwell;
      } else {
        *at = static_cast<VolumeSample>(dwell);
        ++computed;
        differs = differs || dwell != first;
        at = nullptr;
      }
    }
  }
}
__noinline__ __device__ bool compute_list_of_set(const VolumeTask& task, SampleList& list,
                                                 std::uint32_t& computed) {
  return with_step_of(task.set, task.power,
                      [&](auto step) { return compute_list<decltype(step)>(task, list, computed); });
}

/// The same by all warps of the thread block.
__device__ bool compute_samples(const VolumeTask& task, const SampleList& wanted, SampleList& shared,
                                std::uint32_t& computed) {
  if (threadIdx.x == 0) {
    shared = wanted;
    shared.taken = wanted.begin;
  }
  __syncthreads();
  std::uint32_t own = 0;
  const bool differs = compute_list_of_set(task, shared, own);
  computed += own;
  return __syncthreads_or(differs) != 0;
}

/// The faces of a region by one thread block: a few spread samples first, which find most regions that split,
/// then a quarter of them at a time. Returns in all threads whether they have one dwell.
__device__ bool has_one_dwell(const VolumeTask& task, const VolumeRegion& region, SampleList& shared,
                              std::uint32_t& computed) {
  constexpr std::uint32_t kSpread = 64;
  const auto size = static_cast<std::uint32_t>(face_samples(region));
  const std::uint32_t stride = size > kSpread ? size / kSpread : 1;
  VolumeSample least = kUnknownSample;
  VolumeSample greatest = 0;
  for (std::uint32_t i = threadIdx.x; i < kSpread && i * stride < size; i += blockDim.x) {
    const VolumeSample sample = known_sample(task, face_sample(region, i * stride), computed);
    least = min(least, sample);
    greatest = max(greatest, sample);
  }
  __shared__ VolumeSample first;
  if (threadIdx.x == 0) first = least;
  __syncthreads();
  if (__syncthreads_or(greatest >= least && (least != first || greatest != first))) return false;
  const std::uint32_t part = max(size / 4 + 1, 2 * blockDim.x);
  for (std::uint32_t begin = 0; begin < size; begin += part) {
    const SampleList list{region, begin, min(begin + part, size), true, first, begin};
    if (compute_samples(task, list, shared, computed)) return false;
  }
  return true;
}

/// Writes the samples inside of the faces, from thread `rank` of `threads` on: none of them is known.
__device__ void fill_inside(const VolumeTask& task, const VolumeRegion& region, VolumeSample filled,
                            std::uint32_t rank, std::uint32_t threads) {
  if (region.high.x - region.low.x < 3 || region.high.y - region.low.y < 3 ||
      region.high.z - region.low.z < 3)
    return;
  const VolumeRegion inside{{region.low.x + 1, region.low.y + 1, region.low.z + 1},
                            {region.high.x - 1, region.high.y - 1, region.high.z - 1}};
  const auto count = static_cast<std::uint32_t>(inside.samples());
  for (std::uint32_t i = rank; i < count; i += threads)
    task.samples[index_of(task, sample_of(inside, i))] = filled;
}
__device__ std::uint64_t inside_samples(const VolumeRegion& region) {
  return region.samples() - face_samples(region);
}

/// Work on one region by one thread block, but for its parts. Returns in all threads whether it splits; then
/// all threads' samples are visible to later grids of the device.
__device__ bool work_on_region(const VolumeTask& task, std::uint32_t level, const VolumeRegion& region) {
  if (region.empty()) return false;
  VolumeTask::Counts& count = task.counts[level];
  __shared__ SampleList list;
  std::uint32_t computed = 0;
  const bool is_one = has_one_dwell(task, region, list, computed);
  add_of_warp(count.border, computed);
  const bool splits = !is_one && level + 1 < task.cut.levels;
  if (threadIdx.x == 0) {
    atomicAdd(&count.regions, 1ull);
    atomicAdd(splits ? &count.splits : is_one ? &count.filled : &count.leaves, 1ull);
    if (is_one) atomicAdd(&count.inside, static_cast<unsigned long long>(inside_samples(region)));
  }
  if (splits) {
    __threadfence();
    __syncthreads();
    return true;
  }
  if (is_one) {
    const VolumeSample dwell = task.samples[index_of(task, region.low)];
    fill_inside(task, region, filled_sample(dwell, level), threadIdx.x, blockDim.x);
    return false;
  }
  computed = 0;
  compute_samples(task, {region, 0, static_cast<std::uint32_t>(region.samples()), false, 0, 0}, list,
                  computed);
  add_of_warp(count.leaf, computed);
  return false;
}

}  // namespace
}  // namespace loom::cuda
