#pragma once

#include <cstdint>

#include "compute/cuda/stream.h"
#include "compute/geometry/bit_planes.h"

namespace loom::cuda {

// Words of threads, one of each plane, between the rows of a generation and lists in which they lie thread
// after thread; enqueued. `threads`, a list of `count` in device memory, says which rows; null: from `first`
// on, one after the other.

/// Which threads' words of rows are meant.
struct ThreadList {
  const std::uint32_t* threads = nullptr;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// From rows into a list, and back.
void pack_words(const BitPlanes& planes, const void* rows, const ThreadList& of, void* list,
                const Stream& stream);
void unpack_words(const BitPlanes& planes, const void* list, void* rows, const ThreadList& of,
                  const Stream& stream);

/// Words that lie in rows of their own, in the order of a list, into those of a generation; where `counts` is
/// not null the living of their groups as well.
void place_rim(const BitPlanes& planes, const void* rim, void* rows, const ThreadList& of,
               std::uint16_t* counts, const Stream& stream);

}  // namespace loom::cuda
