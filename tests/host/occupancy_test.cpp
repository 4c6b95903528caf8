#include "compute/engine/occupancy.h"

#include <gtest/gtest.h>

#include <set>

#include "compute/core/error.h"
#include "compute/engine/timeline.h"

namespace loom {
namespace {

/// Compute capability 9.0 (CUDA C++ Programming Guide): 2048 threads, 32 blocks, 64 Ki registers, 228 KiB of
/// shared memory, 1 KiB of it reserved for each thread block.
constexpr ProcessorResources kHopper{
    .threads = 2048, .blocks = 32, .registers = 65536, .shared_bytes = 233472, .reserved_bytes = 1024};

TEST(Occupancy, IsLimitedByWhatRunsOutFirst) {
  const Occupancy threads = occupancy_limits({.threads = 1024, .registers = 32, .shared_bytes = 0}, kHopper);
  EXPECT_EQ(threads.blocks, 2u);
  EXPECT_EQ(limited_by(threads), "threads and registers");
  EXPECT_EQ(threads.share(), 1.0);

  const Occupancy small = occupancy_limits({.threads = 32, .registers = 16, .shared_bytes = 0}, kHopper);
  EXPECT_EQ(small.blocks, 32u);
  EXPECT_EQ(limited_by(small), "block slots");
  EXPECT_EQ(small.share(), 0.5);

  const Occupancy registers = occupancy_limits({.threads = 256, .registers = 64, .shared_bytes = 0}, kHopper);
  EXPECT_EQ(registers.blocks, 4u);
  EXPECT_EQ(limited_by(registers), "registers");

  const Occupancy shared =
      occupancy_limits({.threads = 256, .registers = 32, .shared_bytes = 48 * 1024}, kHopper);
  EXPECT_EQ(shared.by_shared_memory, 4u);
  EXPECT_EQ(shared.blocks, 4u);
  EXPECT_EQ(limited_by(shared), "shared memory");
}

// 33 registers per thread are allocated as 40, so 1280 per warp; each quarter of the register file holds 12
// such warps.
TEST(Occupancy, CountsRegistersInUnitsOfWarpsAndQuarters) {
  const Occupancy odd = occupancy_limits({.threads = 32, .registers = 33, .shared_bytes = 0}, kHopper);
  EXPECT_EQ(odd.by_registers, 48u);
  const Occupancy partial = occupancy_limits({.threads = 33, .registers = 32, .shared_bytes = 0}, kHopper);
  EXPECT_EQ(partial.by_threads, 32u);  // 33 threads are two warps
}

TEST(Occupancy, SaysWhereTheCalculatorKnowsMore) {
  Occupancy odd = occupancy_limits({.threads = 1024, .registers = 32, .shared_bytes = 0}, kHopper);
  odd.blocks = 1;
  EXPECT_EQ(limited_by(odd), "other");
}

TEST(SpanWindow, HoldsTheFirstAndTheLast) {
  const SpanWindow all(5, 5);
  EXPECT_EQ(all.size(), 5u);
  EXPECT_EQ(all.left_out(), 0u);
  const SpanWindow some(100, 7);
  EXPECT_EQ(some.size(), 7u);
  EXPECT_EQ(some.left_out(), 93u);
  std::set<std::uint64_t> slots;
  std::set<std::uint64_t> held;
  for (std::uint64_t piece = 0; piece < 100; ++piece) {
    if (!some.holds(piece)) continue;
    held.insert(piece);
    slots.insert(some.slot(piece));
  }
  EXPECT_EQ(held, (std::set<std::uint64_t>{0, 1, 2, 3, 97, 98, 99}));
  EXPECT_EQ(slots, (std::set<std::uint64_t>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(OrderSpans, CarriesParentsAlongAndBeginsAtZero) {
  Timeline timeline;
  timeline.workers.assign(1, {.spans = 3, .busy = 60, .first_begin = 100, .last_end = 190});
  timeline.spans = {{.begin = 150, .end = 190, .parent = 2},
                    {.begin = 120, .end = 130, .parent = 9},
                    {.begin = 100, .end = 110}};
  order_spans(timeline);
  ASSERT_EQ(timeline.spans.size(), 3u);
  EXPECT_EQ(timeline.spans[0].begin, 0u);
  EXPECT_EQ(timeline.spans[0].parent, kNoParent);
  EXPECT_EQ(timeline.spans[1].begin, 20u);
  EXPECT_EQ(timeline.spans[1].parent, kNoParent);  // its parent span was not recorded
  EXPECT_EQ(timeline.spans[2].end, 90u);
  EXPECT_EQ(timeline.spans[2].parent, 0u);
  EXPECT_EQ(timeline.workers[0].last_end, 90u);
}

TEST(TimelineOptions, IsRefusedOutOfRange) {
  EXPECT_THROW(validate(TimelineOptions{.rule = {}, .max_spans = 1}), InputError);
  EXPECT_THROW(validate(TimelineOptions{.rule = {}, .max_spans = kNoParent}), InputError);
  EXPECT_NO_THROW(validate(TimelineOptions{}));
}

TEST(TimelineClock, ThatStandsStillIsSaid) {
  EXPECT_NO_THROW(require_clock("%globaltimer", 32));
  try {
    require_clock("%globaltimer", 0);
    FAIL() << "no exception was thrown";
  } catch (const MachineError& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("(%globaltimer) does not advance"), std::string::npos) << said;
    EXPECT_NE(said.find("allowed: --backend cpu"), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace loom
