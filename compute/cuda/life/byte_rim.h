#pragma once

#include <cstdint>

#include "compute/cuda/stream.h"
#include "compute/workload/game_of_life.h"

namespace loom::cuda {

// The cells of a part's rim (geometry/byte_parts.h), in lists of a byte a cell; enqueued. All memory is the
// device's.

/// Where they and their neighbours lie in a generation.
struct RimCells {
  const std::uint64_t* places = nullptr;
  const std::uint64_t* beside = nullptr;
  std::uint64_t count = 0;
};

/// Their next states into a list.
void step_rim(const RimCells& rim, const std::uint8_t* now, std::uint8_t* list, LifeRule rule,
              const Stream& stream);
/// Out of a list to where they lie.
void place_rim(const RimCells& rim, const std::uint8_t* list, std::uint8_t* next, const Stream& stream);

/// list[i] = from[places[i]].
void gather_bytes(const std::uint8_t* from, const std::uint64_t* places, std::uint64_t count,
                  std::uint8_t* list, const Stream& stream);

}  // namespace loom::cuda
