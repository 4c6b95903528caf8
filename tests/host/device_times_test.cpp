#include <gtest/gtest.h>

#include "compute/engine/timeline.h"

namespace loom {
namespace {

TEST(DeviceTimeline, WhereADevicesTimeWent) {
  DeviceTimeline times;
  times.devices = {// The exchange ends during the interior step, which hides all but its first ten units.
                   {"a",
                    {{DeviceWork::kBoundary, 0, 20},
                     {DeviceWork::kExchange, 20, 60},
                     {DeviceWork::kInterior, 30, 80},
                     {DeviceWork::kScatter, 80, 90}}},
                   // The exchange outlasts the interior step.
                   {"b",
                    {{DeviceWork::kBoundary, 5, 10},
                     {DeviceWork::kExchange, 10, 100},
                     {DeviceWork::kInterior, 10, 40},
                     {DeviceWork::kUnpack, 100, 105}}},
                   {"c", {}}};
  const DeviceTimeBreakdown a = time_breakdown(times, 0);
  EXPECT_EQ(a.step, 80u);
  EXPECT_EQ(a.exchange, 40u);
  EXPECT_EQ(a.shown, 10u);
  EXPECT_EQ(a.wait, 15u);
  const DeviceTimeBreakdown b = time_breakdown(times, 1);
  EXPECT_EQ(b.step, 40u);
  EXPECT_EQ(b.exchange, 90u);
  EXPECT_EQ(b.shown, 60u);
  EXPECT_EQ(b.wait, 5u);
  EXPECT_EQ(time_breakdown(times, 2).wait, 105u);
  for (std::size_t i = 0; i < 3; ++i) {
    const DeviceTimeBreakdown share = time_breakdown(times, i);
    EXPECT_EQ(share.step + share.shown + share.wait, 105u);
  }
}

TEST(DeviceTimeline, AreCountedFromTheFirstBegin) {
  DeviceTimeline times;
  times.devices = {{"a", {{DeviceWork::kBoundary, 1000, 1010}}}, {"b", {{DeviceWork::kInterior, 990, 1200}}}};
  rebase_to_first_begin(times);
  EXPECT_EQ(times.devices[0].spans.front(), (DeviceWorkSpan{DeviceWork::kBoundary, 10, 20}));
  EXPECT_EQ(times.devices[1].spans.front(), (DeviceWorkSpan{DeviceWork::kInterior, 0, 210}));
}

}  // namespace
}  // namespace loom
