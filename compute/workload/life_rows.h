#pragma once

#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/workload/life_words.h"

namespace loom {

/// Three words of one row of bits: the points themselves, and their left and right neighbours.
struct RowWords {
  std::uint64_t left = 0;
  std::uint64_t middle = 0;
  std::uint64_t right = 0;
};
LOOM_HOST_DEVICE RowWords row_words(std::uint64_t before, std::uint64_t word, std::uint64_t after) {
  return {word << 1 | before >> 63, word, word >> 1 | after << 63};
}

/// The next generation of 64 points of a row; `mask` has the points that are cells.
LOOM_HOST_DEVICE std::uint64_t next_row_word(const RuleMasks& rule, const RowWords& above,
                                             const RowWords& here, const RowWords& below,
                                             std::uint64_t mask) {
  const std::uint64_t in[8] = {above.left, above.middle, above.right,  here.left,
                               here.right, below.left,   below.middle, below.right};
  return next_word(rule, here.middle, count_words(in)) & mask;
}

}  // namespace loom
