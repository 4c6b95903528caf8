#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/core/half.h"
#include "compute/core/integer_math.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/dispatch.h"
#include "compute/map/tensor_arithmetic.h"
#include "compute/map/tensor_cell_arithmetic.h"
#include "fractals.h"

namespace loom {
namespace {

TEST(Half, ValuesAreTheDefinition) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = half_value(static_cast<std::uint16_t>(bits));
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const int fraction = static_cast<int>(bits & 1023);
    if (exponent == 31) {
      ASSERT_EQ(std::isinf(value), fraction == 0) << bits;
      ASSERT_EQ(std::isnan(value), fraction != 0) << bits;
    } else {
      const double magnitude =
          exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
      ASSERT_EQ(std::fabs(value), magnitude) << bits;
    }
    ASSERT_EQ(std::signbit(value), bits >= 0x8000) << bits;
  }
}

TEST(Half, IntegersAreRoundedToTheNearestAndTiesToEven) {
  for (std::uint64_t n = 0; n <= 65519; ++n) {
    const std::uint16_t half = to_half(n);
    const double error = std::fabs(half_value(half) - static_cast<double>(n));
    const double above = half_value(static_cast<std::uint16_t>(half + 1)) - static_cast<double>(n);
    ASSERT_LE(error, above) << n;
    ASSERT_TRUE(error < above || half % 2 == 0) << n;
    if (half > 0) {
      const double below = static_cast<double>(n) - half_value(static_cast<std::uint16_t>(half - 1));
      ASSERT_LE(error, below) << n;
      ASSERT_TRUE(error < below || half % 2 == 0) << n;
    }
    ASSERT_EQ(is_half(n), error == 0) << n;
  }
  for (const std::uint64_t n : {std::uint64_t{65520}, std::uint64_t{65536}, std::uint64_t{1} << 40,
                                std::numeric_limits<std::uint64_t>::max()}) {
    EXPECT_TRUE(std::isinf(half_value(to_half(n)))) << n;
    EXPECT_FALSE(is_half(n)) << n;
  }
  EXPECT_EQ(to_half(1), 0x3c00);
  EXPECT_EQ(to_half(65504), 0x7bff);
}

TEST(WeightDigits, AddUpToTheWeightAndAreHalves) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const std::uint64_t weight = splitmix64(seed) >> *rc::gen::inRange(0, 64);
    std::uint64_t sum = 0;
    for (int i = 0; i < digit_count(weight); ++i) {
      RC_ASSERT(is_half(weight_digit(weight, i)));
      RC_ASSERT(weight_digit(weight, i) < 2048u);
      sum += weight_digit(weight, i) << (kDigitBits * i);
    }
    RC_ASSERT(sum == weight);
  }));
}

/// Tables of one fractal, and the arithmetics over them, in one integer width.
template <typename Int>
struct Tensor {
  explicit Tensor(const TiledFractal& tiled)
      : transform(tiled.shape),
        powers(ShuffleArithmetic<Int>::build(tiled)),
        matrices(TensorArithmetic<Int>::build(tiled, TensorWeights::kDigits)),
        plain_matrices(TensorArithmetic<Int>::build(tiled, TensorWeights::kPlain)),
        cell_weights(TensorCellArithmetic<Int>::build_weights(tiled)),
        cell_positions(TensorCellArithmetic<Int>::build_positions(tiled)),
        exact(tiled, TensorWeights::kDigits, powers.data(), matrices.data()),
        plain(tiled, TensorWeights::kPlain, powers.data(), plain_matrices.data()),
        cells(tiled, powers.data(), cell_weights.data(), cell_positions.data()) {}
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  NbbTransform<Int> transform;
  std::vector<typename ShuffleArithmetic<Int>::Level> powers;
  std::vector<std::uint16_t> matrices;
  std::vector<std::uint16_t> plain_matrices;
  std::vector<std::uint16_t> cell_weights;
  std::vector<float> cell_positions;
  TensorArithmetic<Int> exact;
  TensorArithmetic<Int> plain;
  TensorCellArithmetic<Int> cells;
};

template <typename Int>
class TensorTest : public testing::Test {};
using Widths = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(TensorTest, Widths);

TYPED_TEST(TensorTest, ProductsAreTheMapsAtEveryTileOfSmallLevels) {
  using Int = TypeParam;
  for (const NbbFractal& fractal : catalog()) {
    for (int level = 0; level <= tests::level_within(fractal, 1 << 16); ++level) {
      SCOPED_TRACE(testing::Message() << fractal.name() << " level " << level);
      const TiledFractal tiled = make_tiled_fractal(fractal, level, 1);
      const Tensor<Int> tensor(tiled);
      const auto wide = static_cast<Int>(tiled.orthotope_x);
      for (Int i = 0; i < tiled.cells; ++i) {
        const Coord<Int> omega{i % wide, i / wide};
        ASSERT_EQ(tensor.exact.lambda(omega), lambda_map(tensor.transform, level, omega));
      }
      for (Int y = 0; y < tiled.height; ++y) {
        for (Int x = 0; x < tiled.width; ++x) {
          const CompactCoord<Int> found = tensor.exact.nu({x, y});
          const CompactCoord<Int> expected = nu_map(tensor.transform, level, Coord<Int>{x, y});
          ASSERT_EQ(found.present, expected.present) << x << " " << y;
          ASSERT_TRUE(!expected.present || found.omega == expected.omega) << x << " " << y;
        }
      }
    }
  }
}

std::uint64_t below(std::uint64_t end) {
  return splitmix64(*rc::gen::arbitrary<std::uint64_t>()) % end;
}

template <typename Int>
void expect_products_equal_the_maps(const TiledFractal& tiled) {
  const Tensor<Int> tensor(tiled);
  for (int i = 0; i < 30; ++i) {
    const bool last = i == 0;
    const Coord<Int> omega{static_cast<Int>(last ? tiled.orthotope_x - 1 : below(tiled.orthotope_x)),
                           static_cast<Int>(last ? tiled.orthotope_y - 1 : below(tiled.orthotope_y))};
    const Coord<Int> place = lambda_map(tensor.transform, tiled.coarse_level, omega);
    RC_ASSERT(tensor.exact.lambda(omega) == place);
    RC_ASSERT(tensor.cells.lambda(omega) == place);
    RC_ASSERT(tensor.exact.nu(place).present);
    RC_ASSERT(tensor.exact.nu(place).omega == omega);
    const Coord<Int> any{static_cast<Int>(below(tiled.grid_x)), static_cast<Int>(below(tiled.grid_y))};
    for (const Coord<Int>& at : {any, Coord<Int>{static_cast<Int>((place.x + 1) % tiled.grid_x), place.y}}) {
      const CompactCoord<Int> expected = nu_map(tensor.transform, tiled.coarse_level, at);
      RC_ASSERT(tensor.exact.nu(at).present == expected.present);
      if (expected.present) RC_ASSERT(tensor.exact.nu(at).omega == expected.omega);
    }
    const Coord32 position{static_cast<std::uint32_t>(below(tiled.rho_x)),
                           static_cast<std::uint32_t>(below(tiled.rho_y))};
    RC_ASSERT(tensor.cells.cell(omega, position) == cell_in_tile(tiled, place, position));
  }
}

TEST(Tensor, ProductsAreTheMapsAtRandomLevelsAndTileSizes) {
  EXPECT_TRUE(rc::check([] {
    const NbbFractal& fractal = *rc::gen::elementOf(catalog());
    const int level = *rc::gen::inRange(0, fractal.max_level() + 1);
    const std::vector<std::uint32_t> tile_sizes = allowed_tile_sizes(fractal, level);
    const TiledFractal tiled = make_tiled_fractal(fractal, level, *rc::gen::elementOf(tile_sizes));
    expect_products_equal_the_maps<std::uint64_t>(tiled);
    if (tiled.fits_32_bits()) expect_products_equal_the_maps<std::uint32_t>(tiled);
  }));
}

/// Fractals with the extreme values of k, s and the maximum level: corner replicas only and full squares of
/// every scale.
std::vector<NbbFractal> extreme_fractals() {
  std::vector<NbbFractal> fractals;
  for (std::uint32_t s_x = 1; s_x <= kMaxScale; ++s_x) {
    for (std::uint32_t s_y = 1; s_y <= kMaxScale; ++s_y) {
      if (s_x * s_y < 2) continue;
      std::vector<Coord32> all;
      for (std::uint32_t i = 0; i < s_x * s_y; ++i) all.push_back({i % s_x, i / s_x});
      fractals.emplace_back("full", s_x, s_y, all);
      fractals.emplace_back("corners", s_x, s_y, std::vector<Coord32>{{0, 0}, {s_x - 1, s_y - 1}});
    }
  }
  return fractals;
}

TEST(Tensor, TheLargestSumsOfEveryScaleAreExact) {
  for (const NbbFractal& fractal : extreme_fractals()) {
    for (int level = 1; level <= fractal.max_level(); ++level) {
      SCOPED_TRACE(testing::Message() << fractal.name() << " " << fractal.shape().s_x << "x"
                                      << fractal.shape().s_y << " level " << level);
      const TiledFractal tiled = make_tiled_fractal(fractal, level, 1);
      const Tensor<std::uint64_t> tensor(tiled);
      const Coord64 omega{tiled.orthotope_x - 1, tiled.orthotope_y - 1};
      const Coord64 place{tiled.grid_x - 1, tiled.grid_y - 1};
      ASSERT_EQ(tensor.exact.lambda(omega), place);
      ASSERT_EQ(tensor.cells.cell(omega, {0, 0}), place);
      ASSERT_TRUE(tensor.exact.nu(place).present);
      ASSERT_EQ(tensor.exact.nu(place).omega, omega);
    }
  }
}

/// Returns whether plain FP16 weights map this tile correctly.
bool plain_is_right(const Tensor<std::uint64_t>& tensor, int level, MapDirection direction, Coord64 omega) {
  const Coord64 place = lambda_map(tensor.transform, level, omega);
  if (direction == MapDirection::kLambda) return tensor.plain.lambda(omega) == place;
  return tensor.plain.nu(place).omega == omega;
}

TEST(Tensor, DigitsAreWhatKeepsLargeLevelsExact) {
  EXPECT_TRUE(rc::check([] {
    const NbbFractal& fractal = *rc::gen::elementOf(catalog());
    const MapDirection direction = *rc::gen::element(MapDirection::kLambda, MapDirection::kNu);
    const int limit = *first_wrong_level(fractal, direction);
    const int level = *rc::gen::inRange(limit, fractal.max_level() + 1);
    const TiledFractal tiled = make_tiled_fractal(fractal, level, 1);
    const Tensor<std::uint64_t> tensor(tiled);
    // The tile whose digits are all 0, except for the last replica at the level where plain weights fail.
    const std::uint64_t digit = (fractal.shape().k - 1) * fractal.cells((limit - 1) / 2);
    const Coord64 omega = limit % 2 == 1 ? Coord64{digit, 0} : Coord64{0, digit};
    const Coord64 place = lambda_map(tensor.transform, level, omega);
    RC_ASSERT(!plain_is_right(tensor, level, direction, omega));
    RC_ASSERT(tensor.exact.lambda(omega) == place);
    RC_ASSERT(tensor.exact.nu(place).omega == omega);
  }));
}

TEST(Tensor, EverySumStaysWithinWhatFp32HoldsExactly) {
  // Recomputes the bounds of tensor_arithmetic.h from the matrices: each row of A times the largest element
  // of B.
  constexpr double kExact = 0x1p24;
  for (const NbbFractal& fractal : extreme_fractals()) {
    const TiledFractal tiled = make_tiled_fractal(fractal, fractal.max_level(), 1);
    const Tensor<std::uint64_t> tensor(tiled);
    const int products = tensor.exact.products();
    const auto row_sum = [&](const std::uint16_t* matrices, int row) {
      double sum = 0;
      for (int p = 0; p < products; ++p) {
        for (int c = 0; c < kFragmentSide; ++c) {
          const float element = half_value(matrices[in_fragment(p, row, c)]);
          EXPECT_LT(element, 2048) << "digits must fit in 11 bits";
          sum += element;
        }
      }
      return sum;
    };
    for (int row = 0; row < kFragmentSide; ++row) {
      ASSERT_LT(row_sum(tensor.exact.lambda_matrices(), row) * (kMaxScale - 1), kExact / 16);
      ASSERT_LT(row_sum(tensor.exact.nu_matrices(), row) * (fractal.shape().k - 1), kExact / 4);
    }
  }
}

TEST(Tensor, EveryThreadOfTensor3HasItsOwnCell) {
  for (const NbbFractal& fractal : catalog()) {
    for (const int level : {0, 1, 3, 5, 9, std::min(17, fractal.max_level()), fractal.max_level()}) {
      for (const std::uint32_t tile_size : allowed_tile_sizes(fractal, level)) {
        SCOPED_TRACE(testing::Message()
                     << fractal.name() << " level " << level << " tile size " << tile_size);
        const TiledFractal tiled = make_tiled_fractal(fractal, level, tile_size);
        const Tensor<std::uint64_t> tensor(tiled);
        for (const Coord64& omega : {Coord64{0, 0}, Coord64{tiled.orthotope_x / 2, tiled.orthotope_y / 2},
                                     Coord64{tiled.orthotope_x - 1, tiled.orthotope_y - 1}}) {
          const Coord64 place = lambda_map(tensor.transform, tiled.coarse_level, omega);
          for (std::uint32_t t = 0; t < tiled.points_per_tile(); ++t) {
            const Coord32 at{t % tiled.rho_x, t / tiled.rho_x};
            ASSERT_EQ(tensor.cells.cell(omega, at), cell_in_tile(tiled, place, at)) << "position " << t;
          }
        }
      }
    }
  }
}

TEST(Tensor, Tensor3TakesThePapersNumberOfProducts) {
  const NbbFractal& gasket = find_fractal("sierpinski-gasket");
  const auto products = [&](int level, std::uint32_t tile_size) {
    const Tensor<std::uint32_t> tensor(make_tiled_fractal(gasket, level, tile_size));
    return 2 * static_cast<int>(tensor.cells.fragments()) * tensor.cells.planes() * tensor.cells.products();
  };
  EXPECT_EQ(products(16, 16), 2);
  EXPECT_EQ(products(16, 32), 8);
  EXPECT_EQ(products(16, 8), 2);
  EXPECT_EQ(products(17, 16), 4) << "2^16 is not representable in FP16: two planes of digits";
}

TEST(Tensor, DispatchReachesEveryTensorArithmetic) {
  const NbbFractal& gasket = find_fractal("sierpinski-gasket");
  const TiledFractal tiled = make_tiled_fractal(gasket, 9, 4);
  const HostMapTables tables(tiled);
  for (const MapKind kind : {MapKind::kLambda, MapKind::kCompact}) {
    for (const MapArithmetic arithmetic : arithmetics_of(kind)) {
      if (!is_tensor(arithmetic)) continue;
      const ExecutionScope expected =
          arithmetic == MapArithmetic::kTensor3 ? ExecutionScope::kMatrixCells : ExecutionScope::kMatrix;
      for (const IntraBlock intra_block : kIntraBlocks) {
        with_map({kind, arithmetic, intra_block}, tiled, tables.view(),
                 [&]<typename Map>(const Map& map, const auto&) {
                   EXPECT_EQ(Map::kExecutionScope, expected) << name_of(arithmetic);
                   const NbbTransform<typename Map::Index> transform(tiled.shape);
                   EXPECT_EQ(map.place({20, 7}),
                             lambda_map(transform, tiled.coarse_level, Coord<typename Map::Index>{20, 7}));
                 });
      }
    }
  }
  EXPECT_THROW(with_map({MapKind::kCompact, MapArithmetic::kTensor3}, tiled, tables.view(),
                        [](const auto&, const auto&) {}),
               InputError);
}

TEST(Fp16Limit, PinnedLevels) {
  EXPECT_EQ(first_wrong_level(find_fractal("sierpinski-gasket"), MapDirection::kNu), 15);
  EXPECT_EQ(first_wrong_level(find_fractal("sierpinski-gasket"), MapDirection::kLambda), 17);
  for (const char* name :
       {"sierpinski-carpet", "vicsek", "x-fractal", "h-fractal", "empty-bottles", "chandelier", "cantor"}) {
    EXPECT_EQ(first_wrong_level(find_fractal(name), MapDirection::kLambda), 8) << name;
  }
  EXPECT_EQ(first_wrong_level(find_fractal("candy"), MapDirection::kLambda), 9);
}

TEST(Fp16Limit, BruteForceFindsTheSameLevel) {
  constexpr std::uint64_t kMostTiles = 400000;
  int confirmed = 0;
  for (const NbbFractal& fractal : catalog()) {
    for (const MapDirection direction : {MapDirection::kLambda, MapDirection::kNu}) {
      const int limit = *first_wrong_level(fractal, direction);
      for (int level = 1; level <= limit && fractal.cells(level) <= kMostTiles; ++level) {
        SCOPED_TRACE(testing::Message() << fractal.name() << " level " << level);
        const TiledFractal tiled = make_tiled_fractal(fractal, level, 1);
        const Tensor<std::uint64_t> tensor(tiled);
        bool all_right = true;
        for (std::uint64_t i = 0; i < tiled.cells && all_right; ++i) {
          all_right =
              plain_is_right(tensor, level, direction, {i % tiled.orthotope_x, i / tiled.orthotope_x});
        }
        EXPECT_EQ(all_right, level < limit);
        if (level == limit) ++confirmed;
      }
    }
  }
  EXPECT_GE(confirmed, 4) << "vicsek, x-fractal, chandelier and cantor are small enough";
}

/// For levels beyond brute force: at the limit, at least one of the tiles with a single nonzero digit must
/// fail; below it, neither these nor random tiles may fail.
TEST(Fp16Limit, HoldsOnSampledTilesOfEveryFractal) {
  for (const NbbFractal& fractal : catalog()) {
    for (const MapDirection direction : {MapDirection::kLambda, MapDirection::kNu}) {
      const int limit = *first_wrong_level(fractal, direction);
      for (const int level : {limit - 1, limit}) {
        SCOPED_TRACE(testing::Message() << fractal.name() << " level " << level);
        const TiledFractal tiled = make_tiled_fractal(fractal, level, 1);
        const Tensor<std::uint64_t> tensor(tiled);
        bool all_right = true;
        for (int mu = 1; mu <= level; ++mu) {
          const std::uint64_t weight = fractal.cells((mu - 1) / 2);
          for (std::uint64_t b = 1; b < fractal.shape().k; ++b) {
            const Coord64 omega = mu % 2 == 1 ? Coord64{b * weight, 0} : Coord64{0, b * weight};
            all_right = all_right && plain_is_right(tensor, level, direction, omega);
          }
        }
        for (std::uint64_t i = 0; i < 20000; ++i) {
          const Coord64 omega{splitmix64(2 * i) % tiled.orthotope_x,
                              splitmix64(2 * i + 1) % tiled.orthotope_y};
          all_right = all_right && plain_is_right(tensor, level, direction, omega);
        }
        EXPECT_EQ(all_right, level < limit);
      }
    }
  }
}

TEST(Fp16Limit, EveryScaleAndFormHasTheLevelOfItsFirstInexactWeight) {
  for (const NbbFractal& fractal : extreme_fractals()) {
    for (const MapDirection direction : {MapDirection::kLambda, MapDirection::kNu}) {
      SCOPED_TRACE(testing::Message()
                   << fractal.name() << " " << fractal.shape().s_x << "x" << fractal.shape().s_y);
      const auto limit = first_wrong_level(fractal, direction);
      for (int level = 1; level <= std::min(limit.value_or(64), fractal.max_level()); ++level) {
        const TiledFractal tiled = make_tiled_fractal(fractal, level, 1);
        const Tensor<std::uint64_t> tensor(tiled);
        // The tile whose only nonzero digit selects the last replica, which is offset on every axis, at this
        // level.
        Coord64 omega{0, 0};
        const std::uint64_t digit = (fractal.shape().k - 1) * fractal.cells((level - 1) / 2);
        (level % 2 == 1 ? omega.x : omega.y) = digit;
        EXPECT_EQ(plain_is_right(tensor, level, direction, omega), level != limit);
      }
    }
  }
}

TEST(Tensor, PlainResultsThatLeaveTheRangeAreItsEnds) {
  const NbbFractal& gasket = find_fractal("sierpinski-gasket");
  const TiledFractal tiled = make_tiled_fractal(gasket, 20, 1);
  const Tensor<std::uint32_t> tensor(tiled);
  const Coord32 last{static_cast<std::uint32_t>(tiled.orthotope_x - 1),
                     static_cast<std::uint32_t>(tiled.orthotope_y - 1)};
  EXPECT_EQ(tensor.plain.lambda(last), (Coord32{~0u, ~0u})) << "infinite weights";
  EXPECT_EQ(tensor.plain.lambda({0, 0}), (Coord32{0, 0})) << "infinite weights times 0";
  EXPECT_EQ(tensor.exact.lambda(last), (Coord32{(1u << 20) - 1, (1u << 20) - 1}));

  // Infinite weights of nu lead outside the orthotope, so no tile is found.
  const TiledFractal deep = make_tiled_fractal(gasket, 24, 1);
  const Tensor<std::uint32_t> deeper(deep);
  const Coord32 corner{(1u << 24) - 1, (1u << 24) - 1};
  EXPECT_TRUE(deeper.exact.nu(corner).present);
  EXPECT_FALSE(deeper.plain.nu(corner).present);
}

TEST(Tensor, ThreadsOfPlainResultsOutsideTheGridIdle) {
  const NbbFractal& cantor = find_fractal("cantor");
  const int level = 12;  // weights of lambda are infinite from 3^11
  const TiledFractal tiled = make_tiled_fractal(cantor, level, 1);
  const HostMapTables tables(tiled);
  with_map({MapKind::kLambda, MapArithmetic::kTensorFp16}, tiled, tables.view(),
           [&]<typename Map>(const Map& map, const auto&) {
             using Tile = Coord<typename Map::Index>;
             const Tile last{static_cast<typename Map::Index>(tiled.orthotope_x - 1),
                             static_cast<typename Map::Index>(tiled.orthotope_y - 1)};
             EXPECT_FALSE(has_place(map, map.place(last)));
             EXPECT_FALSE(cell_at(map, last, {0, 0}).present);
             EXPECT_TRUE(cell_at(map, Tile{0, 0}, {0, 0}).present);
           });
}

}  // namespace
}  // namespace loom
