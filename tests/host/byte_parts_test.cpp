#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "compute/core/error.h"
#include "compute/geometry/bit_planes.h"
#include "compute/geometry/canonical_order.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/geometry/partition.h"
#include "compute/geometry/storage.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom {
namespace {

class ByteParts : public testing::TestWithParam<int> {
 protected:
  const NbbFractal& fractal() const { return catalog()[static_cast<std::size_t>(GetParam())]; }
  int level() const {
    int level = 0;
    while (fractal().cells(level + 1) <= 6'000) ++level;
    return level;
  }
};

std::uint32_t part_with(const TiledFractal& whole, const std::vector<TileRows>& parts, std::uint64_t place) {
  std::uint32_t part = 0;
  while (place / whole.places_of_row() >= parts[part].first + parts[part].count) ++part;
  return part;
}

/// The storage index of the neighbour of a cell in one direction, by coordinates in the bounding box.
std::uint64_t place_beside(const TiledCompactStorage<std::uint64_t>& storage, Coord64 cell,
                           std::size_t direction) {
  const std::uint64_t x = cell.x + static_cast<std::uint64_t>(kDirectionX[direction]);
  const std::uint64_t y = cell.y + static_cast<std::uint64_t>(kDirectionY[direction]);
  if (x >= storage.tiled.width || y >= storage.tiled.height) return kNoIndex;
  return storage.index_of({x, y});
}

// The expected halos come from visiting all cells by coordinates; the search under test visits only cells at
// partition boundaries.
TEST_P(ByteParts, TheRimIsWhatLiesBesideOthers) {
  for (const std::uint32_t tile_size : allowed_tile_sizes(fractal(), level())) {
    const TiledFractal whole = make_tiled_fractal(fractal(), level(), tile_size);
    const TiledCompactStorage<std::uint64_t> storage(whole);
    const CanonicalOrder<std::uint64_t> order(whole);
    for (const std::uint32_t count : {1u, 2u, 3u, 7u}) {
      if (count > whole.orthotope_y) continue;
      SCOPED_TRACE(fractal().name() + " tile size " + std::to_string(tile_size) + " parts " +
                   std::to_string(count));
      const std::vector<TileRows> parts = partition_rows(whole, count);
      std::vector<ByteBoundary> rims;
      for (std::uint32_t part = 0; part < count; ++part)
        rims.push_back(make_byte_boundary(whole, parts, part));
      std::vector<std::map<std::uint64_t, Coord64>> expected_rims(count);  // by storage index
      std::vector<std::set<std::uint64_t>> expected_copies(count);
      for (std::uint64_t i = 0; i < whole.cells; ++i) {
        const Coord64 cell = order.cell(i);
        const std::uint64_t place = storage.index_of(cell);
        const std::uint32_t part = part_with(whole, parts, place);
        for (std::size_t d = 0; d < kDirections; ++d) {
          const std::uint64_t beside = place_beside(storage, cell, d);
          if (beside == kNoIndex || part_with(whole, parts, beside) == part) continue;
          expected_rims[part][place] = cell;
          expected_copies[part].insert(beside);
        }
      }
      for (std::uint32_t part = 0; part < count; ++part) {
        const ByteBoundary& boundary = rims[part];
        const PartBytes bytes = part_bytes(part_of(whole, parts[part]));
        ASSERT_EQ(std::vector<std::uint64_t>(expected_copies[part].begin(), expected_copies[part].end()),
                  boundary.copies);
        ASSERT_EQ(expected_rims[part].size(), boundary.boundary.size());
        std::size_t i = 0;
        for (const auto& [place, cell] : expected_rims[part]) {
          ASSERT_EQ(boundary.boundary[i] + bytes.origin, place);
          for (std::size_t d = 0; d < kDirections; ++d) {
            const std::uint64_t found = boundary.beside[d * boundary.boundary.size() + i];
            const std::uint64_t beside = place_beside(storage, cell, d);
            if (beside == kNoIndex) {
              ASSERT_EQ(found, kNoIndex);
            } else if (part_with(whole, parts, beside) == part) {
              ASSERT_EQ(found + bytes.origin, beside);
            } else {
              ASSERT_GE(found, bytes.copies);
              ASSERT_EQ(boundary.copies.at(found - bytes.copies), beside);
            }
          }
          ++i;
        }
        // Each partition receives what the others send, in the same order.
        std::uint32_t sent = 0;
        for (const HaloSegment& from : boundary.received_from) {
          EXPECT_EQ(from.first, sent);
          sent += from.count;
          const ByteBoundary& other = rims[from.part];
          const auto to = std::find_if(other.sent_to.begin(), other.sent_to.end(),
                                       [&](const HaloSegment& one) { return one.part == part; });
          ASSERT_NE(to, other.sent_to.end());
          ASSERT_EQ(to->count, from.count);
          for (std::uint32_t n = 0; n < from.count; ++n) {
            EXPECT_EQ(other.boundary[other.sent[to->first + n]] +
                          part_bytes(part_of(whole, parts[from.part])).origin,
                      boundary.copies[from.first + n]);
          }
        }
        EXPECT_EQ(sent, boundary.copies.size());
      }
    }
  }
}

TEST_P(ByteParts, EveryRowIsInOnePart) {
  const TiledFractal whole = make_tiled_fractal(fractal(), fractal().max_level() / 2, 1);
  for (const std::vector<std::uint32_t>& shares :
       {std::vector<std::uint32_t>{1}, {1, 1}, {5, 4}, {1, 2, 3, 4, 5, 6}, {1000, 999}}) {
    const std::vector<TileRows> parts = partition_rows(whole, shares);
    std::uint64_t next = 0;
    double all = 0;
    for (const std::uint32_t share : shares) all += share;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      EXPECT_EQ(parts[i].first, next);
      const double expected = static_cast<double>(whole.orthotope_y) * shares[i] / all;
      EXPECT_NEAR(static_cast<double>(parts[i].count), expected, 1 + expected / 16);
      next += parts[i].count;
    }
    EXPECT_EQ(next, whole.orthotope_y);
  }
}

// The canonical order of a partition visits each of its own cells once.
TEST_P(ByteParts, HeldIndicesAreThoseOfOwnCells) {
  for (const std::uint32_t tile_size : allowed_tile_sizes(fractal(), level())) {
    const TiledFractal whole = make_tiled_fractal(fractal(), level(), tile_size);
    const std::uint32_t count = whole.orthotope_y >= 3 ? 3 : 1;
    const TiledCompactStorage<std::uint64_t> storage(whole);
    std::set<std::uint64_t> seen;
    for (const TileRows& rows : partition_rows(whole, count)) {
      const TiledFractal part = part_of(whole, rows);
      const CanonicalOrder<std::uint64_t> order(part);
      const PartitionCells held = partition_cells(part, nullptr);
      EXPECT_EQ(order.held(), cells_held(part));
      for (std::uint64_t n = 0; n < order.held();) {
        for (std::uint64_t together = order.held_together(n), first = order.held_index(n), i = 0;
             i < together; ++i, ++n) {
          EXPECT_EQ(order.held_index(n), first + i);
          EXPECT_TRUE(held.holds(storage.index_of(order.cell(first + i))));
          EXPECT_TRUE(seen.insert(first + i).second);
        }
      }
    }
    EXPECT_EQ(seen.size(), whole.cells);
  }
}

TEST_P(ByteParts, OfALargeLevelOnlyTheCutIsLookedAt) {
  int level = 0;
  while (fractal().cells(level) < 300'000'000) ++level;
  const TiledFractal whole = make_tiled_fractal(fractal(), level, nearest_tile_size(fractal(), level, 16));
  const ByteBoundary boundary = make_byte_boundary(whole, partition_rows(whole, 2), 1);
  EXPECT_LT(boundary.boundary.size(), whole.cells / 200) << whole.cells;
}

TEST(BytePartsRefused, FewerRowsThanParts) {
  const TiledFractal whole = make_tiled_fractal(catalog()[0], 6, 8);
  ASSERT_EQ(whole.orthotope_y, 3u);
  EXPECT_NO_THROW(partition_rows(whole, 3));
  EXPECT_THROW(partition_rows(whole, 4), InputError);
  EXPECT_THROW(partition_rows(whole, std::uint32_t{0}), InputError);
  EXPECT_THROW(partition_rows(whole, std::vector<std::uint32_t>{1, 1000}), InputError);
  EXPECT_THROW(partition_rows(whole, std::vector<std::uint32_t>{1, 0}), InputError);
}

INSTANTIATE_TEST_SUITE_P(Catalog, ByteParts, testing::Range(0, static_cast<int>(catalog().size())));

}  // namespace
}  // namespace loom
