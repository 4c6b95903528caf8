#pragma once

#include <cstdint>

#include "compute/cuda/launch_slices.h"
#include "compute/cuda/stream.h"
#include "compute/engine/thread_count.h"
#include "compute/solid/solid_config.h"
#include "compute/solid/solid_engine.h"
#include "compute/solid/solid_map.h"
#include "compute/solid/solid_rays.h"

namespace loom::cuda {

/// A map and its launch, as the kernels take them. The tables are in device memory.
struct SolidProgram {
  SolidMap map;
  SolidLaunch launch;
  SolidSharedMemory memory;
  const StagedPoint* staged = nullptr;
  std::uint32_t staged_points = 0;
  std::uint32_t halo_tiles = 0;  ///< neighbouring tiles that the halo reads
  bool halo = true;              ///< compact: with staged tiles
};

// All functions enqueue their work.

/// The next generation of life.
void step_solid(const SolidProgram& program, const std::uint8_t* now, std::uint8_t* next, SolidRule rule,
                const LaunchSlices& slices, const Stream& stream);
/// Single write of a generation.
void write_solid(const SolidProgram& program, std::uint8_t* cells, std::uint32_t generation,
                 const LaunchSlices& slices, const Stream& stream);
/// Adds the reduction to *sum.
void reduce_solid(const SolidProgram& program, const std::uint8_t* cells, unsigned long long* sum,
                  const LaunchSlices& slices, const Stream& stream);
/// Counts the threads of the launch; waits.
ThreadCount count_solid_threads(const SolidProgram& program, const LaunchSlices& slices,
                                const Stream& stream);

// Cells by canonical index: [first, first + count).
void fill_random_solid(const SolidMap& map, const SolidOrder& order, std::uint8_t* cells, std::uint64_t first,
                       std::uint64_t count, std::uint64_t seed, std::uint64_t threshold,
                       const Stream& stream);
/// Adds the population to totals[0] and the hash to totals[1].
void add_solid_census(const SolidMap& map, const SolidOrder& order, const std::uint8_t* cells,
                      std::uint64_t first, std::uint64_t count, unsigned long long* totals,
                      const Stream& stream);
void gather_solid(const SolidMap& map, const SolidOrder& order, const std::uint8_t* cells,
                  std::uint64_t first, std::uint64_t count, std::uint8_t* dense, const Stream& stream);
void scatter_solid(const SolidMap& map, const SolidOrder& order, std::uint8_t* cells, std::uint64_t first,
                   std::uint64_t count, const std::uint8_t* dense, const Stream& stream);

/// Traces the rays of a view into view.width * view.height pixels.
void trace_solid(const SolidScene& scene, const SolidView& view, const std::uint8_t* cells,
                 std::uint32_t* pixels, const Stream& stream);
/// What the ray of one pixel meets.
void pick_solid(const SolidScene& scene, const SolidView& view, const std::uint8_t* cells, int column,
                int row, SolidHit* hit, const Stream& stream);

}  // namespace loom::cuda
