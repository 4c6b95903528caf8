#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/cuda/launch_slices.h"
#include "compute/cuda/mandelbrot/region/dwell_task.h"
#include "compute/cuda/stream.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/engine/occupancy.h"
#include "compute/mandelbrot/dwell_share.h"
#include "compute/mandelbrot/mandelbrot_memory.h"

namespace loom::cuda {

/// One level of ASK: the table it reads (null for level 0, whose entries are all regions in order) and the
/// one its splits write.
struct AskTables {
  const Coord32* read = nullptr;
  Coord32* write = nullptr;
  RegionJob* jobs = nullptr;  ///< where several blocks share a region
  // What a launch takes: entries, or parts of jobs.
  unsigned long long first = 0;
  unsigned long long end = ~0ull;
};

/// What the launches of a level are cut to.
struct AskLaunch {
  std::uint32_t level = 0;
  std::uint64_t most_regions = 0;  ///< that the level can have
  BlockShape block;
  int multiprocessors = 1;
};

// All of these enqueue their work and return; Real is float or double, Dwell uint16 or uint32.

/// Every pixel by the plain loop, one thread each; a block computes a rectangle of its shape.
template <typename Real, typename Dwell>
void compute_exhaustive(const DwellTask<Real, Dwell>& task, BlockShape block, const LaunchSlices& slices,
                        const Stream& stream);

/// One level of ASK: one kernel, with MBR a second one for fills and leaves. How many regions there are is
/// read on the device; where as many as there can be would take too long for one launch it is waited for, and
/// they are launched in parts. A region that is too long for one block has its border computed by a launch
/// before, and what is within it by several blocks, whatever the scheme. Returns how many regions there are
/// at most.
template <typename Real, typename Dwell>
std::uint64_t compute_ask_level(const DwellTask<Real, Dwell>& task, const AskTables& tables,
                                const AskLaunch& launch, const LaunchSlices& slices, const Stream& stream);
/// Waits, and reads a count of a LevelCounters.
std::uint64_t read_count(const unsigned long long* count, const Stream& stream);

/// The same for some rows alone: `pieces` is a table on the device of `count` stretches of rows, none higher
/// than a block.
template <typename Real, typename Dwell>
void compute_exhaustive_rows(const DwellTask<Real, Dwell>& task, BlockShape block, const RowRange* pieces,
                             std::uint64_t count, const LaunchSlices& slices, const Stream& stream);

/// The real axis of a mirrored image.
template <typename Real, typename Dwell>
void compute_axis(const DwellTask<Real, Dwell>& task, const LaunchSlices& slices, const Stream& stream);
/// Copies computed rows of a mirrored image, above the axis and without row 0, to where they are mirrored.
template <typename Real, typename Dwell>
void mirror_rows(const DwellTask<Real, Dwell>& task, RowRange rows, const LaunchSlices& slices,
                 const Stream& stream);

/// Compares the pixels from `first` to `end` with the plain loop: adds to *count, and writes the first
/// `capacity` differences that are found, in no order.
template <typename Real, typename Dwell>
void find_differences(const DwellTask<Real, Dwell>& task, std::uint64_t first, std::uint64_t end,
                      unsigned long long* count, DwellDifference* places, std::uint64_t capacity,
                      const LaunchSlices& slices, const Stream& stream);

/// Narrows `count` dwells.
void narrow_dwells(const std::uint32_t* dwells, std::uint16_t* narrow, std::uint64_t count,
                   const Stream& stream);

/// The kernels that a timeline records, of the host's launches.
enum class MandelbrotKernel { kExhaustive, kAskLevel, kAskJobs };
/// What the kernel that is timed takes of a multiprocessor. The task names the types alone.
template <typename Real, typename Dwell>
Occupancy timed_occupancy(const DwellTask<Real, Dwell>& task, MandelbrotKernel kernel, BlockShape block);

}  // namespace loom::cuda
