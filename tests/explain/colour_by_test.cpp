#include "app/explain/colour_by.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "compute/core/error.h"
#include "configurations.h"

namespace loom::app::explain::tests {
namespace {

template <typename Use>
void for_each_thread(const ThreadSpace& space, const Use& use) {
  for (std::uint64_t i = 0; i < *space.threads(); ++i) use(space.location_of(space.thread_by_number(i)));
}

FractalConfig gasket(MapKind map) {
  FractalConfig config{.fractal = catalog().front(), .level = 5, .tile_size = 8};
  config.method.map = map;
  keep_method_valid(config);
  return config;
}

// Two threads have the same number exactly if they run in the same warp and round.
TEST(ColourBy, WarpsAreTheNumbers) {
  for (const MapKind map : kMapKinds) {
    const ThreadSpace space(gasket(map));
    std::map<std::uint64_t, std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t>>>
        warps;
    std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t>> all;
    for_each_thread(space, [&](const ThreadLocation& place) {
      const ColourKey key = colour_key(space, place, {ColourBy::kWarp});
      ASSERT_EQ(key.kind, ColourKey::Kind::kNumber);
      const std::tuple warp{place.thread_block.x, place.thread_block.y, place.warp(), place.round};
      warps[key.number].insert(warp);
      all.insert(warp);
    });
    EXPECT_EQ(warps.size(), all.size());
    for (const auto& [number, members] : warps) EXPECT_EQ(members.size(), 1u) << number;
  }
}

// Shares increase with the address and are at most 1. Idle threads have no address.
TEST(ColourBy, AddressesAreInOrder) {
  for (const MapKind map : kMapKinds) {
    const ThreadSpace space(gasket(map));
    std::map<std::uint64_t, float> shares;
    for_each_thread(space, [&](const ThreadLocation& place) {
      const ColourKey key = colour_key(space, place, {ColourBy::kAddress});
      EXPECT_EQ(key.kind == ColourKey::Kind::kOrdered, place.address.has_value());
      if (place.address) shares[*place.address] = key.share;
    });
    ASSERT_FALSE(shares.empty());
    float before = -1;
    for (const auto& [address, share] : shares) {
      EXPECT_GT(share, before);
      before = share;
      EXPECT_LE(share, 1.0f);
    }
  }
}

// All replicas of a level have the same number of cells.
TEST(ColourBy, ReplicasAreEqualParts) {
  for (const NbbFractal& fractal : catalog()) {
    FractalConfig config{.fractal = fractal, .level = 3, .tile_size = allowed_tile_sizes(fractal, 3).front()};
    const ThreadSpace space(config);
    for (int level = 1; level <= 3; ++level) {
      std::map<std::uint64_t, std::uint64_t> cells;
      for_each_thread(space, [&](const ThreadLocation& place) {
        const ColourKey key = colour_key(space, place, {ColourBy::kReplica, level});
        ASSERT_EQ(key.kind == ColourKey::Kind::kNumber, place.has_cell);
        if (place.has_cell) ++cells[key.number];
      });
      ASSERT_EQ(cells.size(), fractal.shape().k);
      for (const auto& [replica, count] : cells) EXPECT_EQ(count, space.tiled().cells / fractal.shape().k);
    }
  }
}

// The gasket's offsets with id, r90 and mx: each replica of the coarsest level has its own orientation there,
// and at the finest level the three generate all eight symmetries.
TEST(ColourBy, OrientationsAreThoseOfTheReplicas) {
  const NbbFractal& fractal = find_fractal("mirrored-gasket");
  const ThreadSpace space({.fractal = fractal, .level = 5, .tile_size = 4});
  std::map<std::uint64_t, std::uint64_t> coarsest;
  std::map<std::uint64_t, std::uint64_t> finest;
  for_each_thread(space, [&](const ThreadLocation& place) {
    if (!place.has_cell) return;
    ++coarsest[colour_key(space, place, {ColourBy::kOrientation, 5}).number];
    ++finest[colour_key(space, place, {ColourBy::kOrientation, 1}).number];
  });
  const std::map<std::uint64_t, std::uint64_t> thirds = {
      {static_cast<std::uint64_t>(Symmetry::kIdentity), 81},
      {static_cast<std::uint64_t>(Symmetry::kRotate90), 81},
      {static_cast<std::uint64_t>(Symmetry::kMirrorX), 81}};
  EXPECT_EQ(coarsest, thirds);
  EXPECT_EQ(finest.size(), kSymmetryCount);
}

// Each tile's cells are found back from their points, for every map and intra-block mapping.
TEST(ColourBy, ThreadsOfTurnedTilesAreFoundBack) {
  for (const NbbFractal& fractal : level_catalog()) {
    for (const MapKind map : kMapKinds) {
      for (const IntraBlock intra_block : kIntraBlocks) {
        const int level = fractal.kind() == LevelKind::kTurned ? 4 : 3;
        FractalConfig config{.fractal = fractal,
                             .level = level,
                             .tile_size = allowed_tile_sizes(fractal, level)[1],
                             .method = {.map = map, .intra_block = intra_block}};
        const ThreadSpace space(config);
        for_each_thread(space, [&](const ThreadLocation& place) {
          if (!place.has_cell) return;
          const auto found = space.thread_at(place.cell);
          ASSERT_TRUE(found.has_value()) << fractal.name();
          ASSERT_EQ(found->tile, place.ref.tile) << fractal.name();
          ASSERT_EQ(found->thread, place.ref.thread) << fractal.name();
        });
      }
    }
  }
}

TEST(ColourBy, NamesAreReadBack) {
  for (const ColourBy by : kColourings) EXPECT_EQ(parse_colour_by(name_of(by)), by);
  EXPECT_THROW(parse_colour_by("colour"), InputError);
}

}  // namespace
}  // namespace loom::app::explain::tests
