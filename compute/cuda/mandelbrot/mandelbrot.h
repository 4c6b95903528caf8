#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/cuda/launch_slices.h"
#include "compute/cuda/mandelbrot/custom/custom_kernels.h"
#include "compute/cuda/mandelbrot/region/dwell_task.h"
#include "compute/cuda/stream.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/engine/occupancy.h"
#include "compute/mandelbrot/mandelbrot_memory.h"
#include "compute/mandelbrot/row_partition.h"
#include "compute/perturbation/perturbed.h"

namespace loom::cuda {

/// The tables of one level of ASK: the table that it reads (null for level 0, whose entries are all regions
/// in order) and the table that its splits write.
struct AskTables {
  const Coord32* read = nullptr;
  Coord32* write = nullptr;
  RegionJob* jobs = nullptr;             ///< if several thread blocks share a region
  std::uint64_t* warp_tables = nullptr;  ///< if warps share the regions of all levels: laid out by WarpTables
  // The range of one launch: entries, or parts of jobs.
  unsigned long long first = 0;
  unsigned long long end = ~0ull;
};

/// The limits of a level's launches.
struct AskLaunch {
  std::uint32_t level = 0;
  std::uint64_t max_regions = 0;  ///< largest possible number of regions of the level
  BlockShape block;
  int multiprocessors = 1;
};

// All of these functions enqueue their work and return; Evaluator is one of dwell.h, Dwell uint16 or uint32.

/// Computes every pixel by the plain loop, one thread each; a thread block computes a rectangle of its shape.
template <typename Evaluator, typename Dwell>
void compute_exhaustive(const DwellTask<Evaluator, Dwell>& task, BlockShape block, const DwellSlices& slices,
                        const Stream& stream);

/// One level of ASK: one kernel; with MBR a second one for fills and leaves. The number of regions is read on
/// the device. If the largest possible number would take too long for one launch, the host waits for the
/// actual number and divides the work into several launches. For a region that is too long for one
/// thread block, a separate launch computes its border, and several thread blocks process its inner pixels,
/// whatever the scheme. Returns the largest possible number of regions.
template <typename Evaluator, typename Dwell>
std::uint64_t compute_ask_level(const DwellTask<Evaluator, Dwell>& task, const AskTables& tables,
                                const AskLaunch& launch, const DwellSlices& slices, const Stream& stream);
/// Waits, and reads a count of a LevelCounters.
std::uint64_t read_count(const unsigned long long* count, const Stream& stream);

/// The same for some rows only: `pieces` is a device table of `count` row ranges, none higher than a thread
/// block.
template <typename Evaluator, typename Dwell>
void compute_exhaustive_rows(const DwellTask<Evaluator, Dwell>& task, BlockShape block,
                             const RowRange* pieces, std::uint64_t count, const DwellSlices& slices,
                             const Stream& stream);

/// The real axis of a mirrored image.
template <typename Evaluator, typename Dwell>
void compute_axis(const DwellTask<Evaluator, Dwell>& task, const LaunchSlices& slices, const Stream& stream);
/// Copies the computed rows of a mirrored image, above the axis and without row 0, to their mirror rows.
template <typename Evaluator, typename Dwell>
void mirror_rows(const DwellTask<Evaluator, Dwell>& task, RowRange rows, const LaunchSlices& slices,
                 const Stream& stream);

/// Compares the pixels from `first` to `end` with the plain loop: adds to *count, and writes `capacity`
/// differences at most, in arbitrary order.
template <typename Evaluator, typename Dwell>
void find_differences(const DwellTask<Evaluator, Dwell>& task, std::uint64_t first, std::uint64_t end,
                      unsigned long long* count, DwellDifference* places, std::uint64_t capacity,
                      const DwellSlices& slices, const Stream& stream);

// For evaluators whose kernels of all pixels leave long orbits as kLongOrbit (kLeavesLongOrbits).
/// Lists such pixels from `first` to `end`, at most `capacity`; adds the number of all to *count.
template <typename Evaluator>
void list_long_orbits(const DwellTask<Evaluator, std::uint32_t>& task, std::uint64_t first, std::uint64_t end,
                      unsigned long long* count, Coord32* pixels, std::uint64_t capacity,
                      const Stream& stream);
/// Computes `count` listed pixels from their beginning, with a search for cycles. Leaves again those that are
/// not decided after `most` iterations.
template <typename Evaluator>
void compute_long_orbits(const DwellTask<Evaluator, std::uint32_t>& task, const Coord32* pixels,
                         std::uint64_t count, std::uint32_t most, const LaunchSlices& slices,
                         const Stream& stream);
/// How many lanes of each warp get one of `count` orbits of very different lengths. Lanes wait for each
/// other: with few orbits, each has a warp of its own.
inline std::uint32_t lanes_of_warp(std::uint64_t count, const LaunchSlices& slices) {
  constexpr std::uint64_t kWarpsToFill = 16;
  const std::uint64_t warps = kWarpsToFill * slices.multiprocessors;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>((count + warps - 1) / warps, 1, 32));
}

/// Converts `count` dwells to uint16.
void narrow_dwells(const std::uint32_t* dwells, std::uint16_t* narrow, std::uint64_t count,
                   const Stream& stream);

/// Computes `count` pixels again with a mantissa of two doubles; `steps` are those of a pixel with a double.
/// Counts those whose dwell that does not decide; the others' places become kDecidedPixel.
template <bool kWide>
void correct_pixels(const Perturbed<DoubleDouble, kWide, true>& grid, Coord32* pixels, std::uint64_t count,
                    const DeviceImage<std::uint32_t>& image, std::uint32_t limit, std::uint32_t steps,
                    unsigned long long* undecided, const LaunchSlices& slices, const Stream& stream);

/// The kernels of host launches that a timeline records.
enum class MandelbrotKernel { kExhaustive, kAskLevel, kAskJobs };
/// The resources of the regular kernel. The task only selects the types.
template <typename Evaluator, typename Dwell>
Occupancy timed_occupancy(const DwellTask<Evaluator, Dwell>& task, MandelbrotKernel kernel, BlockShape block);

}  // namespace loom::cuda
