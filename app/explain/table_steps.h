#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/explain/thread_space.h"

namespace loom::app::explain {

// lambda and nu of one tile by the arithmetic `table` (TableArithmetic): several levels at a time.

/// A look-up of one table entry.
struct TableLookup {
  bool from_x = true;       ///< lambda: the digits are from omega_x, else omega_y; nu uses both
  std::vector<int> levels;  ///< levels mu whose digits form the index, the finest first
  Coord64 size;             ///< size of the table: k^t entries in a row for lambda, s_x^t x s_y^t for nu
  Coord64 number;           ///< position in the table
  std::size_t index = 0;    ///< index among all entries in memory
  Coord64 entry;            ///< its content
  bool hole = false;        ///< nu: the entry marks a level without a replica
  Coord64 sum;              ///< sum of the entries so far, without holes
  std::string formula;      ///< "digits of levels 1, 3 of ω_x: T[2] = (3, 1)"
};
struct TableSteps {
  std::vector<TableLookup> lookups;  ///< all look-ups; nu continues after a hole
  bool present = true;               ///< false if nu found a hole; `result` is then undefined
  Coord64 result;                    ///< lambda(omega) in tiles, or nu(place)
  std::string formula_x;             ///< "λ_x(2, 5) = 3 + 0 = 3"; for a hole, a message
  std::string formula_y;
};

/// Throw InputError as lambda_steps() and nu_steps() do.
TableSteps table_lambda_steps(const ThreadSpace& space, Coord64 omega);
TableSteps table_nu_steps(const ThreadSpace& space, Coord64 place);

}  // namespace loom::app::explain
