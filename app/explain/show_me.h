#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/explain/thread_space.h"
#include "app/explain/unfolding.h"

namespace loom::app::explain {

/// The course of "Show me": from the bounding box over lambda to compact storage in one minute, as positions
/// that follow from the maps of a small level of a fractal.
class ShowMe {
 public:
  static constexpr double kSeconds = 60;

  enum class Scene {
    kFractal,      ///< cells and holes
    kBoundingBox,  ///< a thread per point
    kIdleThreads,  ///< threads without a cell fade
    kLaunch,       ///< occupied tiles move to the launch of lambda
    kUnfold,       ///< lambda moves them back, level by level
    kMemory,       ///< cells move to compact memory
    kNeighbour,    ///< nu finds the byte of a neighbour
  };
  struct Chapter {
    Scene scene;
    double begin;
    double end;
    std::string title;
    std::string sentence;
  };

  /// Throws InputError for a fractal whose generator has too many points to be drawn one by one.
  explicit ShowMe(const NbbFractal& fractal);

  const std::vector<Chapter>& chapters() const { return chapters_; }
  /// `seconds` is clamped to 0 to kSeconds.
  const Chapter& chapter_at(double seconds) const;
  /// Progress within the chapter, 0 to 1.
  double progress(double seconds) const;

  const ThreadSpace& box() const { return *box_; }
  const ThreadSpace& lambda() const { return *lambda_; }
  const ThreadSpace& compact() const { return *compact_; }
  const Unfolding& unfolding() const { return *unfolding_; }

  /// The position of tile `i` of the unfolding in tiles: its place in the square before kLaunch, its tile
  /// index at the end of kLaunch, and its place again at the end of kUnfold.
  glm::dvec2 tile_place(std::size_t i, double seconds) const;
  /// The extent of these positions.
  glm::dvec2 tile_extent(double seconds) const;
  /// The level of lambda that kUnfold moves, 1 to the last; 0 in other scenes.
  int level_at(double seconds) const;
  /// The tile whose digits are written out.
  std::size_t marked_tile() const { return marked_tile_; }

  struct Cell {
    Coord64 point;           ///< in the square
    std::uint64_t byte = 0;  ///< in compact memory
  };
  const std::vector<Cell>& cells() const { return cells_; }
  /// The points of the square without a cell.
  const std::vector<Coord64>& holes() const { return holes_; }
  struct BoxTile {
    Coord64 corner;  ///< in points
    bool has_cells = false;
  };
  const std::vector<BoxTile>& box_tiles() const { return box_tiles_; }
  /// The place of a byte in memory that is drawn in rows as long as the square is wide.
  glm::dvec2 memory_place(std::uint64_t byte) const;
  /// 0: the cell is at its point; 1: at its byte. Cells leave one after the other.
  double share_in_memory(std::size_t cell, double seconds) const;

  const Cell& centre() const { return cells_[centre_]; }
  const Cell& neighbour() const { return cells_[neighbour_]; }

 private:
  void add_chapters();
  void choose_neighbours();
  void add_holes();

  std::unique_ptr<ThreadSpace> box_;
  std::unique_ptr<ThreadSpace> lambda_;
  std::unique_ptr<ThreadSpace> compact_;
  std::unique_ptr<Unfolding> unfolding_;
  std::vector<Cell> cells_;
  std::vector<Coord64> holes_;
  std::vector<BoxTile> box_tiles_;
  std::size_t marked_tile_ = 0;
  std::size_t centre_ = 0;
  std::size_t neighbour_ = 0;
  std::vector<Chapter> chapters_;
};

/// Smoothstep: slow at both ends.
double eased(double share);

}  // namespace loom::app::explain
