#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>

#include "compute/cuda/launch_slices.h"
#include "compute/cuda/mandelbrot/custom/custom_kernels.h"
#include "compute/cuda/stream.h"
#include "compute/mandelbrot/volume.h"
#include "compute/solid/volume_engine.h"
#include "compute/solid/volume_rays.h"

namespace loom::cuda {

/// What the kernels of a computation share; all memory is on the device.
struct VolumeTask {
  VolumeSet set = VolumeSet::kMandelbulb;
  std::uint32_t power = 8;
  Quaternion c = {};
  VolumeSubdivision cut;
  std::uint32_t dwell_limit = 0;
  const double* points[3] = {};  ///< of the samples on each axis
  VolumeSample* samples = nullptr;

  /// The counts of a level (MandelbrotLevel).
  struct Counts {
    unsigned long long regions = 0;
    unsigned long long filled = 0;
    unsigned long long leaves = 0;
    unsigned long long splits = 0;
    unsigned long long border = 0;
    unsigned long long leaf = 0;
    unsigned long long inside = 0;  ///< samples filled
  };
  Counts* counts = nullptr;               ///< one for each level
  const CustomKernels* custom = nullptr;  ///< on the host: the kernels of a custom formula
  // Of launches from the device.
  int* launch_error = nullptr;             ///< the first error, a cudaError_t; 0 at the start
  unsigned long long* launches = nullptr;  ///< counts them
};

/// Nothing follows the names of kernels that process volumes.
inline std::string custom_suffix(const VolumeTask&) {
  return {};
}
/// For launch_on_task().
inline DwellSlices volume_slices(const VolumeTask& task) {
  DwellSlices slices;
  slices.custom = task.custom;
  return slices;
}

/// The regions of one level: numbers, or coordinates.
struct VolumeTable {
  RegionOrder order = RegionOrder::kCanonical;
  std::uint32_t* numbers = nullptr;
  Coord3* places = nullptr;  ///< of kCoordinates
};

/// What is known of a region whose faces several thread blocks compute; all ones at the beginning.
struct VolumeFaces {
  std::uint32_t least;         ///< the least dwell
  std::uint32_t not_greatest;  ///< the complement of the greatest one
  LOOM_HOST_DEVICE bool have_one_dwell() const { return least == ~not_greatest; }
};

/// The samples of a thread block of compute_layers(), one for each of kVolumeThreads.
inline constexpr Coord3 kLayersBlock = {8, 8, 2};
inline constexpr std::uint32_t kMaxVolumeThreads = 512;
/// Threads of a thread block for one region: with more, those with short orbits wait for the others at the
/// end; with fewer, a large region is the last to end. Measured on an H200.
LOOM_HOST_DEVICE std::uint32_t threads_of_region(const VolumeSubdivision& cut, std::uint32_t level) {
  const std::uint32_t side = cut.size / cut.parts_at(level);
  return side >= 24 ? kMaxVolumeThreads : side >= 12 ? 256 : 64;
}

/// Makes `count` samples unknown.
void mark_unknown(VolumeSample* samples, std::uint64_t count, const Stream& stream);
/// The samples of layers [first, end) of z.
void compute_layers(const VolumeTask& task, std::uint32_t first, std::uint32_t end, const Stream& stream);
/// Computes the same layers and adds the samples that differ: of filled ones, then of others; sets the bits
/// of set_miss().
void count_different(const VolumeTask& task, std::uint32_t first, std::uint32_t end,
                     unsigned long long (*differences)[2], std::uint32_t* misses, const Stream& stream);
/// The places of all regions of the first level.
void list_first_regions(const VolumeTask& task, const VolumeTable& table, const Stream& stream);
/// Regions [first, end) of a level, one thread block each (SBR). Writes the parts of those that split to
/// `next` and adds their number to `written`.
void compute_regions(const VolumeTask& task, std::uint32_t level, const VolumeTable& table,
                     std::uint64_t first, std::uint64_t end, const VolumeTable& next,
                     unsigned long long* written, const Stream& stream);

// The same by several thread blocks for each region (MBR), in three steps.

/// Thread blocks for the faces of a region; sample_blocks() are for its samples.
std::uint32_t face_blocks(const VolumeTask& task, std::uint32_t level);
/// `faces` are of all regions of the table.
void compute_faces(const VolumeTask& task, std::uint32_t level, const VolumeTable& table, std::uint64_t first,
                   std::uint64_t end, VolumeFaces* faces, const Stream& stream);
/// Decides what becomes of each of `count` regions. `ended` lists the entries of those that do not split,
/// `written` counts the parts of the others, then the ended ones.
void decide_regions(const VolumeTask& task, std::uint32_t level, const VolumeTable& table,
                    std::uint64_t count, const VolumeFaces* faces, const VolumeTable& next,
                    std::uint32_t* ended, unsigned long long (*written)[2], const Stream& stream);
/// Fills or computes the ended regions [first, end).
void end_regions(const VolumeTask& task, std::uint32_t level, const VolumeTable& table,
                 const VolumeFaces* faces, const std::uint32_t* ended, std::uint64_t first, std::uint64_t end,
                 const Stream& stream);

/// The pixels of a view.
void draw_volume(const VolumeScene& scene, const SolidView& view, std::uint32_t* pixels,
                 const Stream& stream);

/// Enqueues dynamic parallelism: one grid over the regions [first, end) of the first level, whose thread
/// blocks launch all others themselves. When the stream has finished it, all are done, or *launch_error is
/// set and samples are missing. Returns the error of the first launch. In a library of its own
/// (mandelbrot/dp/dynamic_parallelism.h).
cudaError_t compute_volume_by_dynamic_parallelism(const VolumeTask& task, std::uint32_t first,
                                                  std::uint32_t end, cudaStream_t stream);

}  // namespace loom::cuda
