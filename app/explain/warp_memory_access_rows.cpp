#include <fmt/format.h>

#include <algorithm>

#include "app/explain/warp_memory_access.h"

namespace loom::app::explain {

RowRequests::RowRequests(const LaunchWarp& warp, LifeKernel kernel, std::span<const PlacedTile> tiles)
    : warp_(warp),
      space_(warp.space),
      tiled_(space_.tiled()),
      tiling_(space_.launch().tiling),
      kernel_(kernel),
      tiles_(tiles),
      pitch_(space_.config().method.map == MapKind::kCompact ? tiled_.rho_x : tiled_.width),
      work_(row_work(tiled_, pitch_, space_.launch().threads)),
      staging_(staging(tiled_, static_cast<std::uint32_t>(space_.tables().halo().size()), tiling_,
                       kernel_ == LifeKernel::kCompactRows
                           ? tiling_.tiles() * static_cast<std::uint32_t>(sizeof(TileNeighbours))
                           : 0,
                       space_.launch().threads)) {}

/// A loop of all threads of the thread block over `end` bytes, `step` bytes each. Calls `use(i_of)` for each
/// iteration of this warp; i_of(lane) is the byte of a lane, empty if it has none.
template <typename Use>
void RowRequests::for_each_turn(std::uint32_t end, std::uint32_t step, const Use& use) const {
  const std::uint32_t stride = space_.launch().threads * step;
  for (std::uint32_t first = 0; first < end; first += stride) {
    use([=, this](std::uint32_t lane) -> std::optional<std::uint32_t> {
      const std::uint32_t i = first + warp_.rank(lane) * step;
      if (!warp_.is_launched(lane) || i >= end) return std::nullopt;
      return i;
    });
  }
}

/// for_each_part() of compute/cuda/life/row_tiles.cuh: calls `prepare(part_of)` when lanes take parts, and
/// then `work(part_of)` for each of `tiles` (tiles or groups of four). part_of(lane) is the part of a lane,
/// with its tile in `work`; empty if the lane has none.
template <typename Prepare, typename Work>
void RowRequests::for_each_part(const TileParts& parts, std::uint32_t tiles, const Prepare& prepare,
                                const Work& work) const {
  const std::uint32_t threads = space_.launch().threads;
  const std::uint32_t of_tile = parts.of_tile.value();
  const std::uint32_t at_once = parts.at_once;
  for (std::uint32_t begin = 0; begin < of_tile; begin += threads) {
    const auto part_of = [&](std::uint32_t lane) -> std::optional<PartOfTile> {
      const std::uint32_t first = at_once > 1 ? warp_.rank(lane) / of_tile : 0;
      const std::uint32_t number = at_once > 1 ? warp_.rank(lane) % of_tile : begin + warp_.rank(lane);
      if (!warp_.is_launched(lane) || first >= at_once || number >= of_tile) return std::nullopt;
      // In the compact kernel the compiler defers the preparation to the loop over tiles, so a lane without a
      // tile prepares nothing.
      if (kernel_ == LifeKernel::kCompactRows && first >= tiles) return std::nullopt;
      return PartOfTile{parts.part(number), first};
    };
    prepare(part_of);
    for (std::uint32_t tile = 0; tile < tiles; tile += at_once) {
      work([&](std::uint32_t lane) -> std::optional<PartOfTile> {
        auto part = part_of(lane);
        if (!part || part->tile + tile >= tiles) return std::nullopt;
        part->tile += tile;
        return part;
      });
    }
  }
}

/// for_each_part() over the chunks of rows: `use(part_of)`, without parts of missing tiles.
template <typename Use>
void RowRequests::for_each_chunk(const Use& use) const {
  for_each_part(
      work_.rows, tiling_.tiles(), [](const auto&) {},
      [&](const auto& part_of) {
        use([&](std::uint32_t lane) {
          const auto part = part_of(lane);
          return part && tiles_[part->tile].there ? part : std::nullopt;
        });
      });
}

void RowRequests::begin(Requests& requests) const {
  if (kernel_ == LifeKernel::kCompactRows) copy_run(requests);
  const bool stages = kernel_ != LifeKernel::kGathered;
  const std::uint32_t first = stages ? staging_.memory.staged : 0;
  const std::uint32_t bytes =
      stages ? staging_.memory.bytes - first : tiling_.tiles() * tiled_.points_per_tile();
  for_each_turn(bytes, 16, [&](const auto& i_of) {
    requests.add("clears shared memory", Buffer::kShared, true, 16, [&](std::uint32_t lane) -> Address {
      const auto i = i_of(lane);
      if (!i) return std::nullopt;
      return first + *i;
    });
  });
}

void RowRequests::stage(Requests& requests) const {
  if (kernel_ == LifeKernel::kRows) copy_rows(requests);
  stage_halos(requests);
  stage_states(requests);
}

void RowRequests::copy_rows(Requests& requests) const {
  for_each_chunk([&](const auto& part_of) {
    requests.add("copies cells of a row", Buffer::kCurrent, false, work_.chunk,
                 [&](std::uint32_t lane) -> Address {
                   const auto part = part_of(lane);
                   if (!part) return std::nullopt;
                   return in_memory(*part);
                 });
    requests.add("to shared memory", Buffer::kShared, true, work_.chunk, [&](std::uint32_t lane) -> Address {
      const auto part = part_of(lane);
      if (!part) return std::nullopt;
      return in_states(part->tile, {part->part * work_.chunk, part->row});
    });
  });
}

void RowRequests::copy_run(Requests& requests) const {
  const std::uint64_t first = tiles_[0].origin;
  const auto begin = static_cast<std::uint32_t>(first % 16);
  const std::uint32_t end = begin + tiling_.tiles() * tiled_.points_per_tile();
  for_each_turn(end, 16, [&](const auto& i_of) {
    const auto add = [&](const char* copies, std::uint32_t width, const auto& at_of) {
      requests.add(copies, Buffer::kCurrent, false, width, [&](std::uint32_t lane) -> Address {
        const Address at = at_of(lane);
        if (!at) return std::nullopt;
        return first - begin + *at;
      });
      requests.add("to shared memory", Buffer::kShared, true, width, at_of);
    };
    add("copies cells of the tiles", 16, [&](std::uint32_t lane) -> Address {
      const auto i = i_of(lane);
      return i && *i + 16 <= end ? i : std::nullopt;
    });
    for (std::uint32_t j = 0; j < 16; ++j) {
      add("copies a cell at the end", 1, [&](std::uint32_t lane) -> Address {
        const auto i = i_of(lane);
        if (!i || *i + 16 <= end || *i + j >= end) return std::nullopt;
        return *i + j;
      });
    }
  });
}

void RowRequests::stage_states(Requests& requests) const {
  const std::uint32_t width = staging_.shape.by_fours() ? 4 : 1;
  for_each_part(
      staging_.states, staging_.fours.count, [](const auto&) {},
      [&](const auto& part_of) {
        for (std::uint32_t i = 0; i < staging_.fours.most; ++i) {
          requests.add(
              fmt::format("reads cells of tile {} of {}", i + 1, staging_.fours.most), Buffer::kShared, false,
              width, [&](std::uint32_t lane) -> Address {
                const auto part = part_of(lane);
                if (!part) return std::nullopt;
                return in_states(part->tile + i * staging_.fours.count, {part->part * width, part->row});
              });
        }
        requests.add("interleaves the four tiles", Buffer::kShared, true, 4 * width,
                     [&](std::uint32_t lane) -> Address {
                       const auto part = part_of(lane);
                       if (!part) return std::nullopt;
                       return in_staged(part->tile, staging_.shape.at(part->part * width, part->row));
                     });
      });
}

/// The byte offset of a halo cell in the current generation; empty if there is no cell.
Address RowRequests::byte_of(std::uint32_t tile, const HaloCell& cell) const {
  if (kernel_ == LifeKernel::kCompactRows) {
    const std::uint64_t base = tiles_[tile].neighbours.base[cell.tile()];
    if (base == kNoIndex) return std::nullopt;
    return base + cell.source();
  }
  // Coordinates below 0, and those of tiles without a position, wrap around and fail the test below.
  const Coord64 beside = neighbour_place(Coord64{0, 0}, cell.tile());
  const std::uint64_t x = tiles_[tile].corner.x + beside.x * tiled_.rho_x + cell.source() % tiled_.rho_x;
  const std::uint64_t y = tiles_[tile].corner.y + beside.y * tiled_.rho_y + cell.source() / tiled_.rho_x;
  if (x >= tiled_.width || y >= tiled_.height) return std::nullopt;
  return y * tiled_.width + x;
}

void RowRequests::stage_halos(Requests& requests) const {
  const std::vector<HaloCell>& halo = space_.tables().halo();
  if (halo.empty()) return;
  for_each_part(
      staging_.halo, tiling_.tiles(),
      [&](const auto& part_of) {
        requests.add("reads the list of halo cells", Buffer::kHaloList, false, 4,
                     [&](std::uint32_t lane) -> Address {
                       const auto part = part_of(lane);
                       if (!part) return std::nullopt;
                       return std::uint64_t{part->part} * sizeof(HaloCell);
                     });
      },
      [&](const auto& part_of) {
        requests.add("loads a halo cell", Buffer::kCurrent, false, 1, [&](std::uint32_t lane) -> Address {
          const auto part = part_of(lane);
          if (!part) return std::nullopt;
          return byte_of(part->tile, halo[part->part]);
        });
        requests.add("stages a halo cell", Buffer::kShared, true, 1, [&](std::uint32_t lane) -> Address {
          const auto part = part_of(lane);
          if (!part) return std::nullopt;
          const TileFours::Place place = staging_.fours.place(part->tile);
          return in_staged(place.four, halo[part->part].target()) + place.byte;
        });
      });
}

void RowRequests::write(Requests& requests) const {
  kernel_ == LifeKernel::kCompactRows ? write_run(requests) : write_rows(requests);
}

void RowRequests::write_rows(Requests& requests) const {
  for_each_chunk([&](const auto& part_of) {
    requests.add("reads states of a row", Buffer::kShared, false, work_.chunk,
                 [&](std::uint32_t lane) -> Address {
                   const auto part = part_of(lane);
                   if (!part) return std::nullopt;
                   return in_states(part->tile, {part->part * work_.chunk, part->row});
                 });
    requests.add("writes states of a row", Buffer::kNext, true, work_.chunk,
                 [&](std::uint32_t lane) -> Address {
                   const auto part = part_of(lane);
                   if (!part) return std::nullopt;
                   return in_memory(*part);
                 });
  });
}

void RowRequests::write_run(Requests& requests) const {
  const std::uint64_t first = tiles_[0].origin;
  const auto begin = static_cast<std::uint32_t>(first % 16);
  const std::uint32_t end = begin + tiling_.tiles() * tiled_.points_per_tile();
  for_each_turn(end, 16, [&](const auto& i_of) {
    const auto is_whole = [&](std::uint32_t i) { return i >= begin && i + 16 <= end; };
    const auto add = [&](const char* takes, const char* writes, std::uint32_t width, const auto& at_of) {
      requests.add(takes, Buffer::kShared, false, width, at_of);
      requests.add(writes, Buffer::kNext, true, width, [&](std::uint32_t lane) -> Address {
        const Address at = at_of(lane);
        if (!at) return std::nullopt;
        return first - begin + *at;
      });
    };
    add("reads states of the tiles", "writes states of the tiles", 16, [&](std::uint32_t lane) -> Address {
      const auto i = i_of(lane);
      return i && is_whole(*i) ? i : std::nullopt;
    });
    for (std::uint32_t j = 0; j < 16; ++j) {
      add("reads a state at the end", "writes a state at the end", 1, [&](std::uint32_t lane) -> Address {
        const auto i = i_of(lane);
        if (!i || is_whole(*i)) return std::nullopt;
        const std::uint32_t at = std::max(*i, begin) + j;
        if (at >= std::min(*i + 16, end)) return std::nullopt;
        return at;
      });
    }
  });
}

std::uint64_t RowRequests::in_memory(const PartOfTile& part) const {
  return tiles_[part.tile].origin + part.row * pitch_ + part.part * work_.chunk;
}

std::uint64_t RowRequests::in_staged(std::uint32_t four, std::uint32_t cell) const {
  return staging_.memory.staged + 4 * (std::uint64_t{four} * staging_.shape.cells + cell);
}

std::uint64_t RowRequests::in_states(std::uint32_t tile, Coord32 at) const {
  const std::uint64_t first = kernel_ == LifeKernel::kCompactRows ? tiles_[0].origin % 16 : 0;
  return first + std::uint64_t{tile} * tiled_.points_per_tile() + at.y * tiled_.rho_x + at.x;
}

/// step_staged() of compute/cuda/life/staged_tiles.cuh; step_turned() if replicas are turned. A group of four
/// is read in the round of its first tile, which has the index of the group.
void RowRequests::read_staged(Requests& requests, const WarpRound& looked) const {
  if (tiled_.is_turned()) {
    for (std::uint32_t which = 0; which < 9; ++which) {
      requests.add(fmt::format("reads the cell {} in a tile", kNeighbourNames[which]), Buffer::kShared, false,
                   1, [&](std::uint32_t lane) -> Address {
                     const LaneWork& work = looked.lanes[lane];
                     if (!work.works()) return std::nullopt;
                     const TileFours::Place place = staging_.fours.place(work.thread->tile);
                     const Coord32 beside = neighbour_place(work.thread->at, which);
                     return in_staged(place.four, staging_.shape.at(beside.x, beside.y)) + place.byte;
                   });
    }
    return;
  }
  for (std::uint32_t which = 0; which < 9; ++which) {
    requests.add(fmt::format("reads the cell {} in four tiles", kNeighbourNames[which]), Buffer::kShared,
                 false, 4, [&](std::uint32_t lane) -> Address {
                   const LaneWork& work = looked.lanes[lane];
                   if (!work.works() || work.thread->tile >= staging_.fours.count) return std::nullopt;
                   const Coord32 beside = neighbour_place(work.thread->at, which);
                   return in_staged(work.thread->tile, staging_.shape.at(beside.x, beside.y));
                 });
  }
}

}  // namespace loom::app::explain
