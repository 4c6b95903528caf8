#pragma once

#include <cstdint>
#include <vector>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"
#include "compute/engine/pixel_lookup.h"
#include "compute/geometry/bit_planes.h"
#include "compute/workload/cell_work.h"
#include "compute/workload/random_start.h"

namespace loom {

// Rendering of bit planes. A tree above the groups stores the number of living cells of each node. The
// traversal adds nodes that are within one pixel as a whole, and descends to the groups that are not.

/// The nodes whose number of living cells is up to date: none, the groups, or all nodes.
enum class CountState { kNothing, kGroups, kTiles };

/// The tree as plain data for kernels. Height 0 consists of the groups; a node ("tile" in the member names)
/// of the next height consists of k^stride nodes of the height below, in the order of their numbers. The
/// highest height may have fewer nodes than a complete node would. For a mixed fractal, each height is one
/// level with its own k.
struct PlaneTree {
  static constexpr int kMaxHeights = 40;

  BitPlanes planes;
  int stride = 1;              ///< digits between two heights
  std::uint32_t children = 1;  ///< k^stride, of a uniform fractal
  FastDivisor<std::uint32_t> children_divisor;
  int top = 0;  ///< the highest height
  /// Nodes of each height; in a partition, those that contain some of its groups.
  std::uint64_t tiles[kMaxHeights] = {};
  std::uint64_t first_tile[kMaxHeights] = {};  ///< the number of the first of them; 0 for the whole fractal
  std::uint64_t groups_in[kMaxHeights] = {};   ///< groups in a complete node
  /// Offset of a height's nodes in `living_above`, for heights from 1 on.
  std::uint64_t first[kMaxHeights] = {};
  std::uint64_t above = 0;                ///< number of nodes of all heights from 1 on
  std::int64_t side_x[kMaxHeights] = {};  ///< width in cells
  std::int64_t side_y[kMaxHeights] = {};
  std::uint64_t cells[kMaxHeights] = {};   ///< cells per node
  std::uint16_t child_x[kMaxPlanes] = {};  ///< positions of a node's children, in units of a child's width
  std::uint16_t child_y[kMaxPlanes] = {};
  std::uint16_t top_x[kMaxPlanes] = {};  ///< positions of the highest nodes, in units of their width
  std::uint16_t top_y[kMaxPlanes] = {};
  std::uint16_t plane_x[kMaxPlanes] = {};  ///< position of a plane's cells in a tile of level a
  std::uint16_t plane_y[kMaxPlanes] = {};
  FastDivisor<std::uint32_t> tile_x;  ///< s_x^a
  FastDivisor<std::uint32_t> tile_y;
  std::uint32_t bits_x = 1;  ///< s_x^b
  std::uint32_t bits_y = 1;
  std::uint16_t bit_x[64] = {};  ///< the tile of the supertile that a bit belongs to
  std::uint16_t bit_y[64] = {};
  std::uint64_t plane_index[kMaxPlanes] = {};  ///< weight of a plane in the canonical index of its cells
  std::uint64_t bit_index[64] = {};

  /// The number of children of a node of height 1 or more, and the position of a child in units of its width.
  LOOM_HOST_DEVICE std::uint32_t children_of(int height) const {
    return planes.is_mixed() ? level_shape(height).k : children;
  }
  LOOM_HOST_DEVICE Coord32 child_place(int height, std::uint32_t child) const {
    if (!planes.is_mixed()) return {child_x[child], child_y[child]};
    const NbbShape& shape = level_shape(height);
    return {shape.offset_x[child], shape.offset_y[child]};
  }
  /// The shape of the level that joins the children of a mixed fractal's node.
  LOOM_HOST_DEVICE const NbbShape& level_shape(int height) const {
    return planes.levels.table().shapes[planes.level - planes.low_levels() - height].shape;
  }
  /// The number of a node's cells that are held: all of them, except for a node that spans partitions.
  LOOM_HOST_DEVICE std::uint64_t cells_held(int height, std::uint64_t tile) const {
    const std::uint64_t begin_of = tile * groups_in[height];
    const std::uint64_t own_first = planes.first_group;
    const std::uint64_t own_end = own_first + planes.groups;
    const std::uint64_t begin = begin_of > own_first ? begin_of : own_first;
    const std::uint64_t end_of = begin_of + groups_in[height];
    const std::uint64_t end = end_of < own_end ? end_of : own_end;
    return (end - begin) * cells[0];
  }
  /// The corner of a node, given by its number in the fractal.
  LOOM_HOST_DEVICE Coord<std::int64_t> corner(int height, std::uint32_t tile) const {
    Coord<std::int64_t> at{0, 0};
    for (; height < top; ++height) {
      const std::uint32_t digit =
          planes.is_mixed()
              ? planes.levels.table().narrow[planes.level - planes.low_levels() - height - 1].k.take_digit(
                    tile)
              : children_divisor.take_digit(tile);
      const Coord32 child = child_place(height + 1, digit);
      at.x += child.x * side_x[height];
      at.y += child.y * side_y[height];
    }
    at.x += top_x[tile] * side_x[top];
    at.y += top_y[tile] * side_y[top];
    return at;
  }
};

PlaneTree make_plane_tree(const BitPlanes& planes);

/// [t], t = 0 to the supertile's width (or height) in tiles: the bits whose tile is left of (above) t.
std::vector<std::uint64_t> bits_before(const PlaneTree& tiles, bool across);

/// The living cells of a node of height 1 or more, by its index among the nodes that exist, from those of the
/// height below.
LOOM_HOST_DEVICE std::uint64_t living_of_children(const PlaneTree& tiles, const std::uint16_t* living,
                                                  const std::uint64_t* living_above, int height,
                                                  std::uint64_t tile) {
  std::uint64_t sum = 0;
  const std::uint32_t children = tiles.children_of(height);
  // Wraps around if a partition begins within the node; children of other partitions are then beyond `below`.
  const std::uint64_t first = (tile + tiles.first_tile[height]) * children - tiles.first_tile[height - 1];
  const std::uint64_t below = tiles.tiles[height - 1];
  if (height == 1) {
    for (std::uint32_t i = 0; i < children; ++i) sum += first + i < below ? living[first + i] : 0;
  } else {
    for (std::uint32_t i = 0; i < children; ++i)
      sum += first + i < below ? living_above[tiles.first[height - 1] + first + i] : 0;
  }
  return sum;
}

/// The data that an image is rendered from, in memory that the threads can read.
struct PlanePicture {
  const void* words = nullptr;
  const std::uint16_t* living = nullptr;         ///< per group
  const std::uint64_t* living_above = nullptr;   ///< per node above the groups, see PlaneTree::first
  const std::uint64_t* bits_before_x = nullptr;  ///< [t]: the bits whose tile is left of t, t = 0..bits_x
  const std::uint64_t* bits_before_y = nullptr;
  PixelAxis columns;
  PixelAxis rows;
  int first_row = 0;  ///< pixel rows that are rendered: [first_row, last_row)
  int last_row = 0;
};

/// The exclusive end of the cells of an axis that a pixel covers.
LOOM_HOST_DEVICE std::int64_t end_of_pixel(const PixelAxis& axis, int pixel) {
  const std::int64_t next = axis.edges[pixel] + 1;
  return next > axis.edges[pixel + 1] ? next : axis.edges[pixel + 1];
}

/// The overlap of the pixels [first, last) of an axis with the cells [begin, end).
struct PixelOverlap {
  bool any = false;        ///< some pixel covers some cell
  bool one_pixel = false;  ///< exactly one pixel covers cells, and it covers all of them
  int pixel = 0;           ///< that pixel
};
LOOM_HOST_DEVICE PixelOverlap pixel_overlap(const PixelAxis& axis, int first, int last, std::int64_t begin,
                                            std::int64_t end) {
  PixelOverlap reach;
  if (first >= last || end <= axis.edges[first] || begin >= end_of_pixel(axis, last - 1)) return reach;
  reach.any = true;
  const PixelRange low = pixels_of(axis, begin);
  if (low.last - low.first != 1 || low.first < first || low.first >= last) return reach;
  reach.pixel = low.first;
  reach.one_pixel = end <= end_of_pixel(axis, low.first) &&
                    (low.first + 1 == axis.size || axis.edges[low.first + 1] >= end);
  return reach;
}

template <typename Word>
LOOM_HOST_DEVICE std::uint32_t count_bits(Word word) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__popcll(word));
#else
  return static_cast<std::uint32_t>(__builtin_popcountll(word));
#endif
}

/// A line across a group before its column (or row) `at`. Whether a bit of a plane is before the line depends
/// on the position of the plane's cells within a tile relative to the line.
struct GroupCut {
  std::uint64_t before = 0;  ///< for planes whose cells are after the line
  /// For planes whose cells are before the line: includes the bits of the cut tile.
  std::uint64_t with_its_own = 0;
  std::uint32_t within = 0;  ///< position of the line in a tile

  LOOM_HOST_DEVICE std::uint64_t bits(std::uint32_t plane_at) const {
    return plane_at < within ? with_its_own : before;
  }
};
LOOM_HOST_DEVICE GroupCut cut_group(const std::uint64_t* bits_before, FastDivisor<std::uint32_t> tile,
                                    std::int64_t at, std::int64_t corner, std::int64_t side) {
  const auto cell = static_cast<std::uint32_t>(at <= corner ? 0 : at - corner >= side ? side : at - corner);
  const std::uint32_t whole = tile.divide(cell);
  const std::uint32_t within = cell - whole * tile.value();
  return {bits_before[whole], bits_before[whole + (within > 0 ? 1 : 0)], within};
}

/// Adds the cells of a group, numbered as in the planes, pixel by pixel: `add(row, column, cells, living)`.
template <typename Word, typename Add>
LOOM_HOST_DEVICE void paint_group(const PlaneTree& tiles, const PlanePicture& picture, std::uint64_t group,
                                  Coord<std::int64_t> corner, const Add& add) {
  const BitPlanes& planes = tiles.planes;
  const std::uint64_t thread = group / planes.groups_in_word;
  const auto shift = static_cast<std::uint32_t>(group % planes.groups_in_word) * planes.split.slot_bits;
  const Word* const words = static_cast<const Word*>(picture.words) + planes.first_word(thread);
  const std::uint64_t all = planes.slot_mask();
  const auto word_of = [&](std::uint32_t plane) {
    return static_cast<std::uint64_t>(words[std::uint64_t{plane} * BitPlanes::kInterleave] >> shift) & all;
  };
  const PixelAxis& columns = picture.columns;
  const PixelAxis& rows = picture.rows;
  const std::int64_t right = corner.x + tiles.side_x[0];
  const std::int64_t bottom = corner.y + tiles.side_y[0];
  const int first_column = corner.x <= columns.edges[0] ? 0 : edges_up_to(columns, corner.x) - 1;
  int first_row = corner.y <= rows.edges[0] ? 0 : edges_up_to(rows, corner.y) - 1;
  // Several pixels may begin at the same cell.
  int from_column = first_column;
  while (from_column > 0 && end_of_pixel(columns, from_column - 1) > corner.x) --from_column;
  while (first_row > 0 && end_of_pixel(rows, first_row - 1) > corner.y) --first_row;
  if (first_row < picture.first_row) first_row = picture.first_row;

  // For few pixels, each pixel selects its bits of every plane; for many pixels, every cell looks up its
  // pixels.
  const std::int64_t wide = edges_up_to(columns, right - 1) - from_column;
  const std::int64_t high = edges_up_to(rows, bottom - 1) - first_row;
  if (wide * high <= planes.bits) {
    for (int row = first_row; row < picture.last_row && rows.edges[row] < bottom; ++row) {
      for (int column = from_column; column < columns.size && columns.edges[column] < right; ++column) {
        const auto cut_x = [&](std::int64_t at) {
          return cut_group(picture.bits_before_x, tiles.tile_x, at, corner.x, tiles.side_x[0]);
        };
        const auto cut_y = [&](std::int64_t at) {
          return cut_group(picture.bits_before_y, tiles.tile_y, at, corner.y, tiles.side_y[0]);
        };
        const GroupCut cut_left = cut_x(columns.edges[column]);
        const GroupCut cut_right = cut_x(end_of_pixel(columns, column));
        const GroupCut cut_top = cut_y(rows.edges[row]);
        const GroupCut cut_bottom = cut_y(end_of_pixel(rows, row));
        std::uint64_t any = 0;
        std::uint32_t cells = 0;  // stays 0 if `add` does not use it
        std::uint32_t living = 0;
        for (std::uint32_t p = 0; p < planes.planes; ++p) {
          const std::uint32_t x = tiles.plane_x[p];
          const std::uint32_t y = tiles.plane_y[p];
          const std::uint64_t mask =
              cut_right.bits(x) & ~cut_left.bits(x) & cut_bottom.bits(y) & ~cut_top.bits(y);
          any |= mask;
          cells += count_bits(mask);
          living += count_bits(word_of(p) & mask);
        }
        if (any != 0) add(row, column, cells, living);
      }
    }
    return;
  }
  for (std::uint32_t p = 0; p < planes.planes; ++p) {
    const std::uint64_t word = word_of(p);
    for (std::uint32_t bit = 0; bit < planes.bits; ++bit) {
      const PixelRange across = pixels_of(
          columns, corner.x + tiles.plane_x[p] + std::int64_t{tiles.bit_x[bit]} * tiles.tile_x.value());
      if (across.first == across.last) continue;
      PixelRange down = pixels_of(
          rows, corner.y + tiles.plane_y[p] + std::int64_t{tiles.bit_y[bit]} * tiles.tile_y.value());
      if (down.first < picture.first_row) down.first = picture.first_row;
      if (down.last > picture.last_row) down.last = picture.last_row;
      const auto living = static_cast<std::uint32_t>(word >> bit & 1u);
      for (int row = down.first; row < down.last; ++row) {
        for (int column = across.first; column < across.last; ++column) add(row, column, 1u, living);
      }
    }
  }
}

/// Adds a node, given by its number in the fractal, and all nodes below it that overlap the image: `add(row,
/// column, cells, living)`. In a partition only its own cells are added. Groups that span several pixels are
/// passed to `cut(group, corner)`, numbered as in the planes, for paint_group().
template <typename Add, typename Cut>
LOOM_HOST_DEVICE void paint_tile(const PlaneTree& tiles, const PlanePicture& picture, int height,
                                 std::uint64_t tile, Coord<std::int64_t> corner, const Add& add,
                                 const Cut& cut) {
  // The path from the given node to the current one: the child at each height.
  std::uint8_t path[PlaneTree::kMaxHeights];
  int at = height;
  while (true) {
    const PixelOverlap across =
        pixel_overlap(picture.columns, 0, picture.columns.size, corner.x, corner.x + tiles.side_x[at]);
    bool descend = false;
    const std::uint64_t held = tile - tiles.first_tile[at];
    if (across.any && held < tiles.tiles[at]) {
      const PixelOverlap down = pixel_overlap(picture.rows, picture.first_row, picture.last_row, corner.y,
                                              corner.y + tiles.side_y[at]);
      if (down.any) {
        if (across.one_pixel && down.one_pixel) {
          add(down.pixel, across.pixel, tiles.cells_held(at, tile),
              at == 0 ? std::uint64_t{picture.living[held]} : picture.living_above[tiles.first[at] + held]);
        } else if (at == 0) {
          cut(held, corner);
        } else {
          descend = true;
        }
      }
    }
    if (descend) {
      tile *= tiles.children_of(at);
      --at;
      path[at] = 0;
      const Coord32 place = tiles.child_place(at + 1, 0);
      corner.x += place.x * tiles.side_x[at];
      corner.y += place.y * tiles.side_y[at];
      continue;
    }
    while (true) {
      if (at == height) return;
      const std::uint32_t child = path[at];
      const std::uint32_t children = tiles.children_of(at + 1);
      const Coord32 place = tiles.child_place(at + 1, child);
      corner.x -= place.x * tiles.side_x[at];
      corner.y -= place.y * tiles.side_y[at];
      if (child + 1 < children) {
        path[at] = static_cast<std::uint8_t>(child + 1);
        ++tile;
        const Coord32 next = tiles.child_place(at + 1, child + 1);
        corner.x += next.x * tiles.side_x[at];
        corner.y += next.y * tiles.side_y[at];
        break;
      }
      tile /= children;
      ++at;
    }
  }
}

// Operations of workloads other than life on the word of one plane of one group. They work on whole words,
// because the cells of a word differ only in the contribution of their bit. `slot` words have the group's
// bits from bit 0 on.

/// A group with the contribution of its digits to its cells' coordinates and index.
struct PlaneGroup {
  std::uint64_t index = 0;  ///< contribution to the canonical index
  Coord<std::int64_t> corner = {0, 0};
};
LOOM_HOST_DEVICE PlaneGroup plane_group(const PlaneTree& tiles, std::uint32_t group) {
  return {tiles.planes.index_of_group(group), tiles.corner(0, group + tiles.planes.first_group)};
}

LOOM_HOST_DEVICE Coord<std::int64_t> cell_of_bit(const PlaneTree& tiles, const PlaneGroup& group,
                                                 std::uint32_t plane, std::uint32_t bit) {
  return {group.corner.x + tiles.plane_x[plane] + std::int64_t{tiles.bit_x[bit]} * tiles.tile_x.value(),
          group.corner.y + tiles.plane_y[plane] + std::int64_t{tiles.bit_y[bit]} * tiles.tile_y.value()};
}

LOOM_HOST_DEVICE std::uint64_t random_slot(const PlaneTree& tiles, const PlaneGroup& group,
                                           std::uint32_t plane, std::uint64_t seed, std::uint64_t threshold) {
  std::uint64_t slot = 0;
  const std::uint64_t index = group.index + tiles.plane_index[plane];
  for (std::uint32_t bit = 0; bit < tiles.planes.bits; ++bit)
    slot |= std::uint64_t{random_cell(seed, index + tiles.bit_index[bit], threshold)} << bit;
  return slot;
}

LOOM_HOST_DEVICE std::uint64_t single_write_slot(const PlaneTree& tiles, const PlaneGroup& group,
                                                 std::uint32_t plane, std::uint32_t generation) {
  std::uint64_t slot = 0;
  for (std::uint32_t bit = 0; bit < tiles.planes.bits; ++bit)
    slot |= std::uint64_t{single_write_value(cell_of_bit(tiles, group, plane, bit), generation)} << bit;
  return slot;
}

/// Calls `visit(bit)` for each bit that is set.
template <typename Visit>
LOOM_HOST_DEVICE void for_each_bit(std::uint64_t slot, const Visit& visit) {
  while (slot != 0) {
#if defined(__CUDA_ARCH__)
    visit(static_cast<std::uint32_t>(__ffsll(static_cast<long long>(slot)) - 1));
#else
    visit(static_cast<std::uint32_t>(__builtin_ctzll(slot)));
#endif
    slot &= slot - 1;
  }
}

LOOM_HOST_DEVICE std::uint64_t hash_of_slot(const PlaneTree& tiles, const PlaneGroup& group,
                                            std::uint32_t plane, std::uint64_t slot) {
  std::uint64_t hash = 0;
  const std::uint64_t index = group.index + tiles.plane_index[plane];
  for_each_bit(slot, [&](std::uint32_t bit) { hash += hash_term(index + tiles.bit_index[bit]); });
  return hash;
}

LOOM_HOST_DEVICE std::uint64_t sum_of_slot(const PlaneTree& tiles, const PlaneGroup& group,
                                           std::uint32_t plane, std::uint64_t slot) {
  std::uint64_t sum = 0;
  for_each_bit(slot,
               [&](std::uint32_t bit) { sum += reduction_value(cell_of_bit(tiles, group, plane, bit), 1); });
  return sum;
}

}  // namespace loom
