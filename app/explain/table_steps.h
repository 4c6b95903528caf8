#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/explain/thread_space.h"

namespace loom::app::explain {

// lambda and nu of one tile by the arithmetic `table` (TableArithmetic): several levels at a time.

/// One entry that is read.
struct TableLookup {
  bool from_x = true;       ///< of lambda: the digits are omega_x's, else omega_y's; nu's are of both
  std::vector<int> levels;  ///< mu whose digits are taken together, the finest first
  Coord64 size;             ///< size of the table: k^t entries in a row for lambda, s_x^t x s_y^t for nu
  Coord64 number;           ///< which entry of the table
  std::size_t index = 0;    ///< the same among all entries, as they lie in memory
  Coord64 entry;            ///< its content
  bool hole = false;        ///< nu: the entry marks a level without a replica
  Coord64 sum;              ///< of the entries so far, but for holes
  std::string formula;      ///< "digits of levels 1, 3 of ω_x: T[2] = (3, 1)"
};
struct TableSteps {
  std::vector<TableLookup> lookups;  ///< all that are read: nu reads on after a hole
  bool present = true;               ///< false where nu met a hole; there is then no result
  Coord64 result;                    ///< lambda(omega) in tiles, or nu(place)
  std::string formula_x;             ///< "λ_x(2, 5) = 3 + 0 = 3"; of a hole, that it is one
  std::string formula_y;
};

/// Throw InputError as lambda_steps() and nu_steps() do.
TableSteps table_lambda_steps(const ThreadSpace& space, Coord64 omega);
TableSteps table_nu_steps(const ThreadSpace& space, Coord64 place);

}  // namespace loom::app::explain
