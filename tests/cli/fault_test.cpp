#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "program.h"

namespace loom::test {
namespace {

namespace fs = std::filesystem;

/// The real program with one call of one function failing, the n-th, for every n.
class FaultTest : public testing::Test {
 protected:
  void SetUp() override {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "AddressSanitizer has allocations of its own";
#endif
    fs::create_directories(folder_);
  }
  void TearDown() override {
    fs::remove_all(folder_);
  }

  static Outcome run_failing(const std::string& function, int at, int reason,
                             const std::vector<std::string>& line) {
    const auto prepare = [&] {
      setenv("LOOM_FAIL", function.c_str(), 1);
      setenv("LOOM_FAIL_AT", std::to_string(at).c_str(), 1);
      setenv("LOOM_FAIL_REASON", std::to_string(reason).c_str(), 1);
      setenv("OMP_WAIT_POLICY", "passive", 1);  // the program does not start over
      setenv("LD_PRELOAD", LOOM_FAIL_NTH, 1);
    };
    return run_program_in(prepare, line);
  }
  static std::string content(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }
  std::size_t count_files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }

  fs::path folder_ =
      fs::temp_directory_path() / ("loom-faults-" + std::to_string(getpid()) + "-" +
                                   testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(FaultTest, WhateverFailsInWritingTheFileIsOldOrNew) {
  const fs::path file = folder_ / "a.npy";
  const std::vector<std::string> line = {"mandelbrot", "--backend", "cpu",   "--size",
                                         "40x30",      "--json",    "--npy", file};
  ASSERT_EQ(run_program(line).status, 0);
  const std::string whole = content(file);
  struct Fault {
    const char* function;
    int reason;
    int status;
  };
  for (const Fault& fault :
       {Fault{"write", ENOSPC, 3}, Fault{"write", EIO, 3}, Fault{"fsync", EIO, 3}, Fault{"rename", EACCES, 2},
        Fault{"linkat", EDQUOT, 3}, Fault{"fchmod", EPERM, 2}}) {
    int at = 1;
    for (int status = fault.status; status != 0; ++at) {
      ASSERT_LT(at, 100) << "it never ends";
      std::ofstream(file) << "old";
      const Outcome outcome = run_failing(fault.function, at, fault.reason, line);
      status = outcome.status;
      EXPECT_EQ(count_files(), 1u) << fault.function << " " << at;
      if (status == 0) {
        EXPECT_EQ(content(file), whole);
        EXPECT_EQ(outcome.err, "");
      } else {
        EXPECT_EQ(status, fault.status) << fault.function << " " << at << ": " << outcome.err;
        EXPECT_EQ(content(file), "old");
        EXPECT_EQ(outcome.err_lines().size(), 1u) << outcome.err;
        EXPECT_NE(outcome.out.find("\"ms\""), std::string::npos) << "the results are lost";
        EXPECT_EQ(outcome.out.find("\"npy\""), std::string::npos) << "it says that the file is there";
      }
    }
    EXPECT_GT(at, 2) << fault.function << " was never called";
  }
}

TEST_F(FaultTest, WithoutNamelessFilesAFileHasANameAndLosesIt) {
  const fs::path file = folder_ / "a.npy";
  const std::vector<std::string> line = {"mandelbrot", "--backend", "cpu", "--size", "40x30", "--npy", file};
  // The check is the first, the file the second.
  for (const int at : {1, 2}) {
    EXPECT_EQ(run_failing("open", at, EOPNOTSUPP, line).status, 0);
    EXPECT_EQ(count_files(), 1u);
    EXPECT_EQ(fs::file_size(file), 128u + 40 * 30 * 4);
  }
}

TEST_F(FaultTest, AnAllocationThatFailsIsToldWithStatus3) {
  for (const char* text : {"life --backend cpu --level 4 --steps 2 --json", "model --search --json",
                           "life --fractal-file docs/none.toml"}) {
    // All of the last, which are few; of the others some, and the last.
    const std::vector<std::string> line = words(text);
    const int expected = run_program(line).status;
    int told = 0;
    for (int at = 1; at < 1'000'000; at += 1 + at / 12) {
      const Outcome outcome = run_failing("new", at, ENOMEM, line);
      if (outcome.status == expected) break;
      EXPECT_EQ(outcome.status, 3) << text << ", allocation " << at << ": " << outcome.err;
      EXPECT_EQ(outcome.err_lines().size(), 1u) << outcome.err;
      EXPECT_NE(outcome.err.find("out of memory"), std::string::npos) << outcome.err;
      ++told;
    }
    EXPECT_GT(told, 10) << text;
  }
}

}  // namespace
}  // namespace loom::test
