#include "compute/backend/device_list.h"

#include <gtest/gtest.h>

#include "compute/core/error.h"

namespace loom {
namespace {

using Numbers = std::vector<int>;

TEST(DeviceList, NamesDevicesInTheOrderOfTheParts) {
  EXPECT_EQ(read_device_numbers("all", {0, 1, 3}), (Numbers{0, 1, 3}));
  EXPECT_EQ(read_device_numbers("1", {0, 1, 3}), Numbers{1});
  EXPECT_EQ(read_device_numbers("3,0", {0, 1, 3}), (Numbers{3, 0}));
}

TEST(DeviceList, SaysWhatIsAllowed) {
  for (const char* const text : {"", ",", "0,", "0, 1", "x", "-1", "0;1", "99999999999", "0,0", "2", "All"}) {
    try {
      read_device_numbers(text, {0, 1});
      FAIL() << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("all, or a list of 0, 1"), std::string::npos) << error.what();
    }
  }
}

TEST(DeviceList, TheOneCpuCanBeTakenForParts) {
  const auto parts = read_devices("3", BackendChoice::kCpu);
  ASSERT_EQ(parts.size(), 3u);
  for (int part = 0; part < 3; ++part) {
    EXPECT_EQ(parts[static_cast<std::size_t>(part)].kind, BackendKind::kCpu);
    EXPECT_EQ(parts[static_cast<std::size_t>(part)].device, part);
  }
  for (const char* const text : {"0", "9", "0,1", "all", "", "2x", "-1"})
    EXPECT_THROW(read_devices(text, BackendChoice::kCpu), InputError) << text;
}

TEST(DeviceList, OthersComeAfterTheFirst) {
  CudaStatus cuda;
  for (const int ordinal : {0, 1, 2}) cuda.devices.push_back({.ordinal = ordinal, .name = "a GPU"});
  const BackendSelection second{BackendKind::kCuda, 1, "selected"};
  EXPECT_EQ(devices_from(second, cuda, {}), (Numbers{1, 0, 2}));
  EXPECT_EQ(devices_from(second, cuda, {1, 2}), (Numbers{1, 2}));
  const BackendSelection cpu{BackendKind::kCpu, 0, "selected"};
  EXPECT_EQ(devices_from(cpu, cuda, {1, 2}).size(), static_cast<std::size_t>(kMaxCpuPartitions));

  const std::vector<int> devices{1, 0, 2};
  EXPECT_EQ(distribute_over(second, devices, 1).others, Numbers{});
  EXPECT_EQ(distribute_over(second, devices, 0).others, Numbers{});
  EXPECT_EQ(distribute_over(second, devices, 2).others, Numbers{0});
  EXPECT_EQ(distribute_over(second, devices, 3).others, (Numbers{0, 2}));
  EXPECT_EQ(distribute_over(second, devices, 9).devices(), 3u);
  EXPECT_EQ(distribute_over(second, {1}, 2).devices(), 1u);
  EXPECT_EQ(distribute_over(second, devices, 2).device, 1);
}

}  // namespace
}  // namespace loom
