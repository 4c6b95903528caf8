#include "app/explain/warp_memory_access.h"

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <map>
#include <set>

#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/geometry/stored_cells.h"
#include "compute/geometry/tiled_fractal.h"
#include "configurations.h"

namespace loom::app::explain {
namespace {

MemoryRequest request_of(Buffer buffer, std::uint32_t width, std::uint64_t stride) {
  MemoryRequest request;
  request.buffer = buffer;
  request.width = width;
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) request.address[lane] = lane * stride;
  return request;
}

TEST(MemoryRequest, CountsSectorsAndBytes) {
  EXPECT_EQ(request_of(Buffer::kCurrent, 1, 1).sectors(), 1u);
  EXPECT_EQ(request_of(Buffer::kCurrent, 1, 1).bytes_requested(), 32u);
  EXPECT_EQ(request_of(Buffer::kCurrent, 4, 4).sectors(), 4u);
  EXPECT_EQ(request_of(Buffer::kCurrent, 1, 32).sectors(), 32u);
  EXPECT_EQ(request_of(Buffer::kCurrent, 8, 1).bytes_requested(), 39u) << "eight bytes per lane, overlapping";
  EXPECT_EQ(request_of(Buffer::kCurrent, 8, 1).sectors(), 2u);
  EXPECT_EQ(request_of(Buffer::kCurrent, 8, 0).sectors(), 1u);
  MemoryRequest one;
  EXPECT_EQ(one.sectors(), 0u);
  one.address[7] = 31;
  one.width = 4;
  EXPECT_EQ(one.sectors(), 2u);
  EXPECT_EQ(one.lanes(), 1u);
  WarpTraffic traffic;
  traffic.add(request_of(Buffer::kCurrent, 1, 2));
  EXPECT_EQ(traffic.cells_read.requested_fraction(), 0.5);
  EXPECT_EQ(traffic.cells_read.sectors_per_request(), 2.0);
}

TEST(MemoryRequest, CountsTurnsAtTheBanks) {
  const auto conflicts = [](std::uint32_t width, std::uint64_t stride) {
    return request_of(Buffer::kShared, width, stride).bank_conflicts();
  };
  EXPECT_EQ(conflicts(4, 4), 0u);
  EXPECT_EQ(conflicts(4, 0), 0u) << "all lanes access the same word";
  EXPECT_EQ(conflicts(1, 1), 0u) << "four lanes share a word";
  EXPECT_EQ(conflicts(4, 8), 1u);
  EXPECT_EQ(conflicts(4, 128), 31u);
  EXPECT_EQ(conflicts(4, 132), 0u);
  EXPECT_EQ(conflicts(16, 16), 0u);
  EXPECT_EQ(request_of(Buffer::kShared, 16, 16).wavefronts(), 4u);
  EXPECT_EQ(conflicts(8, 8), 0u);
  EXPECT_EQ(request_of(Buffer::kCurrent, 4, 128).wavefronts(), 0u) << "global memory has no banks";
}

std::uint64_t index_at(const ThreadSpace& space, Coord64 cell) {
  return place_of(storage_format(space.config().method), space.tiled(), cell);
}

/// The bytes of a buffer that each lane reads or writes in these requests.
std::array<std::multiset<std::uint64_t>, kWarpLanes> bytes_by_lane(const std::vector<MemoryRequest>& requests,
                                                                   Buffer buffer, bool writes) {
  std::array<std::multiset<std::uint64_t>, kWarpLanes> bytes;
  for (const MemoryRequest& request : requests) {
    if (request.buffer != buffer || request.writes != writes) continue;
    for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
      for (std::uint32_t i = 0; request.address[lane] && i < request.width; ++i) {
        bytes[lane].insert(*request.address[lane] + i);
      }
    }
  }
  return bytes;
}

/// Traces copies from one memory to the other: a lane writes the bytes that it has read, in the same order.
/// Writes without a preceding read are ignored.
void follow_copies(const std::vector<MemoryRequest>& requests, Buffer from, Buffer to,
                   std::map<std::uint64_t, std::uint64_t>& origin) {
  std::array<std::deque<std::uint64_t>, kWarpLanes> read;
  for (const MemoryRequest& request : requests) {
    for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
      if (!request.address[lane]) continue;
      for (std::uint32_t i = 0; i < request.width; ++i) {
        const std::uint64_t byte = *request.address[lane] + i;
        if (request.buffer == from && !request.writes) read[lane].push_back(byte);
        if (request.buffer != to || !request.writes) continue;
        if (read[lane].empty()) continue;
        origin[byte] = read[lane].front();
        read[lane].pop_front();
      }
    }
  }
}

/// Traces the interleaving of copied tiles: a lane reads the same piece of up to four tiles and writes words
/// that hold one cell of each tile.
void follow_fours(const std::vector<MemoryRequest>& requests, std::size_t tiles,
                  std::map<std::uint64_t, std::uint64_t>& origin) {
  std::array<std::vector<std::uint64_t>, kWarpLanes> taken;
  for (const MemoryRequest& request : requests) {
    if (request.buffer != Buffer::kShared) continue;
    for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
      if (!request.address[lane]) continue;
      if (!request.writes) {
        taken[lane].push_back(*request.address[lane]);
      } else if (!taken[lane].empty()) {
        ASSERT_EQ(taken[lane].size(), tiles);
        for (std::uint32_t i = 0; i < request.width; ++i) {
          if (i % 4 >= tiles) continue;
          const auto from = origin.find(taken[lane][i % 4] + i / 4);
          if (from != origin.end()) origin[*request.address[lane] + i] = from->second;
        }
        taken[lane].clear();
      }
    }
  }
}

bool stages(LifeKernel kernel) {
  return kernel == LifeKernel::kRows || kernel == LifeKernel::kCompactRows;
}
bool writes_rows(LifeKernel kernel) {
  return kernel == LifeKernel::kGathered || stages(kernel);
}

/// Checks a thread block: each lane reads its cell and the eight around it and writes the next state of its
/// cell.
void check_thread_block(const ThreadSpace& space, Coord64 thread_block,
                        std::multiset<std::uint64_t>& written) {
  std::vector<WarpMemoryAccess> warps;
  std::map<std::uint64_t, std::uint64_t> staged;        // byte in shared memory -> byte of a generation
  std::map<std::uint64_t, std::uint64_t> row_of_state;  // byte of a generation -> byte in shared memory
  for (std::uint32_t number = 0; number < warps_of_thread_block(space); ++number) {
    warps.push_back(warp_memory_access(space, thread_block, number));
    follow_copies(warps.back().before, Buffer::kCurrent, Buffer::kShared, staged);
    follow_copies(warps.back().after, Buffer::kShared, Buffer::kNext, row_of_state);
    for (const auto& bytes : bytes_by_lane(warps.back().after, Buffer::kNext, true)) {
      written.insert(bytes.begin(), bytes.end());
    }
  }
  for (const WarpMemoryAccess& access : warps) {
    const std::size_t rounds = access.rounds.size();
    const std::size_t fours = (rounds + 3) / 4;
    if (stages(access.kernel)) follow_fours(access.before, (rounds + fours - 1) / fours, staged);
    if (::testing::Test::HasFatalFailure()) return;
  }
  for (const WarpMemoryAccess& access : warps) {
    // A thread reads the words of four rounds at once.
    const std::size_t reading = (access.rounds.size() + 3) / 4;
    std::vector<std::array<std::multiset<std::uint64_t>, kWarpLanes>> words;
    for (std::size_t number = 0; number < access.rounds.size(); ++number) {
      const WarpRound& round = access.rounds[number];
      const auto loaded = bytes_by_lane(round.requests, Buffer::kCurrent, false);
      const auto shared = bytes_by_lane(round.requests, Buffer::kShared, false);
      if (number < reading) words.push_back(shared);
      const auto states = bytes_by_lane(round.requests, Buffer::kShared, true);
      const auto stored = bytes_by_lane(round.requests, Buffer::kNext, true);
      for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
        const LaneWork& work = round.lanes[lane];
        if (!work.works()) {
          ASSERT_TRUE(loaded[lane].empty() && shared[lane].empty() && stored[lane].empty());
          continue;
        }
        const Coord64 cell = work.thread->cell;
        const std::uint64_t own = index_at(space, cell);
        written.insert(stored[lane].begin(), stored[lane].end());
        if (writes_rows(access.kernel)) {
          ASSERT_EQ(states[lane].size(), 1u);
          ASSERT_EQ(row_of_state.at(own), *states[lane].begin());
        } else {
          ASSERT_EQ(stored[lane], (std::multiset<std::uint64_t>{own}));
        }
        std::multiset<std::uint64_t> around;
        std::multiset<std::uint64_t> cells;  // without holes
        for (int which = 0; which < 9; ++which) {
          const Coord64 beside{cell.x + static_cast<std::uint64_t>(which % 3 - 1),
                               cell.y + static_cast<std::uint64_t>(which / 3 - 1)};
          const std::uint64_t expected = index_at(space, beside);
          if (expected != kNoIndex) {
            ASSERT_EQ(work.around[which], expected);
            cells.insert(expected);
          }
          if (work.around[which]) around.insert(*work.around[which]);
        }
        switch (access.kernel) {
          case LifeKernel::kBytes:
          case LifeKernel::kCompact:
            ASSERT_EQ(loaded[lane], around);
            break;
          case LifeKernel::kWords:
          case LifeKernel::kGathered:
            for (const std::uint64_t byte : around) ASSERT_EQ(loaded[lane].count(byte), 1u);
            break;
          case LifeKernel::kRows:
          case LifeKernel::kCompactRows:
            ASSERT_EQ(shared[lane].size(), number < reading ? 36u : 0u)
                << "one reading round must load nine words for four rounds";
            std::multiset<std::uint64_t> came;
            for (const std::uint64_t byte : words[number % reading][lane]) {
              if (staged.contains(byte)) came.insert(staged.at(byte));  // else a hole or outside: 0
            }
            for (const std::uint64_t byte : cells) ASSERT_EQ(came.count(byte), 1u);
            break;
        }
      }
    }
  }
}

// All thread blocks of small launches. tensor-fp16 is exact at these levels.
TEST(WarpMemoryAccess, ReadsTheNineCellsAndWritesEveryCellOnce) {
  std::set<LifeKernel> kernels;
  for (const NbbFractal& fractal : catalog()) {
    const int level = fractal.name() == "sierpinski-gasket" ? 5 : tests::small_level(fractal);
    for (const std::uint32_t tile_size : allowed_tile_sizes(fractal, level)) {
      tests::for_each_method(fractal, level, tile_size, [&](const FractalConfig& tiled) {
        const MapArithmetic arithmetic = tiled.method.arithmetic;
        if (arithmetic == MapArithmetic::kTensorFp16 || arithmetic == MapArithmetic::kTable) return;
        for (const bool halo : {false, true}) {
          if (halo && tiled.method.map != MapKind::kCompact) continue;
          FractalConfig config = tiled;
          config.method.halo = halo;
          SCOPED_TRACE(tests::name_of_case(config));
          const ThreadSpace space(config);
          kernels.insert(life_kernel_of(space));
          std::multiset<std::uint64_t> written;
          for (std::uint64_t b = 0; b < space.launch().thread_blocks(); ++b) {
            check_thread_block(space, {b % space.launch().blocks_x, b / space.launch().blocks_x}, written);
            if (HasFatalFailure()) return;
          }
          for (std::uint64_t i = 0; i < space.tiled().cells; ++i) {
            ASSERT_EQ(written.count(index_at(space, space.cell_by_index(i))), 1u);
          }
          if (!writes_rows(life_kernel_of(space))) {
            ASSERT_EQ(written.size(), space.tiled().cells);
          }
        }
      });
    }
  }
  EXPECT_EQ(kernels.size(), 6u) << "some kernel was not tested";
}

// The bottom row of the gasket is full: there, a warp of the bounding box writes a whole sector and reads
// three rows.
TEST(WarpMemoryAccess, ShowsAFullRowOfTheBoundingBox) {
  const ThreadSpace space({.fractal = find_fractal("sierpinski-gasket"),
                           .level = 6,
                           .tile_size = 32,
                           .method = {.map = MapKind::kBoundingBox, .tiles = 1}});
  const ThreadRef ref{{0, 1}, 31 * 32};
  const WarpMemoryAccess access = warp_memory_access(space, ref);
  EXPECT_EQ(access.number, 31u);
  ASSERT_EQ(access.rounds.size(), 1u);
  const MemoryRequest& write = access.rounds[0].requests.back();
  EXPECT_EQ(write.name, "writes its next state");
  EXPECT_EQ(write.lanes(), 32u);
  EXPECT_EQ(write.sectors(), 1u);
  EXPECT_EQ(write.bytes_requested(), 32u);
  EXPECT_EQ(write.address[0], 63u * 64u);
  const WarpTraffic traffic = access.traffic();
  EXPECT_EQ(traffic.cells_written, (GlobalTraffic{1, 1, 32}));
  // All lanes lie on the lower border, so each makes five loads for its neighbours, and one for its cell.
  EXPECT_EQ(traffic.cells_read.requests, 6u);
}

TEST(WarpMemoryAccess, SumsALaunchOrASampleOfIt) {
  const FractalConfig config{.fractal = find_fractal("vicsek"), .level = 3, .tile_size = 3};
  const ThreadSpace space(config);
  WarpTraffic sum;
  std::uint64_t warps = 0;
  for (std::uint64_t b = 0; b < space.launch().thread_blocks(); ++b) {
    for (std::uint32_t number = 0; number < warps_of_thread_block(space); ++number, ++warps) {
      sum += warp_memory_access(space, {b % space.launch().blocks_x, b / space.launch().blocks_x}, number)
                 .traffic();
    }
  }
  const LaunchTraffic all = launch_traffic(space, 1000);
  EXPECT_TRUE(all.exact);
  EXPECT_EQ(all.warps, warps);
  EXPECT_EQ(all.sum, sum);
  EXPECT_EQ(all.sum.cells_written.bytes_requested, 125u);
  const ThreadSpace large({.fractal = find_fractal("vicsek"), .level = 20, .tile_size = 9});
  const LaunchTraffic sample = launch_traffic(large, 10);
  EXPECT_FALSE(sample.exact);
  EXPECT_EQ(sample.warps, 10u);
  EXPECT_EQ(sample.sum, launch_traffic(large, 10).sum);
}

TEST(WarpMemoryAccess, RefusesWhatIsNotThere) {
  const NbbFractal& gasket = find_fractal("sierpinski-gasket");
  const ThreadSpace space({.fractal = gasket, .level = 4, .tile_size = 4, .method = {.tiles = 1}});
  EXPECT_THROW(warp_memory_access(space, {3, 0}, 0), InputError);
  EXPECT_THROW(warp_memory_access(space, {0, 0}, 1), InputError);
  const ThreadSpace huge({.fractal = gasket, .level = 40, .tile_size = 1});
  EXPECT_THROW(warp_memory_access(huge, {0, 0}, 0), InputError);
}

// Levels with 64-bit indices must not be enumerated. For slow machines, the limit is ten times that of the
// window.
TEST(WarpMemoryAccess, TakesNoTimeAtLargeLevels) {
  for (const MapKind map : kMapKinds) {
    for (const std::uint32_t tile_size : {1u, 32u}) {
      FractalConfig config{.fractal = find_fractal("sierpinski-gasket"), .level = 30, .tile_size = tile_size};
      config.method = {.map = map, .arithmetic = MapArithmetic::kTable, .intra_block = IntraBlock::kLookup};
      const ThreadSpace space(config);
      const ThreadRef ref{{space.shape().tiles_x / 3, space.shape().tiles_y / 3}, 0};
      const auto start = std::chrono::steady_clock::now();
      const WarpMemoryAccess access = warp_memory_access(space, ref);
      const double milliseconds =
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
      EXPECT_FALSE(access.rounds.empty());
      EXPECT_LT(milliseconds, 160) << name_of(map) << " tile size " << tile_size;
      RecordProperty(std::string(name_of(map)) + std::to_string(tile_size), std::to_string(milliseconds));
    }
  }
}

}  // namespace
}  // namespace loom::app::explain
