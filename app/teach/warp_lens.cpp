#include "app/teach/warp_lens.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <type_traits>

#include "app/teach/width.h"
#include "compute/core/error.h"
#include "compute/core/integer_math.h"
#include "compute/geometry/storage.h"
#include "compute/map/dispatch.h"
#include "compute/map/row_work.h"
#include "compute/map/staged_tile.h"
#include "compute/workload/life_neighbours.h"

namespace loom::app::teach {
namespace {

constexpr std::array kAround = {"above left", "above",      "above right", "left",       "itself",
                                "right",      "below left", "below",       "below right"};
constexpr std::uint32_t kWordBytes = 8;  ///< of the loads of LifeKernel::kWords

/// A tile of the thread block.
struct Tile {
  bool there = false;            ///< in the grid, and placed in the square
  std::uint64_t origin = 0;      ///< the byte of its corner
  Coord64 corner;                ///< its expanded coordinate
  BlockNeighbours neighbours{};  ///< of compact storage
};

/// Where a map's tile and, on compact storage, its neighbours begin.
template <typename Map, typename Storage>
Tile find_tile(const Map& map, const Storage& storage, Coord64 block64) {
  using Int = typename Map::Index;
  const auto block = narrowed<Int>(block64);
  const Coord<Int> place = map.place(block);
  Tile tile;
  std::fill(std::begin(tile.neighbours.base), std::end(tile.neighbours.base), kNoIndex);
  tile.there = has_place(map, place);
  tile.origin = storage.block_origin(block, place);
  tile.corner = widened(cell_in_block(map.blocked, place, {0, 0}));
  if (!tile.there) return tile;
  if constexpr (std::is_same_v<Storage, BlockedCompactStorage<Int>>) {
    for (std::uint32_t which = 0; which < 9; ++which) {
      tile.neighbours.base[which] =
          which == 4 ? tile.origin : neighbour_base(storage, map.arithmetic, place, which);
    }
  }
  return tile;
}

/// The tiles of a thread block, found as the kernels find them.
std::vector<Tile> tiles_of(const ThreadSpace& space, Coord64 thread_block) {
  const Tiling& tiling = space.launch().tiling;
  std::vector<Tile> tiles(tiling.tiles());
  with_kernel_map(space.config().method, space.blocked(), space.tables().view(),
                  [&](const auto& map, const auto& storage) {
                    for (std::uint32_t i = 0; i < tiling.tiles(); ++i) {
                      const Coord64 block{thread_block.x * tiling.x + i % tiling.x,
                                          thread_block.y * tiling.y + i / tiling.x};
                      if (block.x >= space.shape().blocks_x || block.y >= space.shape().blocks_y) continue;
                      tiles[i] = find_tile(map, storage, block);
                    }
                  });
  return tiles;
}

/// A list of requests that leaves out those without lanes.
class Requests {
 public:
  /// `address_of(lane)` is an optional address.
  template <typename AddressOf>
  void add(std::string name, Buffer buffer, bool writes, std::uint32_t width, const AddressOf& address_of) {
    MemoryRequest request{
        .name = std::move(name), .buffer = buffer, .writes = writes, .width = width, .address = {}};
    for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) request.address[lane] = address_of(lane);
    if (request.lanes() > 0) list_.push_back(std::move(request));
  }
  std::vector<MemoryRequest> take() { return std::move(list_); }

 private:
  std::vector<MemoryRequest> list_;
};

using Address = std::optional<std::uint64_t>;

/// One warp of a kernel's launch.
class Lens {
 public:
  Lens(const ThreadSpace& space, Coord64 thread_block, std::uint32_t number)
      : space_(space),
        blocked_(space.blocked()),
        tiling_(space.launch().tiling),
        kernel_(life_kernel_of(space)),
        thread_block_(thread_block),
        number_(number),
        staged_{static_cast<int>(blocked_.rho_x), static_cast<int>(blocked_.rho_y)},
        pitch_(space.config().method.map == MapKind::kCompact ? blocked_.rho_x : blocked_.width),
        work_(row_work(blocked_, pitch_, static_cast<std::uint32_t>(space.tables().rim().size()),
                       space.launch().threads)),
        memory_(row_memory(blocked_, tiling_.tiles(),
                           kernel_ == LifeKernel::kCompactRows
                               ? tiling_.tiles() * static_cast<std::uint32_t>(sizeof(BlockNeighbours))
                               : 0)),
        tiles_(tiles_of(space, thread_block)) {}

  WarpLens look() const {
    WarpLens lens{.kernel = kernel_,
                  .thread_block = thread_block_,
                  .number = number_,
                  .before = {},
                  .rounds = {},
                  .after = {}};
    Requests before;
    if (works_on_rows()) clear(before, memory_.bytes);
    if (kernel_ == LifeKernel::kGathered) clear(before, tiling_.tiles() * blocked_.block_area());
    look_up_positions(before);
    if (works_on_rows()) {
      stage_rows(before);
      stage_rims(before);
    }
    lens.before = before.take();
    for (std::uint32_t round = 0; round * tiling_.parallel < tiling_.tiles(); ++round) {
      lens.rounds.push_back(look_at(round));
    }
    Requests after;
    if (kernel_ == LifeKernel::kRows || kernel_ == LifeKernel::kGathered) write_rows(after);
    if (kernel_ == LifeKernel::kCompactRows) write_run(after);
    lens.after = after.take();
    return lens;
  }

 private:
  std::uint32_t rank(std::uint32_t lane) const { return number_ * kWarpLanes + lane; }
  /// Whether CUDA starts the thread: a thread block's last warp may be cut short.
  bool is_launched(std::uint32_t lane) const { return rank(lane) < space_.launch().threads; }
  std::uint32_t slot(std::uint32_t lane) const { return rank(lane) / space_.threads_of_block(); }
  std::uint32_t thread(std::uint32_t lane) const { return rank(lane) % space_.threads_of_block(); }
  bool works_on_rows() const { return kernel_ == LifeKernel::kRows || kernel_ == LifeKernel::kCompactRows; }

  /// A loop of all threads of the thread block over `end` bytes, `step` each: calls `use(i_of)` for each turn
  /// of this warp, i_of(lane) the byte or nothing.
  template <typename Use>
  void for_each_turn(std::uint32_t end, std::uint32_t step, const Use& use) const {
    const std::uint32_t stride = space_.launch().threads * step;
    for (std::uint32_t first = 0; first < end; first += stride) {
      use([=, this](std::uint32_t lane) -> std::optional<std::uint32_t> {
        const std::uint32_t i = first + rank(lane) * step;
        if (!is_launched(lane) || i >= end) return std::nullopt;
        return i;
      });
    }
  }

  /// for_each_part() of compute/cuda/life/row_tiles.cuh: calls `prepare(part_of)` where lanes take parts, and
  /// then `work(part_of)` for each tile; part_of(lane) is the lane's part, with the tile for `work`, or
  /// nothing.
  struct PartOfTile : TileParts::Part {
    std::uint32_t tile = 0;
  };
  template <typename Prepare, typename Work>
  void for_each_part(const TileParts& parts, const Prepare& prepare, const Work& work) const {
    const std::uint32_t threads = space_.launch().threads;
    const std::uint32_t of_tile = parts.of_tile.value();
    const std::uint32_t at_once = parts.at_once;
    for (std::uint32_t begin = 0; begin < of_tile; begin += threads) {
      const auto part_of = [&](std::uint32_t lane) -> std::optional<PartOfTile> {
        const std::uint32_t first = at_once > 1 ? rank(lane) / of_tile : 0;
        const std::uint32_t number = at_once > 1 ? rank(lane) % of_tile : begin + rank(lane);
        if (!is_launched(lane) || first >= at_once || number >= of_tile) return std::nullopt;
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

  void look_up_positions(Requests& requests) const {
    const MapMethod& method = space_.config().method;
    if (method.map == MapKind::kBoundingBox || method.intra_block != IntraBlock::kLookup) return;
    // Threads that fill up a warp look up a position too, but not where products give cells.
    const bool fill = method.arithmetic != MapArithmetic::kTensor3;
    requests.add("looks up its position in the block", Buffer::kBlockCells, false, 4,
                 [&](std::uint32_t lane) -> Address {
                   if (!is_launched(lane) || (!fill && slot(lane) >= tiling_.parallel)) return std::nullopt;
                   return std::uint64_t{thread(lane)} * 4;
                 });
  }

  void clear(Requests& requests, std::uint32_t bytes) const {
    for_each_turn(bytes, 16, [&](const auto& i_of) {
      requests.add("clears the tiles", Buffer::kShared, true, 16, i_of);
    });
  }

  void stage_rows(Requests& requests) const {
    for_each_part(
        work_.rows, [](const auto&) {},
        [&](const auto& part_of) {
          const auto there = [&](std::uint32_t lane) {
            const auto part = part_of(lane);
            return part && tiles_[part->tile].there ? part : std::nullopt;
          };
          requests.add("loads cells of a row", Buffer::kNow, false, work_.chunk,
                       [&](std::uint32_t lane) -> Address {
                         const auto part = there(lane);
                         if (!part) return std::nullopt;
                         return tiles_[part->tile].origin + part->row * pitch_ + part->part * work_.chunk;
                       });
          const std::uint32_t width = std::min(4u, work_.chunk);
          for (std::uint32_t i = 0; i < work_.chunk; i += width) {
            requests.add("stages cells of a row", Buffer::kShared, true, width,
                         [&](std::uint32_t lane) -> Address {
                           const auto part = there(lane);
                           if (!part) return std::nullopt;
                           return in_staged(part->tile, static_cast<int>(part->part * work_.chunk + i),
                                            static_cast<int>(part->row));
                         });
          }
        });
  }

  /// The byte of a rim's cell in the generation that is read; nothing where there is no cell.
  Address byte_of(std::uint32_t tile, const RimCell& cell) const {
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

  void stage_rims(Requests& requests) const {
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
                         return memory_.staged +
                                std::uint64_t{part->tile} * static_cast<std::uint64_t>(staged_.bytes()) +
                                rim[part->part].target();
                       });
        });
  }

  void write_rows(Requests& requests) const {
    for_each_part(
        work_.rows, [](const auto&) {},
        [&](const auto& part_of) {
          const auto there = [&](std::uint32_t lane) {
            const auto part = part_of(lane);
            return part && tiles_[part->tile].there ? part : std::nullopt;
          };
          requests.add("takes states of a row", Buffer::kShared, false, work_.chunk,
                       [&](std::uint32_t lane) -> Address {
                         const auto part = there(lane);
                         if (!part) return std::nullopt;
                         return in_states(part->tile, {part->part * work_.chunk, part->row});
                       });
          requests.add("writes states of a row", Buffer::kNext, true, work_.chunk,
                       [&](std::uint32_t lane) -> Address {
                         const auto part = there(lane);
                         if (!part) return std::nullopt;
                         return tiles_[part->tile].origin + part->row * pitch_ + part->part * work_.chunk;
                       });
        });
  }

  void write_run(Requests& requests) const {
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

  std::uint64_t in_staged(std::uint32_t tile, int x, int y) const {
    return memory_.staged + std::uint64_t{tile} * static_cast<std::uint64_t>(staged_.bytes()) +
           static_cast<std::uint64_t>(staged_.at(x, y));
  }
  /// The byte of a position's next state in shared memory.
  std::uint64_t in_states(std::uint32_t tile, Coord32 at) const {
    const std::uint64_t first = kernel_ == LifeKernel::kCompactRows ? tiles_[0].origin % 16 : 0;
    return first + std::uint64_t{tile} * blocked_.block_area() + at.y * blocked_.rho_x + at.x;
  }

  WarpRound look_at(std::uint32_t round) const {
    WarpRound looked;
    const auto places = space_.places_of(space_.warp_at(thread_block_, number_, round));
    for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
      LaneWork& work = looked.lanes[lane];
      work.thread = places[lane];
      if (!work.works()) continue;
      for (int which = 0; which < 9; ++which) {
        work.around[which] = byte_beside(*work.thread, which % 3 - 1, which / 3 - 1);
      }
    }
    Requests requests;
    switch (kernel_) {
      case LifeKernel::kBytes:
        read_bytes(requests, looked);
        break;
      case LifeKernel::kWords:
      case LifeKernel::kGathered:
        read_words(requests, looked);
        break;
      case LifeKernel::kCompact:
        read_all(requests, looked, [](std::uint32_t) { return true; });
        break;
      case LifeKernel::kRows:
      case LifeKernel::kCompactRows:
        read_staged(requests, looked);
        break;
    }
    const bool gathers = works_on_rows() || kernel_ == LifeKernel::kGathered;
    requests.add(gathers ? "puts its next state among the states" : "writes its next state",
                 gathers ? Buffer::kShared : Buffer::kNext, true, 1, [&](std::uint32_t lane) -> Address {
                   const LaneWork& work = looked.lanes[lane];
                   if (!work.works()) return std::nullopt;
                   return gathers ? in_states(work.thread->tile, work.thread->at) : work.thread->address;
                 });
    looked.requests = requests.take();
    return looked;
  }

  /// The byte of the point beside a thread's cell, if the storage has one.
  Address byte_beside(const ThreadPlace& thread, int dx, int dy) const {
    if (layout_of(space_.config().method.map) == StorageLayout::kExpanded) {
      const Coord64 point{thread.cell.x + static_cast<std::uint64_t>(dx),
                          thread.cell.y + static_cast<std::uint64_t>(dy)};  // past 0 it wraps around
      if (point.x >= blocked_.width || point.y >= blocked_.height) return std::nullopt;
      return ExpandedStorage<std::uint64_t>(blocked_).offset_of(point);
    }
    const int rho_x = static_cast<int>(blocked_.rho_x);
    const int rho_y = static_cast<int>(blocked_.rho_y);
    const int x = static_cast<int>(thread.at.x) + dx;
    const int y = static_cast<int>(thread.at.y) + dy;
    const int column = x < 0 ? 0 : (x < rho_x ? 1 : 2);
    const int row = y < 0 ? 0 : (y < rho_y ? 1 : 2);
    const std::uint64_t base = tiles_[thread.tile].neighbours.base[row * 3 + column];
    if (base == kNoIndex) return std::nullopt;
    return base + static_cast<std::uint32_t>((y - (row - 1) * rho_y) * rho_x + x - (column - 1) * rho_x);
  }

  /// A load of a byte for each of the nine that there is, by the lanes that `takes_part`; the own one first.
  template <typename TakesPart>
  void read_all(Requests& requests, const WarpRound& looked, const TakesPart& takes_part) const {
    for (const int which : {4, 0, 1, 2, 3, 5, 6, 7, 8}) {
      requests.add(fmt::format("reads the cell {}", kAround[which]), Buffer::kNow, false, 1,
                   [&](std::uint32_t lane) {
                     return takes_part(lane) ? looked.lanes[lane].around[which] : std::nullopt;
                   });
    }
  }

  /// count_on_expanded(): cells away from the square's border take one branch, the others another.
  void read_bytes(Requests& requests, const WarpRound& looked) const {
    const auto is_inner = [&](std::uint32_t lane) {
      const auto& around = looked.lanes[lane].around;
      return std::all_of(around.begin(), around.end(), [](const Address& at) { return at.has_value(); });
    };
    requests.add("reads the cell itself", Buffer::kNow, false, 1,
                 [&](std::uint32_t lane) { return looked.lanes[lane].around[4]; });
    for (const bool inner : {true, false}) {
      for (const int which : {0, 1, 2, 3, 5, 6, 7, 8}) {
        requests.add(fmt::format("reads the cell {}{}", kAround[which], inner ? "" : ", at the border"),
                     Buffer::kNow, false, 1, [&](std::uint32_t lane) {
                       return is_inner(lane) == inner ? looked.lanes[lane].around[which] : std::nullopt;
                     });
      }
    }
  }

  /// read_words() of compute/cuda/life/life_expanded.cu.
  void read_words(Requests& requests, const WarpRound& looked) const {
    constexpr std::array kRows = {1, 0, 2};  // of the nine: the own row first
    constexpr std::array kNames = {"above", "of its own row", "below"};
    for (const int row : kRows) {
      requests.add(fmt::format("reads eight cells {}", kNames[row]), Buffer::kNow, false, kWordBytes,
                   [&](std::uint32_t lane) -> Address {
                     const Address middle = looked.lanes[lane].around[row * 3 + 1];
                     if (!middle) return std::nullopt;
                     return *middle - looked.lanes[lane].thread->cell.x % kWordBytes;
                   });
    }
    for (const int row : kRows) {
      requests.add(fmt::format("reads the cell {} beyond the eight", kNames[row]), Buffer::kNow, false, 1,
                   [&](std::uint32_t lane) -> Address {
                     if (!looked.lanes[lane].works()) return std::nullopt;
                     const std::uint64_t byte = looked.lanes[lane].thread->cell.x % kWordBytes;
                     if (byte == 0) return looked.lanes[lane].around[row * 3];
                     if (byte == kWordBytes - 1) return looked.lanes[lane].around[row * 3 + 2];
                     return std::nullopt;
                   });
    }
  }

  /// step_staged() of compute/cuda/life/row_tiles.cuh: three columns lie in one word of four cells, or in
  /// two.
  void read_staged(Requests& requests, const WarpRound& looked) const {
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

  const ThreadSpace& space_;
  const BlockedFractal& blocked_;
  const Tiling& tiling_;
  LifeKernel kernel_;
  Coord64 thread_block_;
  std::uint32_t number_;
  StagedTile staged_;
  std::uint64_t pitch_;  ///< from a row of a tile to the next in memory
  RowWork work_;
  RowMemory memory_;
  std::vector<Tile> tiles_;
};

}  // namespace

LifeKernel life_kernel_of(const ThreadSpace& space) {
  const MapMethod& method = space.config().method;
  if (method.map == MapKind::kCompact) return method.halo ? LifeKernel::kCompactRows : LifeKernel::kCompact;
  if (method.map == MapKind::kBoundingBox) return LifeKernel::kBytes;
  if (method.arithmetic != MapArithmetic::kTensor3) {
    switch (life_form(space.blocked())) {
      case ExpandedForm::kStaged:
        return LifeKernel::kRows;
      case ExpandedForm::kGathered:
        return LifeKernel::kGathered;
      case ExpandedForm::kCells:
        break;
    }
  }
  return space.blocked().width % kWordBytes == 0 ? LifeKernel::kWords : LifeKernel::kBytes;
}

WarpTraffic WarpLens::traffic() const {
  WarpTraffic sum;
  for (const MemoryRequest& request : before) sum.add(request);
  for (const WarpRound& round : rounds) {
    for (const MemoryRequest& request : round.requests) sum.add(request);
  }
  for (const MemoryRequest& request : after) sum.add(request);
  return sum;
}

std::uint32_t warps_of_thread_block(const ThreadSpace& space) {
  return ceil_divide(space.launch().threads, kWarpLanes);
}

WarpLens warp_lens(const ThreadSpace& space, Coord64 thread_block, std::uint32_t number) {
  const GpuLaunch& launch = space.launch();
  if (thread_block.x >= launch.blocks_x || thread_block.y >= launch.blocks_y ||
      number >= warps_of_thread_block(space)) {
    throw InputError(
        fmt::format("there is no warp {} of thread block ({}, {}); allowed: 0 to {} of (0, 0) to ({}, {})",
                    number, thread_block.x, thread_block.y, warps_of_thread_block(space) - 1,
                    launch.blocks_x - 1, launch.blocks_y - 1));
  }
  if (!space.bytes()) throw InputError("a generation has more bytes than 64 bits can number");
  return Lens(space, thread_block, number).look();
}

WarpLens warp_lens(const ThreadSpace& space, const ThreadRef& ref) {
  const Warp warp = space.warp_of(ref);
  return warp_lens(space, warp.thread_block, warp.number);
}

LaunchTraffic launch_traffic(const ThreadSpace& space, std::uint64_t most) {
  const GpuLaunch& launch = space.launch();
  const std::uint32_t warps = warps_of_thread_block(space);
  const std::uint64_t all = saturating_multiply(saturating_multiply(launch.blocks_x, launch.blocks_y), warps);
  LaunchTraffic traffic{.sum = {}, .warps = std::min(all, most), .exact = all <= most};
  for (std::uint64_t i = 0; i < traffic.warps; ++i) {
    const auto drawn = [&](std::uint64_t salt) { return splitmix64(4 * i + salt); };
    const Coord64 thread_block = traffic.exact
                                     ? Coord64{i / warps % launch.blocks_x, i / warps / launch.blocks_x}
                                     : Coord64{drawn(0) % launch.blocks_x, drawn(1) % launch.blocks_y};
    const auto number = static_cast<std::uint32_t>((traffic.exact ? i : drawn(2)) % warps);
    traffic.sum += warp_lens(space, thread_block, number).traffic();
  }
  return traffic;
}

std::string left_out_of_the_lens(const MapMethod& method) {
  if (method.map == MapKind::kBoundingBox || method.arithmetic == MapArithmetic::kLoop) return "nothing";
  switch (method.arithmetic) {
    case MapArithmetic::kTable:
      return "the table of several levels' digits, which places of tiles are looked up in";
    case MapArithmetic::kShuffle:
      return "the powers of each level, which the lanes of a warp read to place tiles";
    default:
      return "the matrices and powers that tensor cores place tiles by";
  }
}

}  // namespace loom::app::teach
