#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "program.h"
#include "temporary_folder.h"

namespace loom::test {
namespace {

namespace fs = std::filesystem;

/// Runs the real program and makes the n-th call of one function fail, for every n.
class FaultTest : public tests::FolderTest {
 protected:
  void SetUp() override {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "AddressSanitizer has allocations of its own";
#endif
  }

  static Outcome run_failing(const std::string& function, int at, int reason,
                             const std::vector<std::string>& line) {
    const auto prepare = [&] {
      setenv("LOOM_FAIL", function.c_str(), 1);
      setenv("LOOM_FAIL_AT", std::to_string(at).c_str(), 1);
      setenv("LOOM_FAIL_REASON", std::to_string(reason).c_str(), 1);
      setenv("OMP_WAIT_POLICY", "passive", 1);  // keeps the program from re-executing itself
      setenv("LD_PRELOAD", LOOM_FAIL_NTH, 1);
    };
    return run_program_in(prepare, line);
  }
};

TEST_F(FaultTest, WhateverFailsInWritingTheFileIsOldOrNew) {
  const fs::path file = folder_ / "a.npy";
  const std::vector<std::string> line = {"mandelbrot", "--backend", "cpu",   "--size",
                                         "40x30",      "--json",    "--npy", file};
  ASSERT_EQ(run_program(line).status, 0);
  const std::string whole = tests::content_of(file);
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
      ASSERT_LT(at, 100) << "the command never succeeds";
      std::ofstream(file) << "old";
      const Outcome outcome = run_failing(fault.function, at, fault.reason, line);
      status = outcome.status;
      EXPECT_EQ(count_files(), 1u) << fault.function << " " << at;
      if (status == 0) {
        EXPECT_EQ(tests::content_of(file), whole);
        EXPECT_EQ(outcome.err, "");
      } else {
        EXPECT_EQ(status, fault.status) << fault.function << " " << at << ": " << outcome.err;
        EXPECT_EQ(tests::content_of(file), "old");
        EXPECT_EQ(outcome.err_lines().size(), 1u) << outcome.err;
        EXPECT_NE(outcome.out.find("\"ms\""), std::string::npos) << "the results are not printed";
        EXPECT_EQ(outcome.out.find("\"npy\""), std::string::npos) << "it reports a file that was not written";
      }
    }
    EXPECT_GT(at, 2) << fault.function << " was never called";
  }
}

TEST_F(FaultTest, WithoutNamelessFilesAFileHasANameAndLosesIt) {
  const fs::path file = folder_ / "a.npy";
  const std::vector<std::string> line = {"mandelbrot", "--backend", "cpu", "--size", "40x30", "--npy", file};
  // The first call checks the folder, the second opens the file.
  for (const int at : {1, 2}) {
    EXPECT_EQ(run_failing("open", at, EOPNOTSUPP, line).status, 0);
    EXPECT_EQ(count_files(), 1u);
    EXPECT_EQ(fs::file_size(file), 128u + 40 * 30 * 4);
  }
}

// Covers commands of every kind. Most allocations happen early, while the command line is parsed, so the
// failing ones are dense towards the end, where the work happens. LOOM_ALL_FAULTS=1 tests every allocation.
TEST_F(FaultTest, AnAllocationThatFailsIsToldWithStatus3AndLeavesNoFile) {
  const std::string results = (folder_ / "results.json").string();
  const fs::path calls = folder_ / "calls";
  ASSERT_EQ(
      run_program(
          words(
              "bench --backend cpu --level 2..3 --block 1 --max-samples 2 --max-seconds 0.01 --json --out " +
              results))
          .status,
      0);
  struct Command {
    const char* text;  ///< FILE stands for the output file
    const char* ending;
    long closely =
        1;  ///< each of the last allocations up to this one fails, earlier ones at growing distances
  };
  for (const auto& [text, ending, closely] :
       {Command{"life --backend cpu --level 4 --steps 2 --json --save FILE", ".loom"},
        Command{"mandelbrot --backend cpu --size 40x30 --npy FILE", ".npy"},
        Command{"mandelbrot --backend cpu --size 40x30 --png FILE", ".png", 300},
        Command{"volume --size 12 --npy FILE", ".npy"},
        Command{"volume --size 12 --picture 20x10 --png FILE", ".png"},
        Command{"bench --backend cpu --level 2 --block 1 --max-samples 2 --max-seconds 0.01 --out FILE",
                ".json"},
        Command{"plot RESULTS --out FILE", ".svg"}, Command{"plot RESULTS --kind memory --out FILE", ".png"},
        Command{"figure --level 4 --out FILE", ".svg"},
        Command{"timeline --backend cpu --level 4 --json", ""}, Command{"lens --level 4 --json", ""},
        Command{"model --search --json", ""},
        Command{"verify --backend cpu --fractal vicsek --level-max 2 --json", ""}, Command{"info --json", ""},
        Command{"lesson --list --json", ""}, Command{"manual life", ""},
        Command{"life --fractal-file docs/none.toml", ""}}) {
    const fs::path file = folder_ / (std::string("out") + ending);
    std::vector<std::string> line = words(text);
    for (std::string& word : line) {
      if (word == "FILE") word = file.string();
      if (word == "RESULTS") word = results;
    }
    setenv("LOOM_FAIL_CALLS", calls.c_str(), 1);
    const Outcome whole = run_failing("new", 0, ENOMEM, line);
    unsetenv("LOOM_FAIL_CALLS");
    EXPECT_LE(whole.status, 2) << text << ": " << whole.err;
    const long all = std::stol(tests::content_of(calls));
    ASSERT_GT(all, 100) << text;
    const bool each = std::getenv("LOOM_ALL_FAULTS") != nullptr;
    int told = 0;
    for (long back = 0; back < all; back += each || back < closely ? 1 : 1 + back / 2) {
      const long at = all - back;
      fs::remove(file);
      const Outcome outcome = run_failing("new", static_cast<int>(at), ENOMEM, line);
      const std::string where =
          std::string(text) + ", allocation " + std::to_string(at) + " of " + std::to_string(all);
      // Some failed allocations are optional, and the command succeeds anyway.
      if (outcome.status == whole.status) {
        EXPECT_EQ(fs::exists(file), *ending != '\0' && whole.status == 0) << where;
        continue;
      }
      EXPECT_EQ(outcome.status, 3) << where << ": " << outcome.err;
      EXPECT_EQ(outcome.err_lines().size(), 1u) << where << ": " << outcome.err;
      EXPECT_TRUE(outcome.err.find("memory") != std::string::npos ||
                  outcome.err.find("need") != std::string::npos)
          << where << ": " << outcome.err;
      EXPECT_EQ(count_files(), fs::exists(file) ? 3u : 2u) << where << ": it leaves extra files";
      ++told;
    }
    fs::remove(file);
    EXPECT_GT(told, 5) << text;
  }
}

}  // namespace
}  // namespace loom::test
