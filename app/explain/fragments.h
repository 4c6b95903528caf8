#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/explain/thread_space.h"
#include "compute/map/tensor_arithmetic.h"
#include "compute/workload/game_of_life.h"

namespace loom::app::explain {

// lambda and nu on tensor cores: the 16 x 16 matrices A, B, C and D of each product
// (compute/map/tensor_arithmetic.h), with the numbers that a warp computes for one tile.

/// The numbers of a matrix, row by row. `wrong` marks plain FP16 weights in A that differ from the exact
/// weights, and sums in D that differ from those of exact weights.
struct FragmentMatrix {
  std::array<float, kFragmentArea> value{};
  std::array<bool, kFragmentArea> wrong{};
  float at(int row, int column) const { return value[in_fragment(0, row, column)]; }
  bool wrong_at(int row, int column) const { return wrong[in_fragment(0, row, column)]; }
};

/// D = A B + C. If several products are chained, each continues with the next levels, and its C is the D of
/// the previous one.
struct FragmentProduct {
  int first_level = 1;  ///< level of column 0 of A and row 0 of B; it increases by 1 per column and row
  int plane = 0;        ///< tensor-3: index of the digits of the weights in A
  FragmentMatrix a;
  FragmentMatrix b;
  FragmentMatrix c;
  FragmentMatrix d;
};

/// A coordinate computed by the products.
struct FragmentResult {
  std::string name;     ///< "λ_x of ω (2, 5)", "ν_y of tile (3, 11)", "x of position (4, 0)"
  int column = 0;       ///< column of the last D (for tensor-3: of the last D of each plane)
  int first_row = 0;    ///< row of D with the least significant digit
  int rows = 1;         ///< digits; the value is the sum of digit i times 2048^i
  bool present = true;  ///< nu: the tile contains cells, according to the products
  bool used = true;     ///< false if the coordinate lies outside the grid and the kernel discards it
  std::uint64_t value = 0;
  bool wrong = false;  ///< differs from the map: plain FP16 weights only
  std::optional<int>
      reader;  ///< the lane that joins the digits; for tensor-3 the lane that reads the element
};

struct Fragments {
  std::vector<FragmentProduct> products;           ///< in the order of a warp; empty without levels
  int planes = 1;                                  ///< for tensor-3; the products of a plane are consecutive
  std::array<std::string, kFragmentSide> columns;  ///< names of the columns of B and D; empty: unused
  std::array<std::string, kFragmentSide> rows;     ///< names of the rows of A and D; empty: zeros
  std::vector<FragmentResult> results;
};

/// The lane and register of an element in a warp.
struct FragmentHolder {
  std::uint32_t lane = 0;
  std::uint32_t element = 0;  ///< index among the eight elements of the lane
};
/// The lane that holds an element of each matrix: the PTX layout of mma.m16n8k16, two of which form a 16 x 16
/// product. CUDA does not specify the layout of wmma fragments; on an H200 it is this one.
FragmentHolder holder_in_a(int row, int column);
FragmentHolder holder_in_b(int row, int column);
FragmentHolder holder_in_d(int row, int column);  ///< same layout for C

/// The lane that writes an element of B to shared memory, from which the warp loads it. For lambda and nu
/// each lane writes one coordinate of a row of B, for tensor-3 one half of a row.
std::uint32_t writer_of_lambda_b(int row, int column);
std::uint32_t writer_of_nu_b(int row, int column);
std::uint32_t writer_of_cell_b(int row, int column);

/// The products that compute the position of the tile `omega`, and of all tiles of the same product: with
/// tensor-2 the four tiles of its thread block. The weights are plain FP16 for tensor-fp16 and split into
/// digits otherwise. Works for every arithmetic. Throws InputError as lambda_steps() does.
Fragments lambda_fragments(const ThreadSpace& space, Coord64 omega);

/// The products that find the eight neighbours of the tile at a tile position, in the order of
/// TileNeighbours without the tile itself. Weights as in lambda_fragments(). Throws InputError as nu_steps()
/// does.
Fragments neighbour_fragments(const ThreadSpace& space, Coord64 place);

/// The products of tensor-3 that compute x (`axis` 0) or y (1) of 256 positions of the tile `omega`, from
/// position 256 * fragment on, D row by row. Throws InputError as lambda_steps() does, and for an invalid
/// axis or fragment.
Fragments cell_fragments(const ThreadSpace& space, Coord64 omega, int axis, std::uint32_t fragment);

/// A matrix of bytes or of 32-bit sums, row by row.
struct BandMatrix {
  int rows = 0;
  int columns = 0;
  FragmentHolder (*holder)(int row, int column) = nullptr;
  std::vector<std::uint32_t> value{};
  std::uint32_t at(int row, int column) const {
    return value[static_cast<std::size_t>(row * columns + column)];
  }
};
/// D = A B + C, where C is the D of the previous product of the same purpose, or 0.
struct BandProduct {
  bool down = false;  ///< sums down the columns; otherwise along the rows
  int first = 0;      ///< point of the box of column 0 of A and row 0 of B
  BandMatrix a = {};  ///< 16 x 32
  BandMatrix b = {};  ///< 32 x 8
  BandMatrix d = {};  ///< 16 x 8
};
/// The radius of a rule if its neighbours are counted so; otherwise 0.
std::uint32_t band_radius(const ThreadSpace& space, const LifeRule& rule);
/// How tensor cores count the neighbours of the 16 x 8 cells in the corner of a tile (Counting::kTensor),
/// with all cells of the fractal alive: first along the rows of the box, of which one product has eight, then
/// down its columns. Box point 0 is `radius` points before the tile. Throws InputError as lambda_steps()
/// does.
std::vector<BandProduct> band_products(const ThreadSpace& space, Coord64 tile, std::uint32_t radius);

}  // namespace loom::app::explain
