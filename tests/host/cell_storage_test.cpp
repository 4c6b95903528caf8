#include <gtest/gtest.h>

#include <vector>

#include "compute/core/error.h"
#include "compute/geometry/storage.h"
#include "compute/map/map_method.h"

namespace loom {
namespace {

TEST(CellStorage, CountsWhatWasStored) {
  std::vector<std::uint8_t> memory(2100);
  const ByteCells cells{memory.data()};
  for (std::uint64_t i = 0; i < 2100; ++i) cells.store(i, i % 3 == 0 || i > 1500 ? 1 : 0);
  for (std::uint64_t first = 0; first < 20; ++first) {
    for (const std::uint32_t size : {0u, 1u, 2u, 7u, 8u, 9u, 15u, 16u, 27u, 32u, 1024u, 2080u}) {
      std::uint32_t expected = 0;
      for (std::uint64_t i = first; i < first + size; ++i) expected += i % 3 == 0 || i > 1500;
      EXPECT_EQ(cells.count(first, size, 2), expected) << first << " " << size;
    }
  }
  EXPECT_EQ(cells.load(3), 1);
  EXPECT_EQ(cells.load(4), 0);
}

}  // namespace
}  // namespace loom
