#include "compute/engine/plane_tree.h"

#include "compute/geometry/plane_program.h"

namespace loom {

PlaneTree make_plane_tree(const BitPlanes& planes) {
  const NbbShape& shape = planes.shape;
  PlaneTree tiles;
  tiles.planes = planes;
  while (!planes.is_mixed() && small_power(shape.k, tiles.stride + 1) <= 32) ++tiles.stride;
  tiles.children = static_cast<std::uint32_t>(small_power(shape.k, tiles.stride));
  tiles.children_divisor = FastDivisor<std::uint32_t>(tiles.children);
  const int low_levels = planes.low_levels();
  const int group_levels = planes.level - low_levels;
  tiles.top = group_levels / tiles.stride;
  std::uint64_t groups_in = 1;
  std::uint64_t side_x = small_power(shape.s_x, low_levels);
  std::uint64_t side_y = small_power(shape.s_y, low_levels);
  for (int height = 0; height <= tiles.top; ++height) {
    for (int i = 0; height > 0 && i < tiles.stride; ++i) {
      const NbbShape& of = planes.digit_shape(low_levels + (height - 1) * tiles.stride + i + 1);
      groups_in *= of.k;
      side_x *= of.s_x;
      side_y *= of.s_y;
    }
    tiles.groups_in[height] = groups_in;
    tiles.first_tile[height] = planes.first_group / tiles.groups_in[height];
    const std::uint64_t last = std::uint64_t{planes.first_group} + planes.groups - 1;
    tiles.tiles[height] = last / tiles.groups_in[height] - tiles.first_tile[height] + 1;
    tiles.side_x[height] = static_cast<std::int64_t>(side_x);
    tiles.side_y[height] = static_cast<std::int64_t>(side_y);
    tiles.cells[height] = groups_in * small_power(shape.k, low_levels);
    if (height == 0) continue;
    tiles.first[height] = tiles.above;
    tiles.above += tiles.tiles[height];
  }
  const auto place = [&](int levels, std::uint32_t digits, std::uint16_t& x, std::uint16_t& y) {
    const auto cell = plain_cell(shape, levels, digits);
    x = static_cast<std::uint16_t>(cell.x);
    y = static_cast<std::uint16_t>(cell.y);
  };
  for (std::uint32_t i = 0; i < tiles.children; ++i)
    place(tiles.stride, i, tiles.child_x[i], tiles.child_y[i]);
  // The highest node may have fewer digits than a child: missing digits must not contribute an offset,
  // although replica 0 may have one.
  for (std::uint32_t i = 0; i < small_power(shape.k, group_levels - tiles.top * tiles.stride); ++i)
    place(group_levels - tiles.top * tiles.stride, i, tiles.top_x[i], tiles.top_y[i]);
  for (std::uint32_t p = 0; p < planes.planes; ++p)
    place(planes.split.plane_levels, p, tiles.plane_x[p], tiles.plane_y[p]);
  for (std::uint32_t p = 0; p < planes.planes; ++p) tiles.plane_index[p] = planes.index_of_plane(p);
  for (std::uint32_t bit = 0; bit < planes.bits; ++bit) tiles.bit_index[bit] = planes.index_of_bit(bit);
  for (std::uint32_t bit = 0; bit < planes.bits; ++bit)
    place(planes.split.bit_levels, bit, tiles.bit_x[bit], tiles.bit_y[bit]);
  tiles.tile_x = FastDivisor<std::uint32_t>(
      static_cast<std::uint32_t>(small_power(shape.s_x, planes.split.plane_levels)));
  tiles.tile_y = FastDivisor<std::uint32_t>(
      static_cast<std::uint32_t>(small_power(shape.s_y, planes.split.plane_levels)));
  tiles.bits_x = static_cast<std::uint32_t>(small_power(shape.s_x, planes.split.bit_levels));
  tiles.bits_y = static_cast<std::uint32_t>(small_power(shape.s_y, planes.split.bit_levels));
  return tiles;
}

std::vector<std::uint64_t> bits_before(const PlaneTree& tiles, bool across) {
  const std::uint32_t size = across ? tiles.bits_x : tiles.bits_y;
  const std::uint16_t* const place = across ? tiles.bit_x : tiles.bit_y;
  std::vector<std::uint64_t> before(size + 1);
  for (std::uint32_t t = 0; t <= size; ++t) {
    for (std::uint32_t bit = 0; bit < tiles.planes.bits; ++bit) {
      if (place[bit] < t) before[t] |= std::uint64_t{1} << bit;
    }
  }
  return before;
}

}  // namespace loom
