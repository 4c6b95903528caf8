#include "app/explain/warp_memory_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "compute/core/integer_math.h"
#include "compute/geometry/storage.h"

namespace loom::app::explain {
namespace {

constexpr std::uint32_t kWordBytes = 8;  ///< bytes per load of LifeKernel::kWords

/// Computes the memory accesses of one warp of a launch.
class AccessBuilder {
 public:
  AccessBuilder(const AccessBuilder&) = delete;
  AccessBuilder& operator=(const AccessBuilder&) = delete;
  AccessBuilder(const ThreadSpace& space, Coord64 thread_block, std::uint32_t number)
      : space_(space),
        tiled_(space.tiled()),
        kernel_(life_kernel_of(space)),
        thread_block_(thread_block),
        warp_{space, number},
        tiles_(tiles_of(space, thread_block)),
        rows_(warp_, kernel_, tiles_) {}

  WarpMemoryAccess look() const {
    WarpMemoryAccess access{.kernel = kernel_,
                            .thread_block = thread_block_,
                            .number = warp_.number,
                            .before = {},
                            .rounds = {},
                            .after = {}};
    const Tiling& tiling = space_.launch().tiling;
    Requests before;
    if (gathers()) rows_.begin(before);
    look_up_positions(before);
    if (works_on_rows()) rows_.stage(before);
    access.before = before.take();
    for (std::uint32_t round = 0; round * tiling.parallel < tiling.tiles(); ++round) {
      access.rounds.push_back(look_at(round));
    }
    Requests after;
    if (gathers()) rows_.write(after);
    access.after = after.take();
    return access;
  }

 private:
  bool works_on_rows() const { return kernel_ == LifeKernel::kRows || kernel_ == LifeKernel::kCompactRows; }
  /// Whether the kernel gathers next states in shared memory before it writes them.
  bool gathers() const { return works_on_rows() || kernel_ == LifeKernel::kGathered; }

  void look_up_positions(Requests& requests) const {
    const MapMethod& method = space_.config().method;
    if (method.map == MapKind::kBoundingBox || method.intra_block != IntraBlock::kLookup) return;
    // Padding threads of a warp also look up a position, except if matrix products compute the cells.
    const bool fill = method.arithmetic != MapArithmetic::kTensor3;
    requests.add(
        "looks up its position in the tile", Buffer::kPositionTable, false, 4,
        [&](std::uint32_t lane) -> Address {
          if (!warp_.is_launched(lane) || (!fill && warp_.slot(lane) >= space_.launch().tiling.parallel))
            return std::nullopt;
          return std::uint64_t{warp_.thread(lane)} * 4;
        });
  }

  WarpRound look_at(std::uint32_t round) const {
    WarpRound looked;
    const auto places = space_.locations_of(space_.warp_at(thread_block_, warp_.number, round));
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
        rows_.read_staged(requests, looked);
        break;
    }
    requests.add(gathers() ? "stores its next state in shared memory" : "writes its next state",
                 gathers() ? Buffer::kShared : Buffer::kNext, true, 1, [&](std::uint32_t lane) -> Address {
                   const LaneWork& work = looked.lanes[lane];
                   if (!work.works()) return std::nullopt;
                   return gathers() ? rows_.in_states(work.thread->tile, work.thread->at)
                                    : work.thread->address;
                 });
    looked.requests = requests.take();
    return looked;
  }

  /// The byte of a point in the neighbourhood of a thread's cell, if the storage has one.
  Address byte_beside(const ThreadLocation& thread, int dx, int dy) const {
    if (layout_of(space_.config().method.map) == StorageLayout::kExpanded) {
      const Coord64 point{thread.cell.x + static_cast<std::uint64_t>(dx),
                          thread.cell.y + static_cast<std::uint64_t>(dy)};  // wraps around below 0
      if (point.x >= tiled_.width || point.y >= tiled_.height) return std::nullopt;
      return ExpandedStorage<std::uint64_t>(tiled_).offset_of(point);
    }
    const int rho_x = static_cast<int>(tiled_.rho_x);
    const int rho_y = static_cast<int>(tiled_.rho_y);
    const int x = static_cast<int>(thread.at.x) + dx;
    const int y = static_cast<int>(thread.at.y) + dy;
    const int column = x < 0 ? 0 : (x < rho_x ? 1 : 2);
    const int row = y < 0 ? 0 : (y < rho_y ? 1 : 2);
    const std::uint64_t base = tiles_[thread.tile].neighbours.base[row * 3 + column];
    if (base == kNoIndex) return std::nullopt;
    return base + static_cast<std::uint32_t>((y - (row - 1) * rho_y) * rho_x + x - (column - 1) * rho_x);
  }

  /// One byte load per cell of the neighbourhood by the lanes that `takes_part` selects; the own cell first.
  template <typename TakesPart>
  void read_all(Requests& requests, const WarpRound& looked, const TakesPart& takes_part) const {
    for (const int which : {4, 0, 1, 2, 3, 5, 6, 7, 8}) {
      requests.add(fmt::format("reads the cell {}", kNeighbourNames[which]), Buffer::kCurrent, false, 1,
                   [&](std::uint32_t lane) {
                     return takes_part(lane) ? looked.lanes[lane].around[which] : std::nullopt;
                   });
    }
  }

  /// count_on_expanded(): cells at the border of the square and inner cells take different branches.
  void read_bytes(Requests& requests, const WarpRound& looked) const {
    const auto is_inner = [&](std::uint32_t lane) {
      const auto& around = looked.lanes[lane].around;
      return std::all_of(around.begin(), around.end(), [](const Address& at) { return at.has_value(); });
    };
    requests.add("reads the cell itself", Buffer::kCurrent, false, 1,
                 [&](std::uint32_t lane) { return looked.lanes[lane].around[4]; });
    for (const bool inner : {true, false}) {
      for (const int which : {0, 1, 2, 3, 5, 6, 7, 8}) {
        requests.add(
            fmt::format("reads the cell {}{}", kNeighbourNames[which], inner ? "" : ", at the border"),
            Buffer::kCurrent, false, 1, [&](std::uint32_t lane) {
              return is_inner(lane) == inner ? looked.lanes[lane].around[which] : std::nullopt;
            });
      }
    }
  }

  /// read_words() of compute/cuda/life/life_expanded.cuh.
  void read_words(Requests& requests, const WarpRound& looked) const {
    constexpr std::array kRows = {1, 0, 2};  // rows of the neighbourhood, the own row first
    constexpr std::array kNames = {"above", "of its row", "below"};
    for (const int row : kRows) {
      requests.add(fmt::format("reads eight cells {}", kNames[row]), Buffer::kCurrent, false, kWordBytes,
                   [&](std::uint32_t lane) -> Address {
                     const Address middle = looked.lanes[lane].around[row * 3 + 1];
                     if (!middle) return std::nullopt;
                     return *middle - looked.lanes[lane].thread->cell.x % kWordBytes;
                   });
    }
    for (const int row : kRows) {
      requests.add(fmt::format("reads the cell {} beyond the eight", kNames[row]), Buffer::kCurrent, false, 1,
                   [&](std::uint32_t lane) -> Address {
                     if (!looked.lanes[lane].works()) return std::nullopt;
                     const std::uint64_t byte = looked.lanes[lane].thread->cell.x % kWordBytes;
                     if (byte == 0) return looked.lanes[lane].around[row * 3];
                     if (byte == kWordBytes - 1) return looked.lanes[lane].around[row * 3 + 2];
                     return std::nullopt;
                   });
    }
  }

  const ThreadSpace& space_;
  const TiledFractal& tiled_;
  LifeKernel kernel_;
  Coord64 thread_block_;
  LaunchWarp warp_;
  std::vector<PlacedTile> tiles_;
  RowRequests rows_;  ///< declared last, because it refers to the members above
};

}  // namespace

LifeKernel life_kernel_of(const ThreadSpace& space) {
  return life_kernel_of(space.config().method, space.tiled());
}

std::string_view kernel_name(LifeKernel kernel) {
  return value_for<LifeKernel::kCompactRows>(
      {"life_expanded_kernel", "life_expanded_kernel", "life_expanded_gathered_kernel",
       "life_expanded_rows_kernel", "life_compact_kernel", "life_compact_rows_kernel"},
      kernel);
}

LifeKernel life_kernel_of(const MapMethod& method, const TiledFractal& fractal) {
  if (method.map == MapKind::kCompact) return method.halo ? LifeKernel::kCompactRows : LifeKernel::kCompact;
  if (method.map == MapKind::kBoundingBox) return LifeKernel::kBytes;
  if (method.arithmetic != MapArithmetic::kTensor3) {
    switch (expanded_kernel(fractal)) {
      case ExpandedKernel::kStaged:
        return LifeKernel::kRows;
      case ExpandedKernel::kGathered:
        return LifeKernel::kGathered;
      case ExpandedKernel::kCells:
        break;
    }
  }
  return fractal.width % kWordBytes == 0 ? LifeKernel::kWords : LifeKernel::kBytes;
}

WarpTraffic WarpMemoryAccess::traffic() const {
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

WarpMemoryAccess warp_memory_access(const ThreadSpace& space, Coord64 thread_block, std::uint32_t number) {
  const GpuLaunch& launch = space.launch();
  if (thread_block.x >= launch.blocks_x || thread_block.y >= launch.blocks_y ||
      number >= warps_of_thread_block(space)) {
    throw InputError(
        fmt::format("there is no warp {} of thread block ({}, {}); allowed: 0 to {} of (0, 0) to ({}, {})",
                    number, thread_block.x, thread_block.y, warps_of_thread_block(space) - 1,
                    launch.blocks_x - 1, launch.blocks_y - 1));
  }
  if (!space.bytes()) throw InputError("addresses of a generation exceed 64 bits");
  return AccessBuilder(space, thread_block, number).look();
}

WarpMemoryAccess warp_memory_access(const ThreadSpace& space, const ThreadRef& ref) {
  const Warp warp = space.warp_of(ref);
  return warp_memory_access(space, warp.thread_block, warp.number);
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
    traffic.sum += warp_memory_access(space, thread_block, number).traffic();
  }
  return traffic;
}

std::string unmodelled_accesses(const MapMethod& method) {
  if (method.map == MapKind::kBoundingBox || method.arithmetic == MapArithmetic::kLoop) return "nothing";
  switch (method.arithmetic) {
    case MapArithmetic::kTable:
      return "the table of digits of several levels, which gives tile positions";
    case MapArithmetic::kShuffle:
      return "the powers of each level, which the lanes read to compute tile positions";
    default:
      return "the matrices and powers for tile positions on tensor cores";
  }
}

namespace {

constexpr std::uint32_t kBanks = 32;
constexpr std::uint32_t kBankBytes = 4;

/// The number of distinct units of `size` bytes that the lanes access.
std::uint32_t distinct_units(const MemoryRequest& request, std::uint32_t size) {
  std::array<std::uint64_t, kWarpLanes> begins;
  std::size_t lanes = 0;
  for (const auto& address : request.address) {
    if (address) begins[lanes++] = *address;
  }
  std::sort(begins.begin(), begins.begin() + static_cast<std::ptrdiff_t>(lanes));
  std::uint64_t count = 0;
  std::uint64_t next = 0;  // first unit that is not counted yet
  for (std::size_t i = 0; i < lanes; ++i) {
    const std::uint64_t end = (begins[i] + request.width - 1) / size + 1;
    const std::uint64_t begin = std::max(begins[i] / size, next);
    if (begin < end) count += end - begin;
    next = std::max(next, end);
  }
  return static_cast<std::uint32_t>(count);
}

/// Number of lanes that shared memory serves together.
std::uint32_t group_size(const MemoryRequest& request) {
  return request.width <= kBankBytes ? kWarpLanes : kWarpLanes * kBankBytes / request.width;
}

/// The largest number of distinct words that the lanes of a group access in one bank; 0 without active lanes.
std::uint32_t group_wavefronts(const MemoryRequest& request, std::uint32_t first, std::uint32_t size) {
  std::array<std::vector<std::uint64_t>, kBanks> words;
  for (std::uint32_t lane = first; lane < first + size; ++lane) {
    if (!request.address[lane]) continue;
    const std::uint64_t begin = *request.address[lane];
    for (std::uint64_t word = begin / kBankBytes; word <= (begin + request.width - 1) / kBankBytes; ++word) {
      auto& of_bank = words[word % kBanks];
      if (std::find(of_bank.begin(), of_bank.end(), word) == of_bank.end()) of_bank.push_back(word);
    }
  }
  std::size_t most = 0;
  for (const auto& of_bank : words) most = std::max(most, of_bank.size());
  return static_cast<std::uint32_t>(most);
}

}  // namespace

std::uint32_t MemoryRequest::lanes() const {
  return static_cast<std::uint32_t>(
      std::count_if(address.begin(), address.end(), [](const auto& at) { return at.has_value(); }));
}

std::uint32_t MemoryRequest::bytes_requested() const {
  return distinct_units(*this, 1);
}

std::uint32_t MemoryRequest::sectors() const {
  return distinct_units(*this, kSectorBytes);
}

std::uint32_t MemoryRequest::wavefronts() const {
  if (buffer != Buffer::kShared) return 0;
  const std::uint32_t size = group_size(*this);
  std::uint32_t sum = 0;
  for (std::uint32_t first = 0; first < kWarpLanes; first += size)
    sum += group_wavefronts(*this, first, size);
  return sum;
}

std::uint32_t MemoryRequest::bank_conflicts() const {
  if (buffer != Buffer::kShared) return 0;
  const std::uint32_t size = group_size(*this);
  std::uint32_t groups = 0;
  for (std::uint32_t first = 0; first < kWarpLanes; first += size) {
    groups += group_wavefronts(*this, first, size) > 0;
  }
  return wavefronts() - groups;
}

double GlobalTraffic::sectors_per_request() const {
  return requests == 0 ? 0.0 : static_cast<double>(sectors) / static_cast<double>(requests);
}

double GlobalTraffic::requested_fraction() const {
  return sectors == 0 ? 0.0 : static_cast<double>(bytes_requested) / static_cast<double>(bytes_moved());
}

GlobalTraffic& GlobalTraffic::operator+=(const GlobalTraffic& other) {
  requests += other.requests;
  sectors += other.sectors;
  bytes_requested += other.bytes_requested;
  return *this;
}

SharedTraffic& SharedTraffic::operator+=(const SharedTraffic& other) {
  requests += other.requests;
  wavefronts += other.wavefronts;
  bank_conflicts += other.bank_conflicts;
  return *this;
}

void WarpTraffic::add(const MemoryRequest& request) {
  if (request.buffer == Buffer::kShared) {
    shared += {1, request.wavefronts(), request.bank_conflicts()};
    return;
  }
  GlobalTraffic& sum = request.writes                       ? cells_written
                       : request.buffer == Buffer::kCurrent ? cells_read
                                                            : tables_read;
  sum += {1, request.sectors(), request.bytes_requested()};
}

WarpTraffic& WarpTraffic::operator+=(const WarpTraffic& other) {
  cells_read += other.cells_read;
  cells_written += other.cells_written;
  tables_read += other.tables_read;
  shared += other.shared;
  return *this;
}

}  // namespace loom::app::explain
