#pragma once

#include <cstdint>
#include <vector>

#include "app/teach/thread_space.h"

namespace loom::app::teach {

/// lambda one level at a time, for all blocks of a launch together: where they are once the digits of the
/// levels 1 to `stage` have been taken off omega and turned into places. Stage 0 is the parallel space, the
/// orthotope; stage r_b the fractal. In between, the square is a grid of what is left of omega, and in each
/// of its fields lies a fractal of `stage` levels. Read backwards it is nu.
class Unfolding {
 public:
  /// Of a launch of more blocks than this a part is unfolded: the blocks whose digits of the higher levels
  /// are 0, which become the fractal's first sub-square. Of the bounding box its first corner.
  static constexpr std::uint64_t kMostBlocks = 1 << 13;

  /// The bounding box has stage 0 alone.
  explicit Unfolding(const ThreadSpace& threads);

  /// Whether all blocks of the launch are there.
  bool whole() const { return whole_; }
  /// The level of the fractal that is made by the end: that of the blocks, or of the part.
  int levels() const { return levels_; }

  /// The number of levels that are unfolded, and of the last stage: r_b where it is whole.
  int stages() const { return static_cast<int>(extents_.size()) - 1; }
  std::size_t blocks() const { return blocks_; }
  /// The block with number `i`, row by row.
  Coord64 omega(std::size_t i) const { return {i % grid_x_, i / grid_x_}; }
  /// Its place at a stage, 0 to stages(), in blocks.
  Coord64 place(std::size_t i, int stage) const {
    return places_[static_cast<std::size_t>(stage) * blocks_ + i];
  }
  /// What the places of a stage lie in, in blocks.
  Coord64 extent(int stage) const { return extents_[static_cast<std::size_t>(stage)]; }

 private:
  bool whole_ = true;
  int levels_ = 0;
  std::uint64_t grid_x_ = 1;
  std::size_t blocks_ = 0;
  std::vector<Coord64> extents_;  ///< by stage
  std::vector<Coord64> places_;   ///< by stage, then block
};

}  // namespace loom::app::teach
