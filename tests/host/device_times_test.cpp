#include "compute/engine/device_times.h"

#include <gtest/gtest.h>

namespace loom {
namespace {

using Work = DeviceWork;

TEST(DeviceTimes, WhereADevicesTimeWent) {
  DeviceTimes times;
  times.devices = {
      // Its exchange ends within the inside: all of it but the first ten is hidden.
      {"a",
       {{Work::kRim, 0, 20}, {Work::kExchange, 20, 60}, {Work::kInside, 30, 80}, {Work::kPlace, 80, 90}}},
      // Its exchange outlasts the inside.
      {"b",
       {{Work::kRim, 5, 10}, {Work::kExchange, 10, 100}, {Work::kInside, 10, 40}, {Work::kTake, 100, 105}}},
      {"c", {}}};
  const DeviceShare a = share_of(times, 0);
  EXPECT_EQ(a.step, 80u);
  EXPECT_EQ(a.exchange, 40u);
  EXPECT_EQ(a.shown, 10u);
  EXPECT_EQ(a.wait, 15u);
  const DeviceShare b = share_of(times, 1);
  EXPECT_EQ(b.step, 40u);
  EXPECT_EQ(b.exchange, 90u);
  EXPECT_EQ(b.shown, 60u);
  EXPECT_EQ(b.wait, 5u);
  EXPECT_EQ(share_of(times, 2).wait, 105u);
  for (std::size_t i = 0; i < 3; ++i) {
    const DeviceShare share = share_of(times, i);
    EXPECT_EQ(share.step + share.shown + share.wait, 105u);
  }
}

TEST(DeviceTimes, AreCountedFromTheFirstBegin) {
  DeviceTimes times;
  times.devices = {{"a", {{Work::kRim, 1000, 1010}}}, {"b", {{Work::kInside, 990, 1200}}}};
  count_from_first(times);
  EXPECT_EQ(times.devices[0].spans.front(), (DevicePiece{Work::kRim, 10, 20}));
  EXPECT_EQ(times.devices[1].spans.front(), (DevicePiece{Work::kInside, 0, 210}));
}

}  // namespace
}  // namespace loom
