#include "compute/device/device.h"

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
    EXPECT_EQ(parts[static_cast<std::size_t>(part)].ordinal, part);
  }
  for (const char* const text : {"0", "9", "0,1", "all", "", "2x", "-1"})
    EXPECT_THROW(read_devices(text, BackendChoice::kCpu), InputError) << text;
}

Numbers ordinals_of(const std::vector<Device>& devices) {
  Numbers ordinals;
  for (const Device& device : devices) ordinals.push_back(device.ordinal);
  return ordinals;
}

TEST(DeviceList, OthersComeAfterTheFirst) {
  CudaStatus cuda;
  for (const int ordinal : {0, 1, 2}) cuda.devices.push_back(cuda_device(ordinal, "a GPU"));
  const BackendSelection second{cuda_device(1), "selected"};
  const std::vector<Device> devices = devices_from(second.device, cuda, {});
  EXPECT_EQ(ordinals_of(devices), (Numbers{1, 0, 2}));
  EXPECT_EQ(devices.back().name, "a GPU");
  EXPECT_EQ(ordinals_of(devices_from(second.device, cuda, {1, 2})), (Numbers{1, 2}));
  EXPECT_EQ(devices_from({}, cuda, {1, 2}).size(), static_cast<std::size_t>(kMaxCpuPartitions));

  const auto others_of = [&](std::size_t count) {
    return ordinals_of(distribute_over(second, devices, count).others);
  };
  EXPECT_EQ(others_of(1), Numbers{});
  EXPECT_EQ(others_of(0), Numbers{});
  EXPECT_EQ(others_of(2), Numbers{0});
  EXPECT_EQ(others_of(3), (Numbers{0, 2}));
  EXPECT_EQ(distribute_over(second, devices, 9).devices(), 3u);
  EXPECT_EQ(distribute_over(second, {cuda_device(1)}, 2).devices(), 1u);
  EXPECT_EQ(distribute_over(second, devices, 2).device.ordinal, 1);
  EXPECT_EQ(ordinals_of(each_device(distribute_over(second, devices, 3))), (Numbers{1, 0, 2}));
}

TEST(Device, TheCpuIsOnTheHostAndHasNoWarps) {
  const Device cpu;
  EXPECT_TRUE(cpu.on_host);
  EXPECT_FALSE(cpu.warps || cpu.tensor_cores || cpu.works_ahead || cpu.dynamic_parallelism);
  EXPECT_EQ(cpu.interop_ordinal(), -1);
  const Device gpu = cuda_device(2, "a GPU");
  EXPECT_FALSE(gpu.on_host);
  EXPECT_TRUE(gpu.warps && gpu.tensor_cores && gpu.works_ahead && gpu.dynamic_parallelism);
  EXPECT_EQ(gpu.interop_ordinal(), 2);
  EXPECT_EQ(gpu.simulated_devices, 0);
  EXPECT_EQ(gpu, cuda_device(2)) << "properties do not matter";
  EXPECT_NE(gpu, cpu);
}

}  // namespace
}  // namespace loom
