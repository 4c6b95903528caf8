#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compute/engine/fractal_engine.h"

namespace loom::app {

/// For how many generations each cell of a small field has been alive, and for how many those have been dead
/// that died before one's eyes. Follows the engine's cells and touches none of them.
class CellAges {
 public:
  /// Fields of more cells are not followed.
  static constexpr std::uint64_t kMostCells = 1 << 15;
  /// A cell that died is shown for so many generations.
  static constexpr std::uint32_t kTrail = 16;

  /// The cells changed, or may have.
  void invalidate() { stale_ = true; }
  /// Nobody looks at them: the next time begins anew.
  void forget();
  /// Looks at the engine's cells where they are not of now. The engine must rest.
  void follow(const FractalEngine& engine);
  /// The same of states by canonical index, of `generation`. Of a later one than the last each cell grows
  /// older by as many; of the same one it was changed by hand; of an earlier one all begin anew.
  void take(const std::vector<std::uint8_t>& states, std::uint64_t generation);

  struct Cell {
    Coord64 place;
    std::uint32_t alive = 0;  ///< generations since it was born or first seen, from 1 on; 0: dead
    std::uint32_t dead = 0;   ///< generations since it died, 1 to kTrail; 0: longer, or never
    friend bool operator==(const Cell&, const Cell&) = default;
  };
  /// All cells, those that were never alive too; empty where there are too many, or nobody looked.
  const std::vector<Cell>& cells() const { return cells_; }
  /// So many generations lay between two looks: what was born and died within them was not seen.
  std::uint64_t stride() const { return stride_; }

 private:
  std::vector<Cell> cells_;
  std::vector<std::uint8_t> states_;
  std::optional<NbbFractal> fractal_;
  int level_ = 0;
  std::optional<std::uint64_t> generation_;
  std::uint64_t stride_ = 1;
  bool stale_ = true;
};

}  // namespace loom::app
