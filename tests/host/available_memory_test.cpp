#include "compute/cpu/available_memory.h"

#include <gtest/gtest.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <fstream>
#include <limits>

#include "compute/core/error.h"
#include "temporary_folder.h"

namespace loom::cpu {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kReserve = 32 * kMiB;

/// Simulates /proc and the cgroup files of a machine in a temporary folder.
class AvailableMemoryTest : public tests::FolderTest {
 protected:
  void SetUp() override {
    // 1000 MiB available on the machine.
    write("proc/meminfo",
          "MemTotal:       2048000 kB\nMemFree:  1 kB\nMemAvailable:   1024000 kB\n"
          "CommitLimit: 409600 kB\nCommitted_AS: 102400 kB\n");
  }

  void write(const fs::path& file, const std::string& text) const {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file) << text;
  }
  void write(const fs::path& file, std::uint64_t number) const { write(file, std::to_string(number) + "\n"); }
  void mount_version_1(const std::string& seen_from = "/") const {
    write("proc/self/mountinfo",
          "30 23 0:27 / /proc rw - proc proc rw\n"
          "33 31 0:30 / /groups/cpu rw,relatime - cgroup cgroup rw,cpu,cpuacct\n"
          "35 31 0:32 " +
              seen_from + " /groups/memory rw,relatime shared:9 - cgroup cgroup rw,memory\n");
  }
  void mount_version_2() const {
    write("proc/self/mountinfo", "35 31 0:32 / /groups rw,relatime - cgroup2 cgroup2 rw,nsdelegate\n");
  }
  std::uint64_t available() const { return available_memory_below(folder_); }
};

TEST_F(AvailableMemoryTest, OfTheMachine) {
  EXPECT_EQ(available(), 1000 * kMiB - kReserve);
  write("proc/sys/vm/overcommit_memory", 2);
  EXPECT_EQ(available(), 300 * kMiB - kReserve);
  fs::remove_all(folder_);
  EXPECT_EQ(available(), std::numeric_limits<std::uint64_t>::max());
}

TEST(OrbitMemory, IsAtMostAQuarterOfTheMachine) {
  struct sysinfo machine = {};
  ASSERT_EQ(sysinfo(&machine), 0);
  EXPECT_LE(orbit_memory(), std::uint64_t{machine.totalram} * machine.mem_unit / 4);
  EXPECT_LE(orbit_memory(), available_memory() + 64 * kMiB);
  EXPECT_GT(orbit_memory(), 0u);
}

TEST_F(AvailableMemoryTest, OfAGroupOfVersion1) {
  mount_version_1();
  write("proc/self/cgroup", "4:cpuset:/other\n3:name=systemd,x:/\n2:memory,hugetlb:/a/b\n0::/\n");
  write("groups/memory/memory.limit_in_bytes", 9223372036854771712u);
  write("groups/memory/a/memory.limit_in_bytes", 500 * kMiB);
  write("groups/memory/a/memory.usage_in_bytes", 300 * kMiB);
  EXPECT_EQ(available(), 200 * kMiB - kReserve);
  // Inactive page cache counts as available.
  write("groups/memory/a/memory.stat",
        "inactive_file 1\ntotal_inactive_file " + std::to_string(50 * kMiB) + "\n");
  EXPECT_EQ(available(), 250 * kMiB - kReserve);
  write("groups/memory/a/b/memory.limit_in_bytes", 100 * kMiB);
  write("groups/memory/a/b/memory.usage_in_bytes", 20 * kMiB);
  EXPECT_EQ(available(), 80 * kMiB - kReserve);
  write("groups/memory/a/b/memory.usage_in_bytes", 100 * kMiB);
  EXPECT_EQ(available(), 0u);
}

TEST_F(AvailableMemoryTest, OfAGroupOfVersion2) {
  mount_version_2();
  write("proc/self/cgroup", "0::/a/b\n");
  write("groups/memory.max", "max\n");
  write("groups/a/memory.max", 500 * kMiB);
  write("groups/a/memory.current", 300 * kMiB);
  write("groups/a/b/memory.max", "max\n");
  write("groups/a/b/memory.current", 300 * kMiB);
  EXPECT_EQ(available(), 200 * kMiB - kReserve);
  write("groups/a/memory.stat", "anon 7\ninactive_file " + std::to_string(50 * kMiB) + "\n");
  EXPECT_EQ(available(), 250 * kMiB - kReserve);
}

TEST_F(AvailableMemoryTest, OfAContainerThatSeesItsOwnGroup) {
  for (const char* path : {"/", "/../..", "/docker/of-another-view"}) {
    mount_version_2();
    write("proc/self/cgroup", std::string("0::") + path + "\n");
    write("groups/memory.max", 100 * kMiB);
    write("groups/memory.current", 10 * kMiB);
    EXPECT_EQ(available(), 90 * kMiB - kReserve) << path;
  }
  mount_version_1("/docker/1");
  write("proc/self/cgroup", "2:memory:/docker/1/inner\n");
  write("groups/memory/memory.limit_in_bytes", 400 * kMiB);
  EXPECT_EQ(available(), 400 * kMiB - kReserve);
  write("groups/memory/inner/memory.limit_in_bytes", 200 * kMiB);
  EXPECT_EQ(available(), 200 * kMiB - kReserve);
}

TEST_F(AvailableMemoryTest, WhatDoesNotFitIsNamed) {
  EXPECT_NO_THROW(check_available(1, "a byte"));
  try {
    check_available(std::numeric_limits<std::uint64_t>::max() - 1, "the universe");
    FAIL();
  } catch (const CapacityError& error) {
    EXPECT_NE(std::string(error.what()).find("the universe needs"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace loom::cpu
