#pragma once

#include "compute/cuda/mandelbrot/region/volume_block.cuh"

// The kernels that compute samples. Their names are those by which linked/custom_volume.cu has them too, for
// a custom formula.

namespace loom::cuda {
namespace {

/// A warp has 4 x 4 x 2 samples, whose orbits are about equally long.
__device__ Coord3 sample_of_thread(std::uint32_t first_layer) {
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t warp = threadIdx.x / 32;
  return {8 * blockIdx.x + 4 * (warp % 2) + lane % 4, 8 * blockIdx.y + 4 * (warp / 2) + lane / 4 % 4,
          first_layer + 2 * blockIdx.z + lane / 16};
}
__device__ __forceinline__ Coord3 place_in(const VolumeTable& table, std::uint32_t parts, std::uint64_t i) {
  if (table.order == RegionOrder::kCoordinates) return table.places[i];
  return place_of(table.order, parts, table.numbers[i]);
}
__device__ __forceinline__ void put(const VolumeTable& table, std::uint32_t parts, std::uint64_t i,
                                    Coord3 place) {
  if (table.order == RegionOrder::kCoordinates) {
    table.places[i] = place;
  } else {
    table.numbers[i] = number_of(table.order, parts, place);
  }
}
/// Writes the parts of a region, an entry of a level with `parts` regions on each axis, from a slot on: every
/// `stride`-th one.
__device__ __forceinline__ void put_parts(const VolumeTable& table, const VolumeTable& next,
                                          std::uint32_t parts, std::uint32_t r, std::uint64_t entry,
                                          Coord3 place, std::uint64_t slot, std::uint32_t first,
                                          std::uint32_t stride) {
  const std::uint32_t children = r * r * r;
  for (std::uint32_t i = first; i < children; i += stride) {
    if (is_curve(table.order)) {
      next.numbers[slot + i] = table.numbers[entry] * children + i;
    } else {
      put(next, parts * r, slot + i, {place.x * r + i % r, place.y * r + i / r % r, place.z * r + i / r / r});
    }
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kVolumeThreads)
    loom_volume_layers(const __grid_constant__ VolumeTask task, std::uint32_t first, std::uint32_t end) {
  const Coord3 at = sample_of_thread(first);
  if (at.x >= task.cut.size || at.y >= task.cut.size || at.z >= end) return;
  task.samples[index_of(task, at)] = dwell_at(task, at);
}

extern "C" __global__ void __launch_bounds__(kVolumeThreads)
    loom_volume_differences(const __grid_constant__ VolumeTask task, std::uint32_t first, std::uint32_t end,
                            unsigned long long (*differences)[2], std::uint32_t* misses) {
  const Coord3 at = sample_of_thread(first);
  std::uint32_t filled = 0;
  std::uint32_t others = 0;
  if (at.x < task.cut.size && at.y < task.cut.size && at.z < end) {
    const VolumeSample held = task.samples[index_of(task, at)];
    if (dwell_at(task, at) != dwell_of(held)) (is_filled(held) ? filled : others) = 1;
    if (filled != 0) {
      set_miss(task.cut, at, held,
               [&](std::uint64_t index) { atomicOr(misses + index / 32, 1u << (index % 32)); });
    }
  }
  add_of_warp((*differences)[0], filled);
  add_of_warp((*differences)[1], others);
}

extern "C" __global__ void __launch_bounds__(kMaxVolumeThreads)
    loom_volume_regions(const __grid_constant__ VolumeTask task, std::uint32_t level, const VolumeTable table,
                        std::uint64_t begin, const VolumeTable next, unsigned long long* written) {
  const std::uint64_t entry = begin + blockIdx.x;
  const std::uint32_t parts = task.cut.parts_at(level);
  const Coord3 place = place_in(table, parts, entry);
  if (!work_on_region(task, level, volume_region_at(task.cut.size, parts, place))) return;
  const std::uint32_t r = task.cut.r;
  __shared__ unsigned long long slot;
  if (threadIdx.x == 0) slot = atomicAdd(written, static_cast<unsigned long long>(r * r * r));
  __syncthreads();
  put_parts(table, next, parts, r, entry, place, slot, threadIdx.x, blockDim.x);
}

extern "C" __global__ void __launch_bounds__(kVolumeThreads)
    loom_volume_faces(const __grid_constant__ VolumeTask task, std::uint32_t level, const VolumeTable table,
                      std::uint64_t begin, std::uint32_t blocks, VolumeFaces* faces) {
  const std::uint64_t entry = begin + blockIdx.x / blocks;
  const std::uint32_t parts = task.cut.parts_at(level);
  const VolumeRegion region = volume_region_at(task.cut.size, parts, place_in(table, parts, entry));
  if (region.empty()) return;
  VolumeFaces& known = faces[entry];
  __shared__ bool is_decided;
  if (threadIdx.x == 0) {
    const std::uint32_t least = *static_cast<volatile std::uint32_t*>(&known.least);
    const std::uint32_t greatest = ~*static_cast<volatile std::uint32_t*>(&known.not_greatest);
    is_decided = least < greatest;  // whatever the other samples are; least is the greatest number at first
  }
  __syncthreads();
  if (is_decided) return;
  const auto size = static_cast<std::uint32_t>(face_samples(region));
  // Each thread block has samples of all faces, as far apart as their number allows.
  const std::uint32_t i = threadIdx.x * blocks + blockIdx.x % blocks;
  std::uint32_t computed = 0;
  VolumeFaces own{~0u, ~0u};
  if (i < size) {
    own.least = known_sample(task, face_sample(region, i), computed);
    own.not_greatest = ~own.least;
  }
  add_of_warp(task.counts[level].border, computed);
  for (int distance = 16; distance > 0; distance /= 2) {
    own.least = min(own.least, __shfl_xor_sync(~0u, own.least, distance));
    own.not_greatest = min(own.not_greatest, __shfl_xor_sync(~0u, own.not_greatest, distance));
  }
  if (threadIdx.x % 32 == 0 && own.least != ~0u) {
    atomicMin(&known.least, own.least);
    atomicMin(&known.not_greatest, own.not_greatest);
  }
}

extern "C" __global__ void __launch_bounds__(kVolumeThreads)
    loom_volume_end_regions(const __grid_constant__ VolumeTask task, std::uint32_t level,
                            const VolumeTable table, const VolumeFaces* faces, const std::uint32_t* ended,
                            std::uint64_t begin, std::uint32_t blocks) {
  const std::uint32_t entry = ended[begin + blockIdx.x / blocks];
  const std::uint32_t parts = task.cut.parts_at(level);
  const VolumeRegion region = volume_region_at(task.cut.size, parts, place_in(table, parts, entry));
  const std::uint32_t rank = blockIdx.x % blocks * blockDim.x + threadIdx.x;
  if (faces[entry].have_one_dwell())
    return fill_inside(task, region, filled_sample(faces[entry].least, level), rank, blocks * blockDim.x);
  const auto samples = static_cast<std::uint32_t>(region.samples());
  std::uint32_t computed = 0;
  for (std::uint32_t i = rank; i < samples; i += blocks * blockDim.x)
    known_sample(task, sample_of(region, i), computed);
  add_of_warp(task.counts[level].leaf, computed);
}

}  // namespace loom::cuda
