#pragma once

#include <cstdint>

#include "compute/cpu/run_recorder.h"
#include "compute/engine/progress_monitor.h"
#include "compute/engine/thread_count.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/dispatch.h"
#include "compute/workload/game_of_life.h"

namespace loom::cpu {

/// Computes one generation on the CPU. The same tiles and threads as on the GPU are visited, so that idle
/// threads of a map cost time here too; where a tile is processed by rows (life_step.h), its threads select
/// the cells. `now` and `next` are one generation each in the method's layout and storage. A tile is a unit
/// of `call`; if it is cancelled, `next` is incomplete. `recorder` notes the chunks of tiles that each OpenMP
/// thread processed, and may be null. Does not allocate memory.
void step_life(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
               std::uint8_t* now, std::uint8_t* next, LifeRule rule, const ProgressScope& call,
               RunRecorder* recorder = nullptr);
/// The same for a rule that is larger (larger_life.cpp).
void step_larger_life(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                      std::uint8_t* now, std::uint8_t* next, const LifeRule& rule, const ProgressScope& call,
                      RunRecorder* recorder);

/// Visits all tiles and threads of a method as its workloads do, and counts them. Reads no cells.
ThreadCount count_threads(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables);

/// The sum of reduction_value() over all cells. Exact. A tile is a unit of `call`; the sum is meaningless if
/// the call is cancelled. Does not allocate memory.
std::uint64_t reduce(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                     std::uint8_t* cells, const ProgressScope& call);

/// Sets every cell to single_write_value() of its coordinate and `generation`. A tile is a unit of `call`; if
/// it is cancelled, some cells have been written. Does not allocate memory.
void single_write(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                  std::uint8_t* cells, std::uint32_t generation, const ProgressScope& call);

}  // namespace loom::cpu
