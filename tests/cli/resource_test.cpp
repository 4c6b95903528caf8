#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>

#include "program.h"

namespace loom::test {
namespace {

/// Runs the program under resource limits. Skipped with AddressSanitizer, whose shadow memory exceeds any
/// limit on address space.
class ResourceTest : public testing::Test {
 protected:
  void SetUp() override {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "AddressSanitizer needs more address space than any limit";
#endif
  }
  static void limit_address_space(std::uint64_t mebibytes) {
    const rlimit limit{mebibytes << 20, mebibytes << 20};
    setrlimit(RLIMIT_AS, &limit);
  }
  static void expect_one_line(const Outcome& outcome, int status, const std::vector<std::string>& parts) {
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err_lines().size(), 1u) << outcome.err;
    for (const std::string& part : parts) {
      EXPECT_NE(outcome.err.find(part), std::string::npos) << "missing in the message: " << part << "\n"
                                                           << outcome.err;
    }
  }
};

TEST_F(ResourceTest, AddressSpaceIsFreeMemoryToo) {
  const auto under_limit = [] { limit_address_space(1000); };
  // 2 x 2^30 bytes: less than the memory of a machine, but more than the limit.
  const auto level_of = [](int level) {
    return words("life --backend cpu --map bounding-box --storage bytes --block 1 --json --steps 1 --level " +
                 std::to_string(level));
  };
  const Outcome refused = run_program_in(under_limit, level_of(15));
  expect_one_line(refused, 3, {"needs", "are free", "MiB", "the largest level that fits is 14"});
  // The level named in the message fits.
  EXPECT_EQ(run_program_in(under_limit, level_of(14)).status, 0);
  expect_one_line(run_program_in(under_limit, words("mandelbrot --backend cpu --size 30000x30000")), 3,
                  {"30000 x 30000", "free"});
  expect_one_line(run_program_in(under_limit, words("volume --size 1024")), 3,
                  {"the volume", "needs", "free"});
}

// An interior point, whose orbit has no end. How much memory it needs is known once it is computed.
TEST_F(ResourceTest, AReferenceOrbitThatTakesTooMuchIsRefused) {
  const auto under_limit = [] { limit_address_space(1000); };
  expect_one_line(
      run_program_in(under_limit, words("mandelbrot --backend cpu --center=-0.1,0.01 --width 1e-30 "
                                        "--dwell 2147483647 --size 8x8")),
      3, {"reference orbit", "needs", "allowed: ", "MiB", "a quarter of the machine's memory"});
}

TEST_F(ResourceTest, ThreadsThatCannotBeMadeAreDoneWithout) {
  const auto few = [] {
    setenv("OMP_NUM_THREADS", "64", 1);
    setenv("OMP_STACKSIZE", "100M", 1);
    limit_address_space(1000);
  };
  const Outcome life = run_program_in(few, words("life --backend cpu --level 8 --steps 100 --json"));
  ASSERT_EQ(life.status, 0) << life.err;
  EXPECT_EQ(life.json()["hash"], "2e269e30ff0b89dd");
  EXPECT_NE(life.json()["device"].get<std::string>().find("of 64, more cannot be made"), std::string::npos);
  const Outcome dwells = run_program_in(few, words("mandelbrot --backend cpu --size 64x64 --json"));
  ASSERT_EQ(dwells.status, 0) << dwells.err;
  const auto none = [] {
    setenv("OMP_NUM_THREADS", "64", 1);
    setenv("OMP_STACKSIZE", "2G", 1);
    limit_address_space(1000);
  };
  const Outcome alone = run_program_in(none, words("life --backend cpu --level 8 --steps 100 --json"));
  ASSERT_EQ(alone.status, 0) << alone.err;
  EXPECT_EQ(alone.json()["hash"], "2e269e30ff0b89dd");
  EXPECT_EQ(alone.json()["device"], "1 thread of 64, more cannot be made");
}

TEST_F(ResourceTest, AnAbsurdNumberOfThreadsIsClamped) {
  for (const char* number : {"1000000", "2147483647"}) {
    const Outcome life = run_program_in([&] { setenv("OMP_NUM_THREADS", number, 1); },
                                        words("life --backend cpu --level 8 --steps 100 --json"));
    ASSERT_EQ(life.status, 0) << life.err;
    EXPECT_EQ(life.json()["hash"], "2e269e30ff0b89dd");
    EXPECT_NE(life.json()["device"].get<std::string>().find("more are of no use"), std::string::npos)
        << life.out;
  }
}

TEST_F(ResourceTest, NothingIsReservedForWhatWillNeverCome) {
  // The number of steps must not reserve memory: the program runs until its CPU time is over.
  const auto for_a_second = [] {
    limit_address_space(1000);
    const rlimit second{1, 1};
    setrlimit(RLIMIT_CPU, &second);
  };
  const Outcome life = run_program_in(for_a_second, words("life --backend cpu --level 0 --steps 4294967295"));
  EXPECT_EQ(life.status, -1) << life.err;
  EXPECT_EQ(life.err, "");
  expect_one_line(run_program(words("verify --all --samples 4294967295")), 2, {"--samples", "1000000"});
  const auto begin = std::chrono::steady_clock::now();
  expect_one_line(run_program_in([] { limit_address_space(1000); },
                                 words("bench --size 1..1048576 --g 1..1024 --repeats 1000000 --yes")),
                  2, {"configurations", "at most 1000000"});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST_F(ResourceTest, ATooSmallStackIsAnError) {
  const auto with_stack = [](std::uint64_t kibibytes) {
    return [=] {
      const rlimit limit{kibibytes << 10, kibibytes << 10};
      setrlimit(RLIMIT_STACK, &limit);
    };
  };
  const std::vector<std::string> lines = {"life --backend cpu --level 3",
                                          "mandelbrot --backend cpu --size 32x32",
                                          "verify --backend cpu --fractal vicsek --level-max 1",
                                          "figure --level 3 --block 2 --out /dev/null",
                                          "map exercises",
                                          "shot --plain --out /dev/null",
                                          "view --frames 1",
                                          "info",
                                          "lens",
                                          "lesson --list",
                                          "manual",
                                          "model"};
  for (const std::string& line : lines)
    expect_one_line(run_program_in(with_stack(64), words(line)), 3, {"65536 bytes", "1048576 bytes"});
  // What is required suffices, also where the most is needed.
  const Outcome verified = run_program_in(
      with_stack(1024), words("verify --backend cpu --fractal vicsek --level-max 1 --steps 2"));
  EXPECT_EQ(verified.status, 0) << verified.err;
}

TEST_F(ResourceTest, MemoryThatRunsOutIsNamed) {
  // The sizes of dwells and picture are known before the computation.
  const Outcome outcome = run_program_in([] { limit_address_space(600); },
                                         words("mandelbrot --backend cpu --size 9000x9000 --png /dev/null"));
  expect_one_line(outcome, 3, {"--png", "free"});
}

}  // namespace
}  // namespace loom::test
