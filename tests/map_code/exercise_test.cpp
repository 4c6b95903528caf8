#include <gtest/gtest.h>

#include "app/exercises/grading.h"
#include "compute/core/error.h"
#include "map_code/run_for_test.h"

namespace loom::app {
namespace {

Grader grader_of(const std::string& name) {
  return Grader(find_exercise(name));
}

TEST(Exercises, SolutionsPassAndStartersDoNot) {
  for (const BundledExercise& bundled : bundled_exercises()) {
    const Grader grader = grader_of(std::string(bundled.name));
    const Grade solved = grader.grade(grader.exercise().solution);
    EXPECT_TRUE(solved.passed) << bundled.name << ": " << solved.problem;
    EXPECT_TRUE(solved.problem.empty());
    const Grade begun = grader.grade(grader.exercise().starter);
    EXPECT_FALSE(begun.passed) << bundled.name;
    EXPECT_FALSE(begun.problem.empty()) << bundled.name;
    EXPECT_FALSE(grader.exercise().hints.empty()) << bundled.name;
  }
  EXPECT_GE(bundled_exercises().size(), 6u);
}

TEST(Exercises, AMapThatFitsOnlyTheShownCaseFails) {
  const Grade grade = grader_of("bounding-box").grade(R"(
__host__ Launch launch(Fractal f) { return grid2d(4, 4, 16, 16); }
__device__ Cell cell_of_thread(Fractal f) {
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  if (x & (63 - y)) return none();
  return cell(x, y);
})");
  EXPECT_FALSE(grade.passed);
  EXPECT_NE(grade.problem.find("vicsek"), std::string::npos) << grade.problem;
}

TEST(Exercises, LimitsOnCodeAndThreadsAreEnforced) {
  // Exact, but with a division where none is allowed.
  const Grade division = grader_of("repair").grade(test::kBoundingBox);
  EXPECT_FALSE(division.passed);
  EXPECT_NE(division.problem.find("divisions"), std::string::npos) << division.problem;
  // Exact, but with idle threads.
  const Grade idle = grader_of("lambda").grade(test::kBoundingBox);
  EXPECT_FALSE(idle.passed);
  EXPECT_NE(idle.problem.find("idle_threads"), std::string::npos) << idle.problem;
}

TEST(Exercises, FilesSayWhatIsWrongAndWhere) {
  const auto message = [](const std::string& text) {
    try {
      parse_exercise(text, "mine.toml");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string begin = "title = \"a\"\ntask = \"b\"\nstarter = \"c\"\n";
  const std::string one_case = "[[case]]\nfractal = \"vicsek\"\nlevel = 2\n";
  EXPECT_EQ(message(begin + one_case), "");
  EXPECT_NE(message(begin).find("no [[case]] table"), std::string::npos);
  EXPECT_NE(message("").find("'title'"), std::string::npos);
  EXPECT_NE(message(begin + "colour = 1\n" + one_case).find("mine.toml:4: an exercise has no key 'colour'"),
            std::string::npos);
  for (const std::string key : {"thread_utilization", "efficiency"}) {  // and its earlier name
    EXPECT_EQ(message(begin + "[require]\n" + key + " = 0.5\n" + one_case), "");
    EXPECT_NE(message(begin + "[require]\n" + key + " = 2\n" + one_case).find("mine.toml:5: '" + key + "'"),
              std::string::npos);
  }
  EXPECT_NE(message(begin + "[require]\nidle_threads = -1\n" + one_case).find("whole number"),
            std::string::npos);
  EXPECT_NE(message(begin + "[require]\ncells = \"as-solution\"\n" + one_case).find("no 'solution'"),
            std::string::npos);
  EXPECT_NE(message(begin + "[[case]]\nfractal = \"vicsek\"\nlevel = 99\n").find("allowed: 0 to 8"),
            std::string::npos)
      << message(begin + "[[case]]\nfractal = \"vicsek\"\nlevel = 99\n");
  EXPECT_NE(message(begin + "[[case]]\nfractal = \"square\"\nlevel = 1\n").find("unknown fractal 'square'"),
            std::string::npos);
  EXPECT_NE(
      message(begin + "[[case]]\nfractal = \"vicsek\"\nlevel = 2\nhidden = true\n").find("cannot be hidden"),
      std::string::npos);
  EXPECT_NE(message("title = \n").find("mine.toml:1"), std::string::npos);
  EXPECT_THROW(find_exercise("no-such-exercise"), InputError);
}

}  // namespace
}  // namespace loom::app
