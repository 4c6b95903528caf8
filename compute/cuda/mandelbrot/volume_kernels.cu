#include "compute/cuda/check.h"
#include "compute/cuda/launch.cuh"
#include "compute/cuda/mandelbrot/region/volume_kernels.cuh"

namespace loom::cuda {
namespace {

dim3 blocks_of_layers(const VolumeTask& task, std::uint32_t first, std::uint32_t end) {
  const std::uint32_t side = (task.cut.size + kLayersBlock.x - 1) / kLayersBlock.x;
  return {side, side, (end - first + 1) / kLayersBlock.z};
}

__global__ void mark_unknown_kernel(VolumeSample* samples, std::uint64_t count) {
  for (std::uint64_t i = grid_thread(); i < count; i += grid_stride()) samples[i] = kUnknownSample;
}

__global__ void list_first_kernel(VolumeTable table, std::uint32_t parts, std::uint64_t count) {
  for (std::uint64_t i = grid_thread(); i < count; i += grid_stride()) {
    const auto number = static_cast<std::uint32_t>(i);
    if (table.order == RegionOrder::kCoordinates) {
      table.places[i] = place_of(table.order, parts, number);
    } else {
      table.numbers[i] = number;
    }
  }
}

__global__ void decide_regions_kernel(const __grid_constant__ VolumeTask task, std::uint32_t level,
                                      const VolumeTable table, std::uint64_t count, const VolumeFaces* faces,
                                      const VolumeTable next, std::uint32_t* ended,
                                      unsigned long long (*written)[2]) {
  const std::uint32_t parts = task.cut.parts_at(level);
  VolumeTask::Counts& sum = task.counts[level];
  for (std::uint64_t entry = grid_thread(); entry < count; entry += grid_stride()) {
    const Coord3 place = place_in(table, parts, entry);
    const VolumeRegion region = volume_region_at(task.cut.size, parts, place);
    if (region.empty()) continue;
    atomicAdd(&sum.regions, 1ull);
    const bool is_one = faces[entry].have_one_dwell();
    if (is_one || level + 1 == task.cut.levels) {
      atomicAdd(is_one ? &sum.filled : &sum.leaves, 1ull);
      if (is_one) atomicAdd(&sum.inside, static_cast<unsigned long long>(inside_samples(region)));
      ended[atomicAdd(&(*written)[1], 1ull)] = static_cast<std::uint32_t>(entry);
      continue;
    }
    atomicAdd(&sum.splits, 1ull);
    const std::uint32_t r = task.cut.r;
    const unsigned long long slot = atomicAdd(&(*written)[0], static_cast<unsigned long long>(r * r * r));
    put_parts(table, next, parts, r, entry, place, slot, 0, 1);
  }
}

constexpr unsigned kSide = 8;  // neighbouring rays go through the same samples

template <bool kOverlays>
__global__ void __launch_bounds__(kSide* kSide)
    draw_volume_kernel(const __grid_constant__ VolumeScene scene, const __grid_constant__ SolidView view,
                       std::uint32_t* __restrict__ pixels) {
  const int column = static_cast<int>(blockIdx.x * kSide + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * kSide + threadIdx.y);
  if (column >= view.width || row >= view.height) return;
  pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(view.width) + column] =
      volume_pixel<kOverlays>(scene, view, column, row);
}

/// The widest region of a level.
VolumeRegion widest(const VolumeTask& task, std::uint32_t level) {
  const std::uint32_t parts = task.cut.parts_at(level);
  const std::uint32_t side = (task.cut.size + parts - 1) / parts;
  return {{0, 0, 0}, {side, side, side}};
}

}  // namespace

void mark_unknown(VolumeSample* samples, std::uint64_t count, const Stream& stream) {
  launch_items(mark_unknown_kernel, count, stream, samples, count);
}

void compute_layers(const VolumeTask& task, std::uint32_t first, std::uint32_t end, const Stream& stream) {
  launch_on_task(volume_slices(task), "loom_volume_layers", loom_volume_layers,
                 blocks_of_layers(task, first, end), kVolumeThreads, stream, task, first, end);
}

void count_different(const VolumeTask& task, std::uint32_t first, std::uint32_t end,
                     unsigned long long (*differences)[2], std::uint32_t* misses, const Stream& stream) {
  launch_on_task(volume_slices(task), "loom_volume_differences", loom_volume_differences,
                 blocks_of_layers(task, first, end), kVolumeThreads, stream, task, first, end, differences,
                 misses);
}

void list_first_regions(const VolumeTask& task, const VolumeTable& table, const Stream& stream) {
  const std::uint64_t count = task.cut.regions_at(0);
  launch_items(list_first_kernel, count, stream, table, task.cut.g, count);
}

void compute_regions(const VolumeTask& task, std::uint32_t level, const VolumeTable& table,
                     std::uint64_t first, std::uint64_t end, const VolumeTable& next,
                     unsigned long long* written, const Stream& stream) {
  launch_on_task(volume_slices(task), "loom_volume_regions", loom_volume_regions,
                 static_cast<unsigned>(end - first), threads_of_region(task.cut, level), stream, task, level,
                 table, first, next, written);
}

std::uint32_t face_blocks(const VolumeTask& task, std::uint32_t level) {
  return static_cast<std::uint32_t>((face_samples(widest(task, level)) + kVolumeThreads - 1) /
                                    kVolumeThreads);
}

void compute_faces(const VolumeTask& task, std::uint32_t level, const VolumeTable& table, std::uint64_t first,
                   std::uint64_t end, VolumeFaces* faces, const Stream& stream) {
  const std::uint32_t blocks = face_blocks(task, level);
  launch_on_task(volume_slices(task), "loom_volume_faces", loom_volume_faces,
                 static_cast<unsigned>((end - first) * blocks), kVolumeThreads, stream, task, level, table,
                 first, blocks, faces);
}

void decide_regions(const VolumeTask& task, std::uint32_t level, const VolumeTable& table,
                    std::uint64_t count, const VolumeFaces* faces, const VolumeTable& next,
                    std::uint32_t* ended, unsigned long long (*written)[2], const Stream& stream) {
  launch_items(decide_regions_kernel, count, stream, task, level, table, count, faces, next, ended, written);
}

void end_regions(const VolumeTask& task, std::uint32_t level, const VolumeTable& table,
                 const VolumeFaces* faces, const std::uint32_t* ended, std::uint64_t first, std::uint64_t end,
                 const Stream& stream) {
  const std::uint32_t blocks = sample_blocks(task.cut, level);
  launch_on_task(volume_slices(task), "loom_volume_end_regions", loom_volume_end_regions,
                 static_cast<unsigned>((end - first) * blocks), kVolumeThreads, stream, task, level, table,
                 faces, ended, first, blocks);
}

void draw_volume(const VolumeScene& scene, const SolidView& view, std::uint32_t* pixels,
                 const Stream& stream) {
  const auto blocks = [](int pixels_of_axis) {
    return (static_cast<unsigned>(pixels_of_axis) + kSide - 1) / kSide;
  };
  const dim3 grid(blocks(view.width), blocks(view.height));
  const auto kernel = scene.has_overlays() ? draw_volume_kernel<true> : draw_volume_kernel<false>;
  kernel<<<grid, dim3(kSide, kSide), 0, stream.get()>>>(scene, view, pixels);
  LOOM_CUDA(cudaGetLastError());
}

}  // namespace loom::cuda
