#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "map_code/hostile_maps.h"
#include "map_code/run_for_test.h"

namespace loom::test {
namespace {

TEST(HostileMaps, EachCostsTheAttemptAndNothingElse) {
  const std::vector<Hostile> maps = hostile_maps();
  ASSERT_GE(maps.size(), 60u);
  for (const Hostile& map : maps) {
    SCOPED_TRACE(map.name);
    const auto begin = std::chrono::steady_clock::now();
    const MapResult result = run_on_gasket(map.code);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
    EXPECT_NE(result.outcome, MapOutcome::kRan);
    EXPECT_EQ(name_of(result.outcome), name_of(map.outcome));
    ASSERT_FALSE(result.problems.empty());
    EXPECT_NE(to_string(result.problems.front()).find(map.message), std::string::npos)
        << to_string(result.problems.front());
    if (map.outcome == MapOutcome::kCrashed || map.outcome == MapOutcome::kTimeout) {
      EXPECT_GE(result.problems.front().line, 1);
      EXPECT_LE(result.problems.front().line, std::ranges::count(map.code, '\n'));
    }
    // The next map runs as if nothing had happened.
    EXPECT_EQ(run_on_gasket(kLambda).outcome, MapOutcome::kRan);
  }
}

TEST(HostileMaps, ProblemsHaveTheirPlace) {
  const auto first = [](const std::string& code) { return run_on_gasket(code).problems.front(); };
  const CodeProblem pointer = first("int a;\n  int *p;\n");
  EXPECT_EQ(pointer.line, 2);
  EXPECT_EQ(pointer.column, 7);
  const CodeProblem name = first(map_with("  return cell(foo, 0);"));
  EXPECT_EQ(name.line, 4);
  EXPECT_EQ(name.column, 15);
  EXPECT_EQ(name.length, 3);
  // What the text ends without is missing at its end.
  const CodeProblem end = first(map_with("  return none();") + "int_z // no semicolon\n");
  EXPECT_EQ(end.line, 6);
  EXPECT_EQ(end.column, 1);
  // A comment does not count.
  const CodeProblem after = first(map_with("  /* foo */ return cell(foo, 0);"));
  EXPECT_EQ(after.column, 25);
}

TEST(HostileMaps, AFloodOfErrorsIsCutAndSaysSo) {
  const MapResult result = run_on_gasket(flood_of_errors());
  ASSERT_EQ(result.problems.size(), 21u);
  EXPECT_EQ(result.problems[19].message, "the function 'g19' is declared and has no body");
  EXPECT_EQ(to_string(result.problems[20]), "more than 20 errors; these are the first");
}

// No warp takes long.
TEST(HostileMaps, TheTimeLimitHoldsForAllWarps) {
  const std::string code = launching("grid1d(65536, 1024)");
  for (int i = 0; i < 8; ++i) {
    const MapResult result = run_map(
        find_fractal("vicsek"), {.code = code, .level = 4, .time_limit = std::chrono::milliseconds(5 + i)});
    EXPECT_EQ(name_of(result.outcome), "timeout") << to_string(result.problems.front());
  }
}

TEST(HostileMaps, MultiplicationAndLogicalAndAreNotPointers) {
  const MapResult result = run_on_gasket(map_with(R"(
    int a[3] = {1, 2, 3};
    int x = a[1] * (int)threadIdx.x & 7;
    int y = (x) * (2) && (int)x & 1;
    return cell(min(x, 3) * max(y, 0), power(2, 3) & f.level);)"));
  EXPECT_EQ(result.outcome, MapOutcome::kRan)
      << (result.problems.empty() ? "" : to_string(result.problems.front()));
}

TEST(HostileMaps, AnElementGetsTheOldValueOfAVariableThatIsIncremented) {
  const MapResult result = run_on_gasket(
      map_with("int a[2]; int i = 2 * (int)threadIdx.x; a[i & 1] = i++; return cell(a[0], i);"));
  ASSERT_EQ(result.outcome, MapOutcome::kRan);
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(result.points[static_cast<std::size_t>(i)], (MapPoint{2 * i, 2 * i + 1}));
}

TEST(HostileMaps, CancellingEndsTheRun) {
  ProgressMonitor monitor;
  monitor.cancel();
  EXPECT_THROW(
      run_map(find_fractal("vicsek"), {.code = map_with("for (;;) {} return none();"), .level = 2}, &monitor),
      OperationCancelled);
}

}  // namespace
}  // namespace loom::test
