#pragma once

#include <cstdint>

#include "compute/cuda/stream.h"
#include "compute/geometry/bit_planes.h"

namespace loom::cuda {

// Copies of threads' words, one per plane, between the rows of a generation and lists that hold them thread
// by thread; enqueued. `threads`, a list of `count` entries in device memory, selects the threads; null:
// consecutive threads from `first` on.

/// The threads whose words are copied.
struct ThreadList {
  const std::uint32_t* threads = nullptr;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// Copy words from rows into a list, and back.
void pack_words(const BitPlanes& planes, const void* rows, const ThreadList& of, void* list,
                const Stream& stream);
void unpack_words(const BitPlanes& planes, const void* list, void* rows, const ThreadList& of,
                  const Stream& stream);

/// Scatters words that are stored in rows in the order of a list into those of a generation; if `counts` is
/// not null, also writes the living cells of their groups.
void scatter_boundary(const BitPlanes& planes, const void* boundary, void* rows, const ThreadList& of,
                      std::uint16_t* counts, const Stream& stream);

}  // namespace loom::cuda
