#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compute/core/coord.h"
#include "compute/engine/fractal_engine.h"
#include "compute/engine/progress_monitor.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/geometry/transforms.h"
#include "compute/workload/game_of_life.h"

namespace loom::app::patterns {

/// Limits of reading, selecting and placing: number of cells that are not dead, extent, file size.
inline constexpr std::uint64_t kMostCells = std::uint64_t{1} << 21;
inline constexpr std::uint32_t kMostSide = std::uint32_t{1} << 30;
inline constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20;

/// The cells in a rectangle that are not dead; x to the right, y down.
struct Pattern {
  std::uint32_t width = 0;                ///< at most kMostSide
  std::uint32_t height = 0;               ///< at most kMostSide
  std::vector<Coord32> cells = {};        ///< row by row, each once; at most kMostCells
  std::vector<std::uint8_t> states = {};  ///< of `cells`; empty if all are alive
  std::string name = {};
  std::vector<std::string> comments = {};  ///< one entry per line
  std::optional<LifeRule> rule = {};
  std::optional<Coord<std::int64_t>> at = {};  ///< position of its upper left corner, if the file gives one
  std::string note = {};                       ///< what its reader left out, a sentence; else empty
  std::uint8_t state(std::size_t i) const { return states.empty() ? std::uint8_t{1} : states[i]; }
  friend bool operator==(const Pattern&, const Pattern&) = default;
};

// Work on many cells takes long; `watch` cancels it with OperationCancelled.

/// Sorts the cells row by row, each once; of several states of a cell, the last counts.
void sort_cells(Pattern& pattern, const ProgressMonitor* watch = nullptr);

/// Rotated by 90°; clockwise as seen on the screen.
Pattern rotate_clockwise(const Pattern& pattern, const ProgressMonitor* watch = nullptr);
Pattern rotate_anticlockwise(const Pattern& pattern, const ProgressMonitor* watch = nullptr);
/// Mirrored: left and right exchanged, or top and bottom.
Pattern flip_left_right(const Pattern& pattern, const ProgressMonitor* watch = nullptr);
Pattern flip_top_bottom(const Pattern& pattern, const ProgressMonitor* watch = nullptr);

/// Where the living cells of a pattern fall, as counts.
struct PlacementCounts {
  std::uint64_t cells = 0;    ///< on cells of the fractal
  std::uint64_t holes = 0;    ///< on holes, will be dropped
  std::uint64_t outside = 0;  ///< outside the field, will be dropped
  friend bool operator==(const PlacementCounts&, const PlacementCounts&) = default;
};

/// The cells of a fractal at a level, for placing patterns.
class FractalField {
 public:
  /// `level` is that of FractalConfig.
  FractalField(const NbbFractal& fractal, int level);

  std::uint64_t width() const { return width_; }
  std::uint64_t height() const { return height_; }
  bool inside(std::int64_t x, std::int64_t y) const {
    return x >= 0 && y >= 0 && static_cast<std::uint64_t>(x) < width_ &&
           static_cast<std::uint64_t>(y) < height_;
  }
  /// Whether a point inside is a cell.
  bool is_cell(Coord64 point) const { return is_member(transform_, level_, point); }

  /// Counts where cells [first, end) of a pattern fall if its upper left corner is at `at`; adds to
  /// `placement`.
  void count(const Pattern& pattern, Coord<std::int64_t> at, std::size_t first, std::size_t end,
             PlacementCounts& placement) const;
  /// The edits that set the pattern's cells, except those on holes and outside. Throws
  /// OperationCancelled.
  std::vector<CellEdit> placed_cells(const Pattern& pattern, Coord<std::int64_t> at,
                                     const ProgressMonitor* watch = nullptr) const;

  /// A rectangle of points in the field: corner and size.
  struct Rect {
    Coord64 low;
    Coord64 size;
    friend bool operator==(const Rect&, const Rect&) = default;
  };
  /// The cells in a rectangle, replica by replica. Throws InputError before the work if there are more than
  /// kMostCells, and OperationCancelled.
  std::vector<Coord64> cells_in(const Rect& rect, const ProgressMonitor* watch = nullptr) const;
  /// The number of cells in a rectangle, or `most` + 1 if there are more than `most`.
  std::uint64_t count_in(const Rect& rect, std::uint64_t most) const;

 private:
  template <typename Whole, typename Single>
  bool descend(const Rect& rect, int level, Coord64 corner, loom::Symmetry symmetry, const Whole& whole,
               const Single& single) const;

  NbbTransform<std::uint64_t> transform_;
  NbbFractal fractal_;  ///< owns the levels that the transform reads
  int level_;
  std::uint64_t width_;
  std::uint64_t height_;
  std::vector<Coord64> sides_;          ///< size of a replica, per level
  std::vector<std::uint64_t> content_;  ///< cells of a replica, per level
};

}  // namespace loom::app::patterns
