#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/explain/thread_space.h"
#include "compute/map/staging.h"

namespace loom::app::explain {

/// The buffer that a request accesses. Addresses are offsets from its start, which is aligned to 128 bytes.
enum class Buffer {
  kCurrent,        ///< the generation that is read
  kNext,           ///< the generation that is written
  kPositionTable,  ///< the table of the intra-block mapping `lookup`
  kHaloList,       ///< list of the halo cells of a tile
  kShared,         ///< staged cells or states of the thread block
};

/// One load or store instruction of a warp.
struct MemoryRequest {
  std::string name;  ///< its purpose: "reads the cell above"
  Buffer buffer = Buffer::kCurrent;
  bool writes = false;
  std::uint32_t width = 1;  ///< bytes that each lane reads or writes at its address: 1, 4, 8 or 16
  /// Byte offset per lane; empty if the lane does not take part.
  std::array<std::optional<std::uint64_t>, kWarpLanes> address;

  std::uint32_t lanes() const;
  /// Number of distinct bytes that the lanes access.
  std::uint32_t bytes_requested() const;
  /// Number of distinct 32-byte sectors: the unit of transfer of the caches.
  std::uint32_t sectors() const;
  /// Number of passes over the 32 banks of shared memory, each 4 bytes wide. Lanes that access different
  /// words of one bank need separate passes. Accesses of 8 bytes are split into two groups of 16 lanes, of 16
  /// bytes into four groups of 8. 0 for global memory.
  std::uint32_t wavefronts() const;
  /// Wavefronts beyond one for each group of active lanes.
  std::uint32_t bank_conflicts() const;
};

/// Sums over requests to global memory.
struct GlobalTraffic {
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;
  std::uint64_t bytes_requested = 0;
  std::uint64_t bytes_moved() const { return sectors * kSectorBytes; }
  double sectors_per_request() const;  ///< 0 without requests
  double requested_fraction() const;   ///< bytes requested over bytes moved; 0 without requests
  GlobalTraffic& operator+=(const GlobalTraffic& other);
  friend bool operator==(const GlobalTraffic&, const GlobalTraffic&) = default;
};
/// Sums over requests to shared memory.
struct SharedTraffic {
  std::uint64_t requests = 0;
  std::uint64_t wavefronts = 0;
  std::uint64_t bank_conflicts = 0;
  SharedTraffic& operator+=(const SharedTraffic& other);
  friend bool operator==(const SharedTraffic&, const SharedTraffic&) = default;
};
struct WarpTraffic {
  GlobalTraffic cells_read;
  GlobalTraffic cells_written;
  GlobalTraffic tables_read;
  SharedTraffic shared;
  void add(const MemoryRequest& request);
  WarpTraffic& operator+=(const WarpTraffic& other);
  friend bool operator==(const WarpTraffic&, const WarpTraffic&) = default;
};

// Memory accesses of a warp in one generation of life on a GPU: the requests of the kernels of
// compute/cuda/life, computed from map and storage, without a device. Excluded: accesses that compute
// positions of tiles and neighbours (powers and tables of the arithmetics, matrices, and values shared in
// shared memory), kernel parameters, and, with plain FP16 weights on the compact map, tiles outside the
// square. A compiler may still merge requests: a request whose lanes take different branches counts once per
// branch. tests/explain/profiled_traffic_test.cpp compares requests and sectors of whole launches with a
// profiler on an H200; they are equal.

/// The kernel that runs life under a method (step_life_expanded, step_life_compact).
enum class LifeKernel {
  kBytes,        ///< expanded: nine loads of a byte, a byte written
  kWords,        ///< expanded, rows of whole words: three loads of eight bytes, a byte written
  kGathered,     ///< as kWords, but states are gathered in shared memory and written in rows
  kRows,         ///< expanded: tiles and their halos are staged in shared memory and written in rows
  kCompact,      ///< compact: nine byte loads, possibly in other tiles, one byte store
  kCompactRows,  ///< compact with halo: as kRows, tiles written in memory order
};
LifeKernel life_kernel_of(const MapMethod& method, const TiledFractal& fractal);
LifeKernel life_kernel_of(const ThreadSpace& space);
/// Its name in compute/cuda/life: "life_compact_kernel".
std::string_view kernel_name(LifeKernel kernel);

/// The work of a lane in one round.
struct LaneWork {
  std::optional<ThreadLocation> thread;  ///< empty: padding of the warp, or a tile outside the grid
  bool works() const { return thread && thread->has_cell; }
  /// Byte offsets of the 3 x 3 neighbourhood of its cell, at [(dy + 1) * 3 + dx + 1], including holes that
  /// have a byte. Empty if there is no byte, and for an idle lane.
  std::array<std::optional<std::uint64_t>, 9> around;
};

/// One round of a warp: each of its threads processes one of its tiles.
struct WarpRound {
  std::array<LaneWork, kWarpLanes> lanes;
  std::vector<MemoryRequest> requests;  ///< in the order of the kernel; only requests with active lanes
};

struct WarpMemoryAccess {
  LifeKernel kernel = LifeKernel::kBytes;
  Coord64 thread_block;
  std::uint32_t number = 0;           ///< index of the warp in its thread block
  std::vector<MemoryRequest> before;  ///< the warp's share of position look-up and staging
  std::vector<WarpRound> rounds;
  std::vector<MemoryRequest> after;  ///< rows written from shared memory
  WarpTraffic traffic() const;
};

/// Warps per thread block.
std::uint32_t warps_of_thread_block(const ThreadSpace& space);

/// Throws InputError for a warp that the launch does not have, and if byte offsets of the storage exceed 64
/// bits.
WarpMemoryAccess warp_memory_access(const ThreadSpace& space, Coord64 thread_block, std::uint32_t number);
/// The memory accesses of the warp of a thread.
WarpMemoryAccess warp_memory_access(const ThreadSpace& space, const ThreadRef& ref);

/// Sums over the warps of a launch, or over a sample of them.
struct LaunchTraffic {
  WarpTraffic sum;
  std::uint64_t warps = 0;  ///< number of warps in the sum
  bool exact = false;       ///< the sum covers all warps of the launch
};
/// All warps if the launch has at most `most`; otherwise `most` random warps, the same each time. About 100
/// microseconds per warp. Throws InputError like warp_memory_access().
LaunchTraffic launch_traffic(const ThreadSpace& space, std::uint64_t most);

/// The global memory accesses of a method's kernel that warp_memory_access() excludes, in words: "nothing",
/// "the matrices and powers for tile positions on tensor cores".
std::string unmodelled_accesses(const MapMethod& method);

// Parts from which warp_memory_access() composes its requests.

/// Names of the nine cells of a neighbourhood, row by row.
inline constexpr std::array kNeighbourNames = {
    "above left", "above", "above right", "left", "itself", "right", "below left", "below", "below right"};

/// The byte offset that a lane accesses; empty if the lane does not take part.
using Address = std::optional<std::uint64_t>;

/// A list of requests with at least one active lane.
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

/// The lanes of a warp of a launch, by the index of the warp in its thread block.
struct LaunchWarp {
  const ThreadSpace& space;
  std::uint32_t number = 0;
  std::uint32_t rank(std::uint32_t lane) const { return number * kWarpLanes + lane; }
  /// True if CUDA launches the thread; the last warp of a thread block may be partial.
  bool is_launched(std::uint32_t lane) const { return rank(lane) < space.launch().threads; }
  std::uint32_t slot(std::uint32_t lane) const { return rank(lane) / space.threads_per_tile(); }
  std::uint32_t thread(std::uint32_t lane) const { return rank(lane) % space.threads_per_tile(); }
};

/// Memory requests of a warp for all tiles of its thread block: staging in shared memory, reading neighbours
/// there, and writing next states row by row, as the kernels of compute/cuda/life/row_tiles.cuh and
/// staged_tiles.cuh do.
class RowRequests {
 public:
  /// The arguments must outlive this object.
  RowRequests(const LaunchWarp& warp, LifeKernel kernel, std::span<const PlacedTile> tiles);

  /// Requests before the rounds: shared memory is cleared, and a contiguous run of tiles is copied to it.
  void begin(Requests& requests) const;
  /// Requests that stage rows and halos of tiles, for kernels that stage tiles.
  void stage(Requests& requests) const;
  /// The words of four tiles around the cell of each lane. Adds nothing in a round whose tiles are in words
  /// that an earlier round has read.
  void read_staged(Requests& requests, const WarpRound& looked) const;
  /// Byte offset of the next state of a position in shared memory.
  std::uint64_t in_states(std::uint32_t tile, Coord32 at) const;
  /// Requests after the rounds: next states are written from shared memory.
  void write(Requests& requests) const;

 private:
  struct PartOfTile : TileParts::Part {
    std::uint32_t tile = 0;  ///< the tile, or the first of a group of four
  };
  template <typename Use>
  void for_each_turn(std::uint32_t end, std::uint32_t step, const Use& use) const;
  template <typename Prepare, typename Work>
  void for_each_part(const TileParts& parts, std::uint32_t tiles, const Prepare& prepare,
                     const Work& work) const;
  template <typename Use>
  void for_each_chunk(const Use& use) const;
  void copy_rows(Requests& requests) const;
  void copy_run(Requests& requests) const;
  void stage_halos(Requests& requests) const;
  void stage_states(Requests& requests) const;
  void write_rows(Requests& requests) const;
  void write_run(Requests& requests) const;
  Address byte_of(std::uint32_t tile, const HaloCell& cell) const;
  std::uint64_t in_staged(std::uint32_t four, std::uint32_t cell) const;
  std::uint64_t in_memory(const PartOfTile& part) const;

  const LaunchWarp& warp_;
  const ThreadSpace& space_;
  const TiledFractal& tiled_;
  const Tiling& tiling_;
  LifeKernel kernel_;
  std::span<const PlacedTile> tiles_;
  std::uint64_t pitch_;  ///< bytes from a row of a tile to the next row
  RowWork work_;
  Staging staging_;
};

}  // namespace loom::app::explain
