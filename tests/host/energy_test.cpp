#include "compute/device/energy.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "../temporary_folder.h"

namespace loom {
namespace {

/// Linux's powercap with two packages and zones that must not be counted.
class RaplTest : public tests::FolderTest {
 protected:
  RaplTest() {
    add_zone("intel-rapl:0", "package-0");
    add_zone("intel-rapl:0:0", "core");
    add_zone("intel-rapl:1", "package-1");
    add_zone("intel-rapl:2", "psys");
    add_zone("intel-rapl-mmio:0", "package-0");
    std::filesystem::create_directory(folder_ / "intel-rapl");
  }
  void add_zone(const std::string& zone, const std::string& name) const {
    std::filesystem::create_directory(folder_ / zone);
    write(zone + "/name", name + "\n");
    write(zone + "/max_energy_range_uj", "1000000\n");
    count(zone, 0);
  }
  void count(const std::string& zone, std::uint64_t microjoules) const {
    write(zone + "/energy_uj", std::to_string(microjoules) + "\n");
  }
  EnergyMeter meter() const {
    return EnergyMeter({Device{}}, {.rapl = folder_, .window_seconds = kWindow, .idle_seconds = 0.03});
  }
  static void wait() { std::this_thread::sleep_for(std::chrono::duration<double>(2 * kWindow)); }

  static constexpr double kWindow = 0.002;
};

TEST_F(RaplTest, SumsPackagesAndNothingElse) {
  EnergyMeter meter = this->meter();
  EXPECT_EQ(meter.problem(), "");
  EXPECT_EQ(meter.sensor(), "RAPL, package-0 + package-1");
  meter.begin();
  for (std::uint64_t window = 1; window <= 4; ++window) {
    EXPECT_FALSE(meter.finished());
    count("intel-rapl:0", 100'000 * window);
    count("intel-rapl:1", 50'000 * window);
    for (const char* const other : {"intel-rapl:0:0", "intel-rapl:2", "intel-rapl-mmio:0"})
      count(other, 900'000 * window);
    wait();
    meter.add(window == 4 ? 30 : 10);
  }
  ASSERT_TRUE(meter.finished());
  const EnergyUse use = meter.use();
  EXPECT_EQ(use.problem, "");
  EXPECT_NEAR(use.joules, 4 * 0.15 / 60, 1e-9);
  EXPECT_NEAR(use.least, 0.15 / 30, 1e-9);
  EXPECT_NEAR(use.most, 0.15 / 10, 1e-9);
  EXPECT_GE(use.seconds, 4 * kWindow);
  EXPECT_NEAR(use.watts, 0.6 / use.seconds, 1e-6);
}

TEST_F(RaplTest, ACounterThatBeginsAgainCountsOn) {
  count("intel-rapl:0", 990'000);
  EnergyMeter meter = this->meter();
  meter.begin();
  for (const std::uint64_t now : {995'000, 5'000, 15'000, 25'000}) {
    count("intel-rapl:0", now);
    wait();
    meter.add(1);
  }
  EXPECT_NEAR(meter.use().joules, (0.005 + 0.01 + 0.01 + 0.01) / 4, 1e-9);
}

TEST_F(RaplTest, AShortRunHasAReasonAndNoNumber) {
  EnergyMeter meter = this->meter();
  meter.begin();
  meter.add(1'000'000);
  wait();
  count("intel-rapl:0", 500'000);
  meter.add(1);
  const EnergyUse use = meter.use();
  EXPECT_NE(use.problem.find("too short"), std::string::npos) << use.problem;
  EXPECT_EQ(use.joules, 0);
  EXPECT_EQ(use.sensor, "RAPL, package-0 + package-1");
}

TEST_F(RaplTest, ASensorThatCountsNothingIsSaid) {
  EnergyMeter meter = this->meter();
  meter.begin();
  for (int window = 0; window < 4; ++window) {
    wait();
    meter.add(1);
  }
  EXPECT_EQ(meter.use().problem, "the sensor counted nothing");
}

TEST_F(RaplTest, IdlePowerIsMeasuredAndAPartOfTheWhole) {
  EnergyMeter meter = this->meter();
  std::uint64_t microjoules = 0;
  while (!meter.measure_idle()) count("intel-rapl:0", microjoules += 1'000);
  EXPECT_GT(meter.idle_watts(), 0);
  EXPECT_LT(meter.idle_watts(), 0.001 * 30 / 0.03);
  EXPECT_TRUE(meter.measure_idle());
  meter.begin();
  for (int window = 0; window < 4; ++window) {
    count("intel-rapl:0", microjoules += 200'000);
    wait();
    meter.add(1);
  }
  EXPECT_DOUBLE_EQ(meter.use().idle_share(), meter.idle_watts() / meter.use().watts);
}

TEST_F(RaplTest, WhatCannotBeReadIsNamed) {
  std::filesystem::remove(folder_ / "intel-rapl:1" / "energy_uj");
  const EnergyMeter none = meter();
  EXPECT_EQ(none.sensor(), "");
  EXPECT_NE(none.problem().find("intel-rapl:1/energy_uj cannot be read"), std::string::npos)
      << none.problem();
  count("intel-rapl:1", 0);
  EnergyMeter lost = meter();
  lost.begin();
  write("intel-rapl:0/energy_uj", "x");
  wait();
  lost.add(1);
  EXPECT_NE(lost.use().problem.find("intel-rapl:0/energy_uj has no number"), std::string::npos);
}

TEST(EnergyMeter, WithoutASensorSaysWhere) {
  EnergyMeter meter({Device{}}, {.rapl = "/nowhere"});
  EXPECT_EQ(meter.problem(), "no RAPL sensor of a CPU package in /nowhere");
  EXPECT_TRUE(meter.measure_idle()) << "nothing to wait for";
  meter.begin();
  meter.add(1);
  EXPECT_FALSE(meter.finished());
  EXPECT_EQ(meter.use().problem, meter.problem());
  const EnergyMeter gpu({cuda_device(0)}, {.nvml = "libnowhere.so.1"});
  EXPECT_EQ(gpu.problem(), "libnowhere.so.1 is missing or has no energy counter");
}

TEST(EnergyMeter, ReadsTheCounterOfEachGpu) {
  EnergyMeter meter({cuda_device(0), cuda_device(3)}, {.nvml = LOOM_FAKE_NVML, .window_seconds = 0.002});
  EXPECT_EQ(meter.problem(), "");
  EXPECT_EQ(meter.sensor(), "NVML, GPU 0 + 3");
  meter.begin();
  for (int window = 0; window < 4; ++window) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    meter.add(5);
  }
  // Both devices read one counter, which rises with each reading.
  EXPECT_NEAR(meter.use().joules, 2 * 1.0 / 5, 1e-9);
  setenv("FAKE_NVML_STATUS", "3", 1);
  const EnergyMeter unsupported({cuda_device(0)}, {.nvml = LOOM_FAKE_NVML});
  unsetenv("FAKE_NVML_STATUS");
  EXPECT_EQ(unsupported.problem(), "NVML reads no energy: Not Supported");
}

}  // namespace
}  // namespace loom
