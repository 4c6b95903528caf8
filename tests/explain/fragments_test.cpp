#include "app/explain/fragments.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "app/explain/map_steps.h"
#include "by_arithmetic.h"
#include "compute/core/error.h"
#include "compute/map/tensor_arithmetic.h"

namespace loom::app::explain {
namespace {

/// A random configuration with this tensor arithmetic, if its tile size allows it.
FractalConfig random_tensor_configuration(MapArithmetic arithmetic) {
  FractalConfig config = tests::random_configuration();
  config.method = {.map = MapKind::kLambda, .arithmetic = arithmetic};
  if (arithmetic == MapArithmetic::kTensor) config.method.map = MapKind::kCompact;
  RC_PRE(method_problem(config.method, make_tiled_fractal(config.fractal, config.level, config.tile_size))
             .empty());
  return config;
}

/// Checks D = A B + C by definition; no value is rounded.
void check_products(const Fragments& fragments) {
  for (const FragmentProduct& product : fragments.products) {
    for (int row = 0; row < kFragmentSide; ++row) {
      for (int column = 0; column < kFragmentSide; ++column) {
        double sum = product.c.at(row, column);
        for (int i = 0; i < kFragmentSide; ++i) sum += double{product.a.at(row, i)} * product.b.at(i, column);
        RC_ASSERT(product.d.at(row, column) == sum);
        RC_ASSERT(!product.a.wrong_at(row, column));
        RC_ASSERT(!product.d.wrong_at(row, column));
      }
    }
  }
}

TEST(Fragments, PlaceTheTilesAsTheEnginesDo) {
  for (const MapArithmetic arithmetic : {MapArithmetic::kTensor1, MapArithmetic::kTensor2,
                                         MapArithmetic::kTensor, MapArithmetic::kTensorFp16}) {
    SCOPED_TRACE(name_of(arithmetic));
    EXPECT_TRUE(rc::check([arithmetic] {
      const ThreadSpace space(random_tensor_configuration(arithmetic));
      const Coord64 omega = tests::random_omega(space);
      const Fragments fragments = lambda_fragments(space, omega);
      const Coord64 place = tests::lambda_by(space, arithmetic, omega);
      const Coord64 exact = tests::lambda_by(space, MapArithmetic::kLoop, omega);
      RC_ASSERT(fragments.results.size() == (arithmetic == MapArithmetic::kTensor2 ? 8u : 2u));
      if (is_exact(arithmetic)) check_products(fragments);
      bool found = false;
      for (const FragmentResult& result : fragments.results) {
        if (!result.used || !result.name.ends_with(fmt::format("({}, {})", omega.x, omega.y))) continue;
        const bool is_y = result.first_row > 0;
        RC_ASSERT(result.value == (is_y ? place.y : place.x));
        RC_ASSERT(result.wrong == (is_y ? place.y != exact.y : place.x != exact.x));
        found = true;
      }
      RC_ASSERT(found);
    }));
  }
}

TEST(Fragments, FindTheNeighboursAsTheEnginesDo) {
  for (const MapArithmetic arithmetic : {MapArithmetic::kTensor, MapArithmetic::kTensorFp16}) {
    SCOPED_TRACE(name_of(arithmetic));
    EXPECT_TRUE(rc::check([arithmetic] {
      const ThreadSpace space(random_tensor_configuration(arithmetic));
      const TiledFractal& tiled = space.tiled();
      const Coord64 place = tests::lambda_by(space, MapArithmetic::kLoop, tests::random_omega(space));
      const Fragments fragments = neighbour_fragments(space, place);
      if (is_exact(arithmetic)) check_products(fragments);
      RC_ASSERT(fragments.results.size() == 16u);
      std::size_t at = 0;
      for (std::uint64_t dy = 0; dy < 3; ++dy) {
        for (std::uint64_t dx = 0; dx < 3; ++dx) {
          if (dx == 1 && dy == 1) continue;
          const FragmentResult& x = fragments.results[at++];
          const FragmentResult& y = fragments.results[at++];
          const Coord64 there{place.x + dx - 1, place.y + dy - 1};
          const bool inside = there.x < tiled.grid_x && there.y < tiled.grid_y;
          RC_ASSERT(x.used == inside);
          if (!inside) continue;
          const auto expected = tests::nu_by(space, arithmetic, there);
          const auto exact = tests::nu_by(space, MapArithmetic::kLoop, there);
          RC_ASSERT(x.present == expected.has_value());
          RC_ASSERT((x.wrong || y.wrong) == (expected != exact));
          if (expected) RC_ASSERT((Coord64{x.value, y.value}) == *expected);
        }
      }
    }));
  }
}

TEST(Fragments, GiveEveryPositionItsCell) {
  EXPECT_TRUE(rc::check([] {
    const ThreadSpace space(random_tensor_configuration(MapArithmetic::kTensor3));
    const Coord64 omega = tests::random_omega(space);
    const Coord64 place = tests::lambda_by(space, MapArithmetic::kLoop, omega);
    const std::uint32_t area = space.tiled().points_per_tile();
    const auto fragment = static_cast<std::uint32_t>(tests::random_below((area + 255) / 256));
    for (const int axis : {0, 1}) {
      const Fragments fragments = cell_fragments(space, omega, axis, fragment);
      check_products(fragments);
      std::uint32_t position = fragment * 256;
      for (const FragmentResult& result : fragments.results) {
        const std::uint64_t x = place.x * space.tiled().rho_x + position % space.tiled().rho_x;
        const std::uint64_t y = place.y * space.tiled().rho_y + position / space.tiled().rho_x;
        RC_ASSERT(result.value == (axis == 0 ? x : y));
        // Combine the final sums of all planes.
        std::uint64_t value = 0;
        const std::size_t of_plane = fragments.products.size() / static_cast<std::size_t>(fragments.planes);
        for (int plane = 0; plane < fragments.planes && of_plane > 0; ++plane) {
          const FragmentMatrix& d = fragments.products[(plane + 1) * of_plane - 1].d;
          value += static_cast<std::uint64_t>(d.at(result.first_row, result.column)) << (kDigitBits * plane);
        }
        if (of_plane > 0) RC_ASSERT(value == result.value);
        ++position;
      }
      RC_ASSERT(position == std::min(area, fragment * 256 + 256));
    }
  }));
}

// Carpet, scale 3: 3^7 is the first weight that FP16 rounds, so lambda is wrong from level 8.
TEST(Fragments, MarkWhatPlainWeightsGetWrong) {
  const NbbFractal& carpet = find_fractal("sierpinski-carpet");
  ASSERT_EQ(first_wrong_level(carpet, MapDirection::kLambda), 8);
  const MapMethod plain{.map = MapKind::kLambda, .arithmetic = MapArithmetic::kTensorFp16};
  const ThreadSpace space({.fractal = carpet, .level = 8, .tile_size = 1, .method = plain});
  const Coord64 last{space.tiled().orthotope_x - 1, space.tiled().orthotope_y - 1};
  const Fragments fragments = lambda_fragments(space, last);
  const FragmentProduct& product = fragments.products.at(0);
  EXPECT_EQ(product.a.at(0, 7), 2188.0f) << "3^7 = 2187 is not representable in FP16";
  EXPECT_TRUE(product.a.wrong_at(0, 7));
  EXPECT_FALSE(product.a.wrong_at(0, 6));
  EXPECT_TRUE(product.d.wrong_at(0, 0));
  EXPECT_TRUE(fragments.results[0].wrong);
  const Fragments first = lambda_fragments(space, {0, 0});
  EXPECT_TRUE(first.products.at(0).a.wrong_at(0, 7));
  EXPECT_FALSE(first.results[0].wrong) << "the first tile has offset 0, so the wrong weight has no effect";
  MapMethod digits = plain;
  digits.arithmetic = MapArithmetic::kTensor1;
  const Fragments exact =
      lambda_fragments(ThreadSpace({.fractal = carpet, .level = 8, .tile_size = 1, .method = digits}), last);
  EXPECT_EQ(exact.products.at(0).a.at(0, 7), 139.0f) << "2187 = 139 + 1 * 2048";
  EXPECT_EQ(exact.products.at(0).a.at(1, 7), 1.0f);
  EXPECT_EQ(exact.rows[1], "x: digit 1 of the weights");
  EXPECT_FALSE(exact.results[0].wrong);
}

TEST(Fragments, EveryLaneHoldsEightElements) {
  for (const auto holder : {holder_in_a, holder_in_b, holder_in_d}) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> held;
    for (int row = 0; row < kFragmentSide; ++row) {
      for (int column = 0; column < kFragmentSide; ++column) {
        const FragmentHolder at = holder(row, column);
        EXPECT_LT(at.lane, 32u);
        EXPECT_LT(at.element, 8u);
        EXPECT_EQ(++held[std::pair(at.lane, at.element)], 1);
      }
    }
  }
  // As measured on an H200.
  EXPECT_EQ(holder_in_a(9, 10).lane, 5u);
  EXPECT_EQ(holder_in_a(9, 10).element, 6u);
  EXPECT_EQ(holder_in_b(10, 9).lane, 5u);
  EXPECT_EQ(holder_in_b(3, 8).lane, 1u);
  EXPECT_EQ(holder_in_b(3, 8).element, 5u);
  EXPECT_EQ(holder_in_d(1, 11).lane, 5u);
  EXPECT_EQ(holder_in_d(1, 11).element, 5u);
}

TEST(Fragments, RefuseWhatIsNotThere) {
  const ThreadSpace space({.fractal = find_fractal("sierpinski-gasket"), .level = 5, .tile_size = 8});
  EXPECT_THROW(lambda_fragments(space, {3, 0}), InputError);
  EXPECT_THROW(neighbour_fragments(space, {4, 0}), InputError);
  EXPECT_THROW(cell_fragments(space, {0, 0}, 0, 1), InputError);
  EXPECT_THROW(cell_fragments(space, {0, 0}, 2, 0), InputError);
}

// The last product of each purpose against plain sums, and every lane holds each of its elements once.
TEST(Fragments, CountNeighboursByBands) {
  for (const MapKind map : kMapKinds) {
    for (const std::uint32_t radius : {1u, 5u, 16u}) {
      const ThreadSpace space({find_fractal("sierpinski-carpet"), 4, 27, {.map = map}});
      const Coord64 tile = map == MapKind::kBoundingBox ? Coord64{1, 2} : Coord64{4, 0};
      const Coord64 place = map == MapKind::kBoundingBox ? tile : lambda_steps(space, tile).place;
      const std::vector<BandProduct> products = band_products(space, tile, radius);
      ASSERT_EQ(products.size(), 27 + 2 * radius > 32 ? 4u : 2u);
      EXPECT_TRUE(products.back().down);
      const auto living = [&](std::int64_t x0, std::int64_t y0, std::int64_t width, std::int64_t height) {
        std::uint32_t sum = 0;
        for (std::int64_t y = y0; y < y0 + height; ++y) {
          for (std::int64_t x = x0; x < x0 + width; ++x) {
            const bool inside = x >= 0 && y >= 0 && x < 81 && y < 81;
            if (inside && space.index_of_cell({static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)}))
              ++sum;
          }
        }
        return sum;
      };
      const auto x = static_cast<std::int64_t>(place.x * 27) - radius;
      const auto y = static_cast<std::int64_t>(place.y * 27) - radius;
      const std::int64_t length = 2 * radius + 1;
      for (int cell = 0; cell < 16; ++cell) {
        for (int row = 0; row < 8; ++row) {
          EXPECT_EQ(products[products.size() / 2 - 1].d.at(cell, row), living(x + cell, y + row, length, 1));
          EXPECT_EQ(products.back().d.at(cell, row), living(x + cell, y + row, length, length));
        }
      }
      for (const BandProduct& product : products) {
        for (const BandMatrix* matrix : {&product.a, &product.b, &product.d}) {
          std::set<std::pair<std::uint32_t, std::uint32_t>> holders;
          for (int row = 0; row < matrix->rows; ++row) {
            for (int column = 0; column < matrix->columns; ++column) {
              const FragmentHolder holder = matrix->holder(row, column);
              EXPECT_LT(holder.lane, 32u);
              EXPECT_LT(holder.element, matrix->value.size() / 32);
              holders.emplace(holder.lane, holder.element);
            }
          }
          EXPECT_EQ(holders.size(), matrix->value.size());
        }
      }
    }
  }
}

}  // namespace
}  // namespace loom::app::explain
