#include "compute/mandelbrot/volume.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <tuple>
#include <vector>

#include "compute/core/error.h"
#include "compute/mandelbrot/cost_model.h"

namespace loom {
namespace {

TEST(Volume, NumbersOfPlacesAndBack) {
  for (const RegionOrder order : {RegionOrder::kCanonical, RegionOrder::kMorton, RegionOrder::kHilbert}) {
    for (const std::uint32_t parts : {1u, 2u, 8u, 16u}) {
      std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> places;
      Coord3 before;
      for (std::uint32_t number = 0; number < parts * parts * parts; ++number) {
        const Coord3 place = place_of(order, parts, number);
        EXPECT_EQ(number_of(order, parts, place), number);
        places.emplace(place.x, place.y, place.z);
        const auto far = [](std::uint32_t a, std::uint32_t b) {
          return std::abs(static_cast<int>(a) - static_cast<int>(b));
        };
        if (order == RegionOrder::kHilbert && number > 0) {
          EXPECT_EQ(far(place.x, before.x) + far(place.y, before.y) + far(place.z, before.z), 1) << number;
        }
        // On a curve the parts of a region follow one another.
        if (order != RegionOrder::kCanonical) {
          const Coord3 part = place_of(order, 2 * parts, 8 * number + 5);
          EXPECT_EQ((Coord3{part.x / 2, part.y / 2, part.z / 2}), place) << name_of(order) << " " << number;
        }
        before = place;
      }
      EXPECT_EQ(places.size(), parts * parts * parts);
      EXPECT_EQ(std::get<0>(*places.rbegin()), parts - 1);
    }
  }
}

TEST(Volume, FaceSamplesAreThoseWithANeighbourOutside) {
  for (const Coord3 size : {Coord3{1, 1, 1}, {2, 3, 1}, {1, 5, 4}, {4, 1, 6}, {3, 4, 5}, {2, 2, 2}}) {
    const VolumeRegion region{{3, 5, 7}, {3 + size.x, 5 + size.y, 7 + size.z}};
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> faces;
    for (std::uint32_t z = 0; z < size.z; ++z) {
      for (std::uint32_t y = 0; y < size.y; ++y) {
        for (std::uint32_t x = 0; x < size.x; ++x) {
          if (x == 0 || y == 0 || z == 0 || x + 1 == size.x || y + 1 == size.y || z + 1 == size.z)
            faces.emplace(3 + x, 5 + y, 7 + z);
        }
      }
    }
    ASSERT_EQ(face_samples(region), faces.size());
    for (std::uint64_t i = 0; i < face_samples(region); ++i) {
      const Coord3 at = face_sample(region, i);
      EXPECT_EQ(faces.erase({at.x, at.y, at.z}), 1u);
    }
  }
}

TEST(Volume, ARegionIsFoundFromAnyOfItsSamples) {
  for (const auto& [size, parts] : {std::pair{64u, 8u}, {61u, 8u}, {7u, 6u}, {5u, 5u}}) {
    for (std::uint32_t index = 0; index < parts; ++index) {
      const VolumeRegion region = volume_region_at(size, parts, {index, 0, 0});
      for (std::uint32_t x = region.low.x; x < region.high.x; ++x)
        EXPECT_EQ(volume_region_of(size, parts, {x, 0, 0}).low, region.low)
            << size << " " << parts << " " << x;
    }
  }
}

TEST(Volume, RefusesWhatHasNoMeaning) {
  const auto refuses = [](const VolumeConfig& config) { EXPECT_THROW(validate(config), InputError); };
  refuses({.power = 1});
  refuses({.power = 10});
  refuses({.set = VolumeSet::kQuaternionJulia, .c = {2, 0.1, 0, 0}});
  refuses({.set = VolumeSet::kQuaternionJulia, .c = {NAN, 0, 0, 0}});
  refuses({.box = {{0, 0, 0}, {1, 0, 1}}});
  refuses({.box = {{-1e308, 0, 0}, {1e308, 1, 1}}});
  refuses({.size = 0});
  refuses({.size = kMaxVolumeSide + 1});
  refuses({.dwell_limit = kMaxVolumeLimit + 1});
  refuses({.size = 8, .g = 16});
  refuses({.r = 3, .order = RegionOrder::kHilbert});
  EXPECT_NO_THROW(validate({.size = 8, .method = MandelbrotMethod::kExhaustive, .g = 16}));
}

TEST(CostModel, TwoLevelsInSpaceByHand) {
  const CostProblem problem{64, 10, 0.5, 3, 4, 8, 3};
  const CostCut cut{4, 2, 4};
  // Level 0: 64 regions of 16^3. Border 6 * 256 * 10, split 0.5 * 30, fill 0.5 * 4096.
  EXPECT_DOUBLE_EQ(subdivision_work(problem, cut), 64 * (15360 + 15 + 2048) + 0.5 * 64 * 64 * 64 * 10);
  EXPECT_DOUBLE_EQ(exhaustive_work(problem), 64.0 * 64 * 64 * 10);
  // SBR: ceil(15360 / 8) + 15 + 0.5 * 512, 16 rounds; then 512 regions of 512 samples, 128 rounds.
  EXPECT_DOUBLE_EQ(sbr_time(problem, cut), (1920 + 15 + 256) * 16 + 10.0 * 64 * 128 * 0.5);
  EXPECT_DOUBLE_EQ(exhaustive_time(problem), 10.0 * 8192);
}

}  // namespace
}  // namespace loom
