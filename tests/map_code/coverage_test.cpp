#include <gtest/gtest.h>

#include "compute/core/error.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/geometry/transforms.h"
#include "map_code/run_for_test.h"

namespace loom::test {
namespace {

TEST(MapCoverage, BoundingBoxAndLambdaAreExactOnEveryFractal) {
  for (const NbbFractal& fractal : catalog()) {
    for (int level = 1; level <= 3; ++level) {
      for (const char* const code : {kBoundingBox, kLambda}) {
        const MapResult result = run_map(fractal, {.code = code, .level = level});
        ASSERT_EQ(result.outcome, MapOutcome::kRan)
            << fractal.name() << (result.problems.empty() ? "" : to_string(result.problems.front()));
        EXPECT_TRUE(result.coverage.is_exact()) << fractal.name() << " level " << level;
        EXPECT_EQ(result.coverage.cells, fractal.cells(level));
        EXPECT_EQ(result.coverage.active, fractal.cells(level));
      }
    }
  }
}

TEST(MapCoverage, TheSquareHasTheCellsOfTheDefinition) {
  for (const NbbFractal& fractal : catalog()) {
    const NbbTransform<std::uint32_t> transform(fractal.shape());
    for (int level = 0; level <= 4; ++level) {
      const std::vector<std::uint8_t> cells = cells_of_square(fractal.shape(), level);
      const auto width = static_cast<std::uint32_t>(fractal.width(level));
      ASSERT_EQ(cells.size(), width * fractal.height(level));
      for (std::uint32_t i = 0; i < cells.size(); ++i)
        ASSERT_EQ(cells[i] != 0, is_member(transform, level, {i % width, i / width})) << fractal.name() << i;
    }
  }
}

// is_cell() is a table unless the map is measured.
TEST(MapCoverage, IsCellIsTheSameInEveryRun) {
  const char* const code = R"(
__host__ Launch launch(Fractal f) { return grid2d(f.width + 4, f.height + 4, 1, 1); }
__device__ Cell cell_of_thread(Fractal f) {
  int x = (int)blockIdx.x - 2;
  int y = (int)blockIdx.y - 2;
  return is_cell(x, y) ? cell(x, y) : none();
}
)";
  for (const NbbFractal& fractal : catalog()) {
    for (const MapStorage measure : {MapStorage::kNone, MapStorage::kExpanded}) {
      const MapResult result = run_map(fractal, {.code = code, .level = 3, .measure = measure});
      ASSERT_EQ(result.outcome, MapOutcome::kRan) << fractal.name();
      EXPECT_TRUE(result.coverage.is_exact()) << fractal.name();
    }
  }
}

// Lane by lane over the warps of the launch: a lane works if a thread of the thread block is there and
// returns a cell. The gasket has all points with x & (y ^ 15) = 0 at level 4.
TEST(MapCoverage, IdleLanesIncludeThoseThatFillUpTheLastWarp) {
  for (const int block : {1, 27, 31, 32, 33, 243}) {
    const std::string code = "__host__ Launch launch(Fractal f) { return grid1d((256 + " +
                             std::to_string(block) + " - 1) / " + std::to_string(block) + ", " +
                             std::to_string(block) + R"(); }
__device__ Cell cell_of_thread(Fractal f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  return i < 256 && is_cell(i % 16, i / 16) ? cell(i % 16, i / 16) : none();
})";
    const MapResult result = run_on_gasket(code);
    ASSERT_EQ(result.outcome, MapOutcome::kRan);
    int lanes = 0;
    int idle = 0;
    for (int first = 0; first < 256; first += block) {
      for (int warp = 0; warp < block; warp += 32) {
        for (int lane = warp; lane < warp + 32; ++lane) {
          const int i = first + lane;
          const bool is_thread = lane < block && i < 256;
          ++lanes;
          idle += is_thread && ((i % 16) & (i / 16 ^ 15)) == 0 ? 0 : 1;
        }
      }
    }
    EXPECT_EQ(result.coverage.lanes(), static_cast<std::uint64_t>(lanes)) << block;
    EXPECT_DOUBLE_EQ(result.coverage.idle_lanes(), static_cast<double>(idle) / lanes) << block;
  }
  // All 27 threads of each thread block work; 5 of its 32 lanes have no thread.
  const MapResult full = run_on_gasket(R"(
__host__ Launch launch(Fractal f) { return grid1d(f.cells / 27, 27); }
__device__ Cell cell_of_thread(Fractal f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = 0, y = 0, side = 1;
  for (int level = 0; level < f.level; ++level, i /= 3, side *= 2) {
    x += offset_x(i % 3) * side;
    y += offset_y(i % 3) * side;
  }
  return cell(x, y);
})");
  ASSERT_EQ(full.outcome, MapOutcome::kRan);
  EXPECT_EQ(full.coverage.utilization(), 1);
  EXPECT_DOUBLE_EQ(full.coverage.idle_lanes(), 5.0 / 32);
}

TEST(MapCoverage, LargeLaunchesComeInOrder) {
  const NbbFractal& carpet = find_fractal("sierpinski-carpet");
  const MapResult result = run_map(carpet, {.code = kBoundingBox, .level = 6, .keep_points = true});
  ASSERT_EQ(result.outcome, MapOutcome::kRan);
  EXPECT_TRUE(result.coverage.is_exact());
  ASSERT_EQ(result.points.size(), result.launch.threads());
  ASSERT_EQ(result.threads.size(), result.launch.threads());
  for (std::uint64_t i = 0; i < result.points.size(); ++i) {
    const MapThread thread = thread_of(result.launch, i);
    const MapPoint point{static_cast<std::int32_t>(8 * thread.block_x + thread.thread_x),
                         static_cast<std::int32_t>(8 * thread.block_y + thread.thread_y)};
    ASSERT_TRUE(result.points[i].is_none()
                    ? result.threads[i] == ThreadState::kNone
                    : result.points[i] == point && result.threads[i] == ThreadState::kActive)
        << i;
  }
}

TEST(MapCoverage, CountsEachKindOfThread) {
  // Threads 0 to 31: a cell, the same cell, a hole, a point outside, then none.
  const MapResult result = run_on_gasket(map_with(R"(
    int i = threadIdx.x;
    if (i == 0 || i == 1) return cell(0, 0);
    if (i == 2) return cell(15, 0);
    if (i == 3) return cell(-1, 5);
    if (i == 4) return cell(0, 16);
    return none();)"));
  ASSERT_EQ(result.outcome, MapOutcome::kRan);
  const MapCoverage& coverage = result.coverage;
  EXPECT_EQ(coverage.threads, 32u);
  EXPECT_EQ(coverage.active, 2u);
  EXPECT_EQ(coverage.on_holes, 1u);
  EXPECT_EQ(coverage.outside, 2u);
  EXPECT_EQ(coverage.none, 27u);
  EXPECT_EQ(coverage.once, 0u);
  EXPECT_EQ(coverage.repeated, 1u);
  EXPECT_EQ(coverage.missed, 80u);
  EXPECT_EQ(coverage.sectors, 1u);
  EXPECT_EQ(coverage.lanes(), 32u);
  EXPECT_DOUBLE_EQ(coverage.idle_lanes(), 30.0 / 32);
  EXPECT_FALSE(coverage.is_exact());
  ASSERT_TRUE(result.wrong);
  EXPECT_EQ(result.wrong->kind, WrongThread::Kind::kRepeated);
  EXPECT_EQ(result.wrong->thread, (MapThread{0, 0, 1, 0}));
  ASSERT_TRUE(result.first_missed);
  EXPECT_EQ(*result.first_missed, (MapPoint{0, 1}));
  ASSERT_EQ(result.points.size(), 32u);
  EXPECT_EQ(result.points[2], (MapPoint{15, 0}));
  EXPECT_TRUE(result.points[5].is_none());
  EXPECT_EQ(result.hits[0], 2);
  const std::vector<ThreadState> states = {ThreadState::kActive,  ThreadState::kRepeated, ThreadState::kHole,
                                           ThreadState::kOutside, ThreadState::kOutside,  ThreadState::kNone};
  EXPECT_EQ(std::vector(result.threads.begin(), result.threads.begin() + 6), states);
}

TEST(MapCoverage, AWarpDownAColumnNeedsASectorPerThread) {
  const auto code = [](const char* x, const char* y) {
    return std::string(
               "__host__ Launch launch(Fractal f) { return grid1d(1, 32); }\n"
               "__device__ Cell cell_of_thread(Fractal f) { return cell(") +
           x + ", " + y + "); }\n";
  };
  // The left column and the bottom row of the gasket have cells only. At level 6 a row has two sectors.
  const MapResult column = run_on_gasket(code("0", "threadIdx.x"), 6);
  const MapResult row = run_on_gasket(code("threadIdx.x", "63"), 6);
  ASSERT_EQ(column.coverage.active, 32u);
  ASSERT_EQ(row.coverage.active, 32u);
  EXPECT_EQ(column.coverage.sectors, 32u);
  EXPECT_EQ(row.coverage.sectors, 1u);
}

TEST(MapCoverage, ThreadsAreInTheOrderOfCuda) {
  const MapLaunch launch{3, 2, 4, 2};
  EXPECT_EQ(thread_of(launch, 0), (MapThread{0, 0, 0, 0}));
  EXPECT_EQ(thread_of(launch, 5), (MapThread{0, 0, 1, 1}));
  EXPECT_EQ(thread_of(launch, 8 * 4 + 3), (MapThread{1, 1, 3, 0}));
}

TEST(MapCoverage, TimeIsMeasuredOnlyForExactMaps) {
  const NbbFractal& gasket = find_fractal("sierpinski-gasket");
  const MapResult exact = run_map(gasket, {.code = kLambda, .level = 6, .measure = MapStorage::kExpanded});
  EXPECT_TRUE(exact.single_write_milliseconds);
  const MapResult wrong =
      run_map(gasket, {.code = map_with("return none();"), .level = 6, .measure = MapStorage::kExpanded});
  EXPECT_EQ(wrong.outcome, MapOutcome::kRan);
  EXPECT_FALSE(wrong.single_write_milliseconds);
}

TEST(MapCoverage, LevelsThatAreTooLargeAreRejected) {
  EXPECT_THROW(run_on_gasket(kLambda, 14), InputError);
  EXPECT_THROW(run_on_gasket(kLambda, 1000), InputError);
  EXPECT_THROW(run_on_gasket(kLambda, -1), InputError);
}

}  // namespace
}  // namespace loom::test
