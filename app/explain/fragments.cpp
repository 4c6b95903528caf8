#include "app/explain/fragments.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/explain/map_steps.h"
#include "compute/core/error.h"
#include "compute/core/half.h"
#include "compute/core/integer_math.h"
#include "compute/geometry/transforms.h"
#include "compute/map/tensor_cell_arithmetic.h"
#include "compute/workload/larger_life.h"
#include "compute/workload/life_neighbours.h"

namespace loom::app::explain {
namespace {

constexpr int kHalf = kFragmentSide / 2;

/// The columns of B, each over the levels of all products.
struct Columns {
  explicit Columns(int count) : products(count), of(kFragmentSide, LevelColumn(count)) {}
  int products;
  std::vector<LevelColumn> of;
};

bool is_number(float value, std::uint64_t number) {
  return value < 0x1p64f && static_cast<std::uint64_t>(value) == number;
}

/// The products of `matrices` with the columns. The engines' emulation of tensor cores computes D.
/// `exact(row, mu)` is the exact weight for A; `c` is the C of the first product, or null for zeros.
template <typename Exact>
std::vector<FragmentProduct> multiply(const std::uint16_t* matrices, int levels, const Columns& columns,
                                      const float* c, const Exact& exact) {
  std::vector<FragmentProduct> products(static_cast<std::size_t>(columns.products));
  std::array<std::uint64_t, kFragmentArea> sums{};
  for (int p = 0; p < columns.products; ++p) {
    FragmentProduct& product = products[p];
    product.first_level = p * kFragmentSide + 1;
    if (p > 0) product.c = products[p - 1].d;
    for (int row = 0; row < kFragmentSide; ++row) {
      for (int column = 0; column < kFragmentSide; ++column) {
        const std::size_t here = in_fragment(0, row, column);
        const int mu = product.first_level + column;
        product.a.value[here] = half_value(matrices[in_fragment(p, row, column)]);
        product.a.wrong[here] = !is_number(product.a.value[here], mu <= levels ? exact(row, mu) : 0);
        product.b.value[here] = columns.of[column].at[p * kFragmentSide + row];
        if (p == 0 && c != nullptr) {
          product.c.value[here] = c[here];
          sums[here] = static_cast<std::uint64_t>(c[here]);
        }
        for (int i = 0; i < kFragmentSide && product.first_level + i <= levels; ++i) {
          sums[here] += exact(row, product.first_level + i) *
                        static_cast<std::uint64_t>(columns.of[column].at[p * kFragmentSide + i]);
        }
        // The function of the engines adds all products up to this one in one call.
        product.d.value[here] =
            multiply_row(matrices, p + 1, row, columns.of[column]) + (c != nullptr ? c[here] : 0.0f);
        product.d.wrong[here] = !is_number(product.d.value[here], sums[here]);
      }
    }
  }
  return products;
}

/// The value in one of the eight rows of a coordinate: a digit of the weight, or the weight in row 0.
std::uint64_t weight_in_row(std::uint64_t weight, int row, bool digits) {
  if (digits) return row < digit_count(weight) ? weight_digit(weight, row) : 0;
  return row == 0 ? weight : 0;
}

std::uint64_t power(std::uint64_t base, int exponent) {
  return *checked_power(base, exponent);
}

bool has_digits(const ThreadSpace& space) {
  return space.config().method.arithmetic != MapArithmetic::kTensorFp16;
}

template <typename Int>
TensorArithmetic<Int> tensor_arithmetic(const ThreadSpace& space) {
  const MapTables tables = space.tables().view();
  const bool digits = has_digits(space);
  return {space.tiled(), digits ? TensorWeights::kDigits : TensorWeights::kPlain, tables.levels,
          digits ? tables.tensor : tables.tensor_fp16};
}

/// Names the rows of A and D with weights, or digits of weights, of both coordinates.
void name_rows(Fragments& fragments, int rows, bool digits) {
  for (int i = 0; i < rows; ++i) {
    for (const int half : {0, kHalf}) {
      fragments.rows[half + i] = !digits
                                     ? fmt::format("{}: FP16 weights", half == 0 ? 'x' : 'y')
                                     : fmt::format("{}: digit {} of the weights", half == 0 ? 'x' : 'y', i);
    }
  }
}

/// The coordinate whose digits are in a column of the last D; 0 without levels.
template <typename Int>
std::uint64_t joined(const TensorArithmetic<Int>& arithmetic, const Fragments& fragments,
                     const FragmentResult& result) {
  if (fragments.products.empty()) return 0;
  const FragmentMatrix& d = fragments.products.back().d;
  return arithmetic.join(result.rows, [&](int row) { return d.at(result.first_row + row, result.column); });
}

/// The tiles that one product computes together with the one at omega, in the order of their columns.
std::vector<Coord64> tiles_of_product(const ThreadSpace& space, Coord64 omega) {
  const MapMethod& method = space.config().method;
  if (method.map == MapKind::kBoundingBox || method.arithmetic != MapArithmetic::kTensor2) return {omega};
  const Tiling& tiling = space.launch().tiling;
  const Coord64 first{omega.x / tiling.x * tiling.x, omega.y / tiling.y * tiling.y};
  return {first, {first.x + 1, first.y}, {first.x, first.y + 1}, {first.x + 1, first.y + 1}};
}

template <typename Int>
Fragments lambda_fragments_of(const ThreadSpace& space, Coord64 omega) {
  const TiledFractal& tiled = space.tiled();
  const auto arithmetic = tensor_arithmetic<Int>(space);
  const bool digits = has_digits(space);
  const NbbTransform<Int> transform(tiled.shape);
  Fragments fragments;
  name_rows(fragments, arithmetic.lambda_rows(), digits);
  Columns columns(arithmetic.products());
  const std::vector<Coord64> tiles = tiles_of_product(space, omega);
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    for (int mu = 1; mu <= arithmetic.levels(); ++mu) {
      const Coord32 tau = arithmetic.offset(mu, narrowed<Int>(tiles[i]));
      columns.of[2 * i].at[mu - 1] = static_cast<float>(tau.x);
      columns.of[2 * i + 1].at[mu - 1] = static_cast<float>(tau.y);
    }
    fragments.columns[2 * i] = fmt::format("τ_x of ω ({}, {})", tiles[i].x, tiles[i].y);
    fragments.columns[2 * i + 1] = fmt::format("τ_y of ω ({}, {})", tiles[i].x, tiles[i].y);
  }
  fragments.products =
      multiply(arithmetic.lambda_matrices(), arithmetic.levels(), columns, nullptr, [&](int row, int mu) {
        return weight_in_row(power(row < kHalf ? tiled.shape.s_x : tiled.shape.s_y, mu - 1), row % kHalf,
                             digits);
      });
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const bool used = tiles[i].x < tiled.orthotope_x && tiles[i].y < tiled.orthotope_y;
    const Coord64 exact =
        used ? widened(lambda_map(transform, tiled.coarse_level, narrowed<Int>(tiles[i]))) : Coord64{};
    for (const bool is_y : {false, true}) {
      FragmentResult result;
      result.name = fmt::format("λ_{} of ω ({}, {})", is_y ? 'y' : 'x', tiles[i].x, tiles[i].y);
      result.column = static_cast<int>(2 * i) + is_y;
      result.first_row = is_y ? kHalf : 0;
      result.rows = arithmetic.lambda_rows();
      result.used = used;
      result.reader = result.column;
      result.value = joined(arithmetic, fragments, result);
      result.wrong = used && result.value != (is_y ? exact.y : exact.x);
      fragments.results.push_back(std::move(result));
    }
  }
  return fragments;
}

template <typename Int>
Fragments neighbour_fragments_of(const ThreadSpace& space, Coord64 place) {
  const TiledFractal& tiled = space.tiled();
  const auto arithmetic = tensor_arithmetic<Int>(space);
  using Arithmetic = TensorArithmetic<Int>;
  const bool digits = has_digits(space);
  const NbbTransform<Int> transform(tiled.shape);
  Fragments fragments;
  name_rows(fragments, arithmetic.nu_rows(), digits);
  fragments.rows[Arithmetic::kHoleRow] = "ones: count the holes";
  Columns columns(arithmetic.products());
  std::array<Coord<Int>, Arithmetic::kMappedAtOnce> places;
  std::array<bool, Arithmetic::kMappedAtOnce> inside;
  for (std::uint32_t i = 0; i < Arithmetic::kMappedAtOnce; ++i) {
    places[i] = neighbour_place(narrowed<Int>(place), i < 4 ? i : i + 1);
    inside[i] = in_grid(tiled, places[i]);
    if (!inside[i]) places[i] = {0, 0};  // as in the kernel
    for (int mu = 1; mu <= arithmetic.levels(); ++mu) {
      const int replica = arithmetic.replica(mu, places[i]);
      columns.of[i].at[mu - 1] = static_cast<float>(std::max(replica, 0));
      columns.of[kHalf + i].at[mu - 1] = replica < 0 ? 1.0f : 0.0f;
    }
    const std::string name = inside[i] ? fmt::format("tile ({}, {})", places[i].x, places[i].y)
                                       : std::string("a tile outside the square");
    fragments.columns[i] = "b of " + name;
    fragments.columns[kHalf + i] = "holes of " + name;
  }
  fragments.products = multiply(
      arithmetic.nu_matrices(), arithmetic.levels(), columns, nullptr, [&](int row, int mu) -> std::uint64_t {
        if (row == Arithmetic::kHoleRow) return 1;
        if ((row < kHalf) != (mu % 2 == 1)) return 0;
        return weight_in_row(power(tiled.shape.k, (mu - 1) / 2), row % kHalf, digits);
      });
  for (std::uint32_t i = 0; i < Arithmetic::kMappedAtOnce; ++i) {
    const CompactCoord<Int> found = arithmetic.nu(places[i]);
    const CompactCoord<Int> exact = nu_map(transform, tiled.coarse_level, places[i]);
    for (const bool is_y : {false, true}) {
      FragmentResult result;
      result.name = fmt::format("ν_{} of {}", is_y ? 'y' : 'x', fragments.columns[i].substr(5));
      result.column = static_cast<int>(i);
      result.first_row = is_y ? kHalf : 0;
      result.rows = arithmetic.nu_rows();
      result.present = inside[i] && found.present;
      result.used = inside[i];
      result.reader = static_cast<int>(2 * i) + is_y;
      result.value = joined(arithmetic, fragments, result);
      result.wrong =
          result.used && (result.present != exact.present ||
                          (result.present && result.value != (is_y ? exact.omega.y : exact.omega.x)));
      fragments.results.push_back(std::move(result));
    }
  }
  return fragments;
}

template <typename Int>
Fragments cell_fragments_of(const ThreadSpace& space, Coord64 omega, int axis, std::uint32_t fragment) {
  const TiledFractal& tiled = space.tiled();
  const MapTables tables = space.tables().view();
  const TensorCellArithmetic<Int> arithmetic(tiled, tables.levels, tables.cell_weights,
                                             tables.cell_positions);
  if (axis < 0 || axis > 1) throw InputError("the axis is 0 for x or 1 for y");
  if (fragment >= arithmetic.fragments()) {
    throw InputError(fmt::format("the positions of a tile have no fragment {}; allowed: 0 to {}", fragment,
                                 arithmetic.fragments() - 1));
  }
  Fragments fragments;
  fragments.planes = arithmetic.planes();
  fragments.columns.fill(fmt::format("τ_{} of ω ({}, {})", axis == 0 ? 'x' : 'y', omega.x, omega.y));
  fragments.rows.fill("the weights");
  Columns columns(arithmetic.products());
  for (int mu = 1; mu <= arithmetic.levels(); ++mu) {
    const Coord32 tau = arithmetic.offset(mu, narrowed<Int>(omega));
    for (LevelColumn& column : columns.of) column.at[mu - 1] = static_cast<float>(axis == 0 ? tau.x : tau.y);
  }
  const std::uint64_t rho = axis == 0 ? tiled.rho_x : tiled.rho_y;
  const std::uint64_t scale = axis == 0 ? tiled.shape.s_x : tiled.shape.s_y;
  for (int plane = 0; plane < arithmetic.planes(); ++plane) {
    auto products =
        multiply(arithmetic.weights(axis, plane, 0), arithmetic.levels(), columns,
                 plane == 0 ? arithmetic.own_positions(axis, fragment) : nullptr, [&](int, int mu) {
                   const std::uint64_t weight = rho * power(scale, mu - 1);
                   return arithmetic.planes() == 1 ? weight : weight_digit(weight, plane);
                 });
    for (FragmentProduct& product : products) {
      product.plane = plane;
      fragments.products.push_back(product);
    }
  }
  const std::uint32_t first = fragment * kFragmentArea;
  for (std::uint32_t p = first; p < std::min(first + kFragmentArea, arithmetic.positions()); ++p) {
    const Coord32 at{p % tiled.rho_x, p / tiled.rho_x};
    const Coord<Int> cell = arithmetic.cell(narrowed<Int>(omega), at);
    FragmentResult result;
    result.name = fmt::format("{} of position ({}, {})", axis == 0 ? 'x' : 'y', at.x, at.y);
    result.first_row = static_cast<int>((p - first) / kFragmentSide);
    result.column = static_cast<int>(p % kFragmentSide);
    result.reader = static_cast<int>(p % kWarpLanes);
    result.value = axis == 0 ? cell.x : cell.y;
    fragments.results.push_back(std::move(result));
  }
  return fragments;
}

constexpr int kBandInner = 32;
constexpr int kBandColumns = 8;

// The layout of mma.m16n8k32, in which a lane holds four bytes side by side.
FragmentHolder in_band_a(int row, int column) {
  return {static_cast<std::uint32_t>(row % 8 * 4 + column % 16 / 4),
          static_cast<std::uint32_t>(column % 4 + row / 8 * 4 + column / 16 * 8)};
}
FragmentHolder in_band_b(int row, int column) {
  return {static_cast<std::uint32_t>(column * 4 + row % 16 / 4),
          static_cast<std::uint32_t>(row % 4 + row / 16 * 4)};
}
FragmentHolder in_band_d(int row, int column) {
  return {static_cast<std::uint32_t>(row % 8 * 4 + column / 2),
          static_cast<std::uint32_t>(column % 2 + row / 8 * 2)};
}
// The second product takes the sums of the first from the lanes that have them; the terms of the sum are in
// another order.
FragmentHolder in_sums_a(int row, int column) {
  return {static_cast<std::uint32_t>(row % 8 * 4 + column % 8 / 2),
          static_cast<std::uint32_t>(column % 2 + column / 8 % 2 * 2 + row / 8 * 4 + column / 16 * 8)};
}
FragmentHolder in_sums_b(int row, int column) {
  return {static_cast<std::uint32_t>(column * 4 + row % 8 / 2),
          static_cast<std::uint32_t>(row % 2 + row / 8 % 2 * 2 + row / 16 * 4)};
}

template <typename Value>
BandMatrix band_matrix(int rows, int columns, FragmentHolder (*holder)(int, int), const Value& value) {
  BandMatrix matrix{rows, columns, holder};
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) matrix.value.push_back(value(row, column));
  }
  return matrix;
}

/// Sets D; `before` is the previous product, or null.
void multiply(BandProduct& product, const BandProduct* before) {
  product.d = band_matrix(kFragmentSide, kBandColumns, in_band_d, [&](int row, int column) {
    std::uint32_t sum = before != nullptr ? before->d.at(row, column) : 0;
    for (int i = 0; i < kBandInner; ++i) sum += product.a.at(row, i) * product.b.at(i, column);
    return sum;
  });
}

/// The half of the rows (columns). Both halves have the same lanes and differ in the element index.
std::uint32_t half_of_rows(int i) {
  return i >= kHalf;
}

}  // namespace

FragmentHolder holder_in_a(int row, int column) {
  return {static_cast<std::uint32_t>(row % 8 * 4 + column % 8 / 2),
          static_cast<std::uint32_t>(column % 2) + 2 * half_of_rows(row) + 4 * half_of_rows(column)};
}
FragmentHolder holder_in_b(int row, int column) {
  return {static_cast<std::uint32_t>(column % 8 * 4 + row % 8 / 2),
          static_cast<std::uint32_t>(row % 2) + 2 * half_of_rows(row) + 4 * half_of_rows(column)};
}
FragmentHolder holder_in_d(int row, int column) {
  return holder_in_a(row, column);
}

std::uint32_t writer_of_lambda_b(int row, int column) {
  return static_cast<std::uint32_t>(row + column / 2 % 2 * kFragmentSide);
}
std::uint32_t writer_of_nu_b(int row, int column) {
  return static_cast<std::uint32_t>(row + column % 2 * kFragmentSide);
}
std::uint32_t writer_of_cell_b(int row, int column) {
  return static_cast<std::uint32_t>(2 * row + column / kHalf);
}

Fragments lambda_fragments(const ThreadSpace& space, Coord64 omega) {
  check_omega(space, omega);
  return with_width(space.tiled(), [&]<typename Int>(Int) { return lambda_fragments_of<Int>(space, omega); });
}

Fragments neighbour_fragments(const ThreadSpace& space, Coord64 place) {
  check_tile_position(space, place);
  return with_width(space.tiled(),
                    [&]<typename Int>(Int) { return neighbour_fragments_of<Int>(space, place); });
}

Fragments cell_fragments(const ThreadSpace& space, Coord64 omega, int axis, std::uint32_t fragment) {
  check_omega(space, omega);
  return with_width(space.tiled(),
                    [&]<typename Int>(Int) { return cell_fragments_of<Int>(space, omega, axis, fragment); });
}

std::uint32_t band_radius(const ThreadSpace& space, const LifeRule& rule) {
  const MapMethod& method = space.config().method;
  const bool by_products = rule.is_larger() && method.storage == CellStorage::kBytes &&
                           method.counting == Counting::kTensor &&
                           counts_rows(method, space.tiled(), rule.larger);
  return by_products ? rule.larger.radius : 0;
}

std::vector<BandProduct> band_products(const ThreadSpace& space, Coord64 tile, std::uint32_t radius) {
  const TiledFractal& tiled = space.tiled();
  const bool box = space.config().method.map == MapKind::kBoundingBox;
  const Coord64 place = box ? tile : lambda_steps(space, tile).place;
  const auto point = [&](int x, int y) -> std::uint32_t {  // of the box; beyond the square it is dead
    const Coord64 at{place.x * tiled.rho_x + static_cast<std::uint64_t>(x) - radius,
                     place.y * tiled.rho_y + static_cast<std::uint64_t>(y) - radius};
    return at.x < tiled.width && at.y < tiled.height && space.index_of_cell(at) ? 1 : 0;
  };
  const auto band = [&](int at, int cell) -> std::uint32_t {
    return at >= cell && at <= cell + 2 * static_cast<int>(radius) ? 1 : 0;
  };
  const auto width = static_cast<int>(tiled.rho_x + 2 * radius);
  const auto height = static_cast<int>(tiled.rho_y + 2 * radius);
  std::vector<BandProduct> products;
  for (int from = 0; from < width; from += kBandInner) {
    BandProduct product{.first = from};
    product.a = band_matrix(kFragmentSide, kBandInner, in_band_a,
                            [&](int cell, int i) { return band(from + i, cell); });
    product.b = band_matrix(kBandInner, kBandColumns, in_band_b, [&](int i, int row) {
      return from + i < width && row < height ? point(from + i, row) : 0;
    });
    multiply(product, products.empty() ? nullptr : &products.back());
    products.push_back(std::move(product));
  }
  for (int top = 0; top < height; top += kBandInner) {
    BandProduct product{.down = true, .first = top};
    product.a = band_matrix(kFragmentSide, kBandInner, in_sums_a, [&](int cell, int i) {
      std::uint32_t sum = 0;
      for (int x = cell; x <= cell + 2 * static_cast<int>(radius) && x < width; ++x)
        sum += top + i < height ? point(x, top + i) : 0;
      return sum;
    });
    product.b = band_matrix(kBandInner, kBandColumns, in_sums_b,
                            [&](int i, int cell) { return band(top + i, cell); });
    multiply(product, top == 0 ? nullptr : &products.back());
    products.push_back(std::move(product));
  }
  return products;
}

}  // namespace loom::app::explain
