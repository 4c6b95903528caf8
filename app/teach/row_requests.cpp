#include "app/teach/row_requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace loom::app::teach {

RowRequests::RowRequests(const WarpOfLaunch& warp, LifeKernel kernel, std::span<const PlacedTile> tiles)
    : warp_(warp),
      space_(warp.space),
      blocked_(space_.blocked()),
      tiling_(space_.launch().tiling),
      kernel_(kernel),
      tiles_(tiles),
      staged_{static_cast<int>(blocked_.rho_x), static_cast<int>(blocked_.rho_y)},
      pitch_(space_.config().method.map == MapKind::kCompact ? blocked_.rho_x : blocked_.width),
      work_(row_work(blocked_, pitch_, static_cast<std::uint32_t>(space_.tables().rim().size()),
                     space_.launch().threads)),
      memory_(row_memory(blocked_, tiling_.tiles(),
                         kernel_ == LifeKernel::kCompactRows
                             ? tiling_.tiles() * static_cast<std::uint32_t>(sizeof(BlockNeighbours))
                             : 0)) {}

/// A loop of all threads of the thread block over `end` bytes, `step` each: calls `use(i_of)` for each turn
/// of this warp, i_of(lane) the byte or nothing.
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

/// for_each_part() of compute/cuda/life/row_tiles.cuh: calls `prepare(part_of)` where lanes take parts, and
/// then `work(part_of)` for each tile; part_of(lane) is the lane's part, with the tile for `work`, or
/// nothing.
template <typename Prepare, typename Work>
void RowRequests::for_each_part(const TileParts& parts, const Prepare& prepare, const Work& work) const {
  const std::uint32_t threads = space_.launch().threads;
  const std::uint32_t of_tile = parts.of_tile.value();
  const std::uint32_t at_once = parts.at_once;
  for (std::uint32_t begin = 0; begin < of_tile; begin += threads) {
    const auto part_of = [&](std::uint32_t lane) -> std::optional<PartOfTile> {
      const std::uint32_t first = at_once > 1 ? warp_.rank(lane) / of_tile : 0;
      const std::uint32_t number = at_once > 1 ? warp_.rank(lane) % of_tile : begin + warp_.rank(lane);
      if (!warp_.is_launched(lane) || first >= at_once || number >= of_tile) return std::nullopt;
      // A lane without a tile: under compact the compiler puts off what it would prepare, and so it does
      // not.
      if (kernel_ == LifeKernel::kCompactRows && first >= tiling_.tiles()) return std::nullopt;
      return PartOfTile{parts.part(number), first};
    };
    prepare(part_of);
    for (std::uint32_t tile = 0; tile < tiling_.tiles(); tile += at_once) {
      work([&](std::uint32_t lane) -> std::optional<PartOfTile> {
        auto part = part_of(lane);
        if (!part || part->tile + tile >= tiling_.tiles()) return std::nullopt;
        part->tile += tile;
        return part;
      });
    }
  }
}

/// for_each_part() over rows: `use(part_of)`, without the parts of tiles that are not there.
template <typename Use>
void RowRequests::for_each_row_part(const Use& use) const {
  for_each_part(
      work_.rows, [](const auto&) {},
      [&](const auto& part_of) {
        use([&](std::uint32_t lane) {
          const auto part = part_of(lane);
          return part && tiles_[part->tile].there ? part : std::nullopt;
        });
      });
}

void RowRequests::clear(Requests& requests) const {
  const bool stages = kernel_ != LifeKernel::kGathered;
  const std::uint32_t bytes = stages ? memory_.bytes : tiling_.tiles() * blocked_.block_area();
  for_each_turn(bytes, 16,
                [&](const auto& i_of) { requests.add("clears the tiles", Buffer::kShared, true, 16, i_of); });
}

void RowRequests::stage(Requests& requests) const {
  stage_rows(requests);
  stage_rims(requests);
}

void RowRequests::stage_rows(Requests& requests) const {
  for_each_row_part([&](const auto& part_of) {
    requests.add("loads cells of a row", Buffer::kNow, false, work_.chunk,
                 [&](std::uint32_t lane) -> Address {
                   const auto part = part_of(lane);
                   if (!part) return std::nullopt;
                   return in_memory(*part);
                 });
    const std::uint32_t width = std::min(4u, work_.chunk);
    for (std::uint32_t i = 0; i < work_.chunk; i += width) {
      requests.add("stages cells of a row", Buffer::kShared, true, width, [&](std::uint32_t lane) -> Address {
        const auto part = part_of(lane);
        if (!part) return std::nullopt;
        return in_staged(part->tile, static_cast<int>(part->part * work_.chunk + i),
                         static_cast<int>(part->row));
      });
    }
  });
}

/// The byte of a rim's cell in the generation that is read; nothing where there is no cell.
Address RowRequests::byte_of(std::uint32_t tile, const RimCell& cell) const {
  if (kernel_ == LifeKernel::kCompactRows) {
    const std::uint64_t base = tiles_[tile].neighbours.base[cell.block()];
    if (base == kNoIndex) return std::nullopt;
    return base + cell.source();
  }
  const auto pitch = static_cast<std::uint32_t>(staged_.pitch());
  // Past 0 and past tiles without a place these wrap around.
  const std::uint64_t x = tiles_[tile].corner.x + cell.target() % pitch - StagedTile::kOwn;
  const std::uint64_t y = tiles_[tile].corner.y + cell.target() / pitch - 1;
  if (x >= blocked_.width || y >= blocked_.height) return std::nullopt;
  return y * blocked_.width + x;
}

void RowRequests::stage_rims(Requests& requests) const {
  const std::vector<RimCell>& rim = space_.tables().rim();
  if (rim.empty()) return;
  for_each_part(
      work_.rim,
      [&](const auto& part_of) {
        requests.add("reads which cell of the rim", Buffer::kRim, false, 4,
                     [&](std::uint32_t lane) -> Address {
                       const auto part = part_of(lane);
                       if (!part) return std::nullopt;
                       return std::uint64_t{part->part} * sizeof(RimCell);
                     });
      },
      [&](const auto& part_of) {
        requests.add("loads a cell of the rim", Buffer::kNow, false, 1, [&](std::uint32_t lane) -> Address {
          const auto part = part_of(lane);
          if (!part) return std::nullopt;
          return byte_of(part->tile, rim[part->part]);
        });
        requests.add("stages a cell of the rim", Buffer::kShared, true, 1,
                     [&](std::uint32_t lane) -> Address {
                       const auto part = part_of(lane);
                       if (!part) return std::nullopt;
                       return first_staged(part->tile) + rim[part->part].target();
                     });
      });
}

void RowRequests::write(Requests& requests) const {
  kernel_ == LifeKernel::kCompactRows ? write_run(requests) : write_rows(requests);
}

void RowRequests::write_rows(Requests& requests) const {
  for_each_row_part([&](const auto& part_of) {
    requests.add("takes states of a row", Buffer::kShared, false, work_.chunk,
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
  const std::uint32_t end = begin + tiling_.tiles() * blocked_.block_area();
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
    add("takes states of the tiles", "writes states of the tiles", 16, [&](std::uint32_t lane) -> Address {
      const auto i = i_of(lane);
      return i && is_whole(*i) ? i : std::nullopt;
    });
    for (std::uint32_t j = 0; j < 16; ++j) {
      add("takes a state at the end", "writes a state at the end", 1, [&](std::uint32_t lane) -> Address {
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

std::uint64_t RowRequests::first_staged(std::uint32_t tile) const {
  return memory_.staged + std::uint64_t{tile} * static_cast<std::uint64_t>(staged_.bytes());
}

std::uint64_t RowRequests::in_staged(std::uint32_t tile, int x, int y) const {
  return first_staged(tile) + static_cast<std::uint64_t>(staged_.at(x, y));
}

std::uint64_t RowRequests::in_states(std::uint32_t tile, Coord32 at) const {
  const std::uint64_t first = kernel_ == LifeKernel::kCompactRows ? tiles_[0].origin % 16 : 0;
  return first + std::uint64_t{tile} * blocked_.block_area() + at.y * blocked_.rho_x + at.x;
}

/// step_staged() of compute/cuda/life/row_tiles.cuh: three columns lie in one word of four cells, or in
/// two.
void RowRequests::read_staged(Requests& requests, const WarpRound& looked) const {
  constexpr std::array kNames = {"above", "of its own row", "below"};
  for (const bool beyond : {false, true}) {
    for (const int row : {1, 0, 2}) {
      requests.add(fmt::format("reads {} {}", beyond ? "the next four" : "four cells", kNames[row]),
                   Buffer::kShared, false, 4, [&](std::uint32_t lane) -> Address {
                     const LaneWork& work = looked.lanes[lane];
                     if (!work.works()) return std::nullopt;
                     const std::uint64_t first =
                         in_staged(work.thread->tile, static_cast<int>(work.thread->at.x) - 1,
                                   static_cast<int>(work.thread->at.y) + row - 1);
                     if (beyond && first % 4 < 2) return std::nullopt;
                     return first - first % 4 + (beyond ? 4 : 0);
                   });
    }
  }
}

}  // namespace loom::app::teach
