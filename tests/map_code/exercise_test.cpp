#include "app/exercises/exercise.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "compute/core/error.h"

namespace loom::app {
namespace {

Grader grader_of(const std::string& name) {
  return Grader(find_exercise(name));
}

constexpr const char* kBoundingBox = R"(
__host__ Launch launch(Fractal f) { return grid2d((f.width + 15) / 16, (f.height + 15) / 16, 16, 16); }
__device__ Cell cell_of_thread(Fractal f) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int half = x / 2;
  return is_cell(2 * half + x % 2, y) ? cell(x, y) : none();
})";
constexpr const char* kOneThreadPerBlock = R"(
__host__ Launch launch(Fractal f) { return grid2d(f.width, f.height, 1, 1); }
__device__ Cell cell_of_thread(Fractal f) {
  return is_cell(blockIdx.x, blockIdx.y) ? cell(blockIdx.x, blockIdx.y) : none();
})";

bool meets(const Grade& grade, std::string_view limit) {
  const auto found = std::ranges::find(grade.requirements, limit, &RequirementResult::name);
  EXPECT_NE(found, grade.requirements.end()) << limit << ": " << grade.problem;
  return found != grade.requirements.end() && found->holds;
}

TEST(Exercises, SolutionsPassAndStartersDoNot) {
  for (const BundledExercise& bundled : bundled_exercises()) {
    SCOPED_TRACE(bundled.name);
    const Grader grader = grader_of(std::string(bundled.name));
    const Exercise& exercise = grader.exercise();
    const Grade solved = grader.grade(exercise.solution);
    EXPECT_TRUE(solved.passed) << solved.problem;
    EXPECT_EQ(solved.problem, "");
    const Grade begun = grader.grade(exercise.starter);
    EXPECT_FALSE(begun.passed);
    EXPECT_NE(begun.problem, "");
    EXPECT_FALSE(exercise.hints.empty());
    EXPECT_TRUE(std::ranges::any_of(exercise.cases, &ExerciseCase::hidden));
    EXPECT_EQ(exercise.title, bundled.title);
    EXPECT_NE(exercise.title.find(' '), std::string::npos) << "a title is a sentence";
  }
  EXPECT_GE(bundled_exercises().size(), 20u);
}

// A limit that nothing fails would ask for nothing: the starter fails it, or one of the maps that it is there
// to exclude.
TEST(Exercises, EachLimitIsFailedByTheStarterOrByTheMapThatItExcludes) {
  std::size_t by_starter = 0;
  std::size_t limits = 0;
  for (const BundledExercise& bundled : bundled_exercises()) {
    const Grader grader = grader_of(std::string(bundled.name));
    const std::vector<Grade> grades = {grader.grade(grader.exercise().starter), grader.grade(kBoundingBox),
                                       grader.grade(kOneThreadPerBlock)};
    for (const LimitKey& key : limit_keys()) {
      if (!grader.exercise().requirements.limits[static_cast<std::size_t>(key.kind)]) continue;
      ++limits;
      by_starter += meets(grades[0], key.name) ? 0 : 1;
      EXPECT_FALSE(std::ranges::all_of(grades, [&](const Grade& one) { return meets(one, key.name); }))
          << bundled.name << ": " << key.name;
    }
  }
  EXPECT_GE(limits, 20u);
  EXPECT_GE(4 * by_starter, 2 * limits) << "of most limits the starter shows what they are about";
}

TEST(Exercises, ResultsAreSentences) {
  const Grader grader = grader_of("lambda-gasket");
  EXPECT_EQ(grader
                .grade(R"(
__host__ Launch launch(Fractal f) { return grid1d(1, 32); }
__device__ Cell cell_of_thread(Fractal f) { return cell(0, threadIdx.x); })")
                .problem,
            "sierpinski-gasket, level 6: 697 of 729 cells are missed; the first is (1, 1)");
  EXPECT_EQ(grader
                .grade(R"(
__host__ Launch launch(Fractal f) { return grid1d(1, 2); }
__device__ Cell cell_of_thread(Fractal f) { return cell(threadIdx.x, 0); })")
                .problem,
            "sierpinski-gasket, level 6: thread (1, 0) of block (0, 0) returned (1, 0), a hole; 728 of 729 "
            "cells are "
            "missed; the first is (0, 1)");
  EXPECT_EQ(grader_of("lower-half").grade(kBoundingBox).problem,
            "sierpinski-gasket, level 6: 243 points differ from the solution; the first is (0, 0), reached "
            "by 1 thread "
            "instead of 0");
  EXPECT_EQ(grader_of("rows").grade(kBoundingBox).problem,
            "on a hidden case, vicsek, level 5: 148 thread blocks are empty; allowed: at most 0");
  const Grader warps = grader_of("full-warps");
  EXPECT_EQ(warps.grade(warps.exercise().starter).problem,
            "sierpinski-gasket, level 6: 15.62 % of the lanes are idle; allowed: at most 6 %");
  // 100 * 0.07 is not 7.
  Exercise seven = warps.exercise();
  seven.requirements.limits[static_cast<std::size_t>(LimitKind::kIdleLanes)] = 0.07;
  EXPECT_EQ(Grader(seven).grade(seven.starter).problem,
            "sierpinski-gasket, level 6: 15.62 % of the lanes are idle; allowed: at most 7 %");
  EXPECT_EQ(limits_text(seven.requirements), "idle lanes at most 7 %");
  const Grader shifts = grader_of("shifts");
  EXPECT_EQ(shifts.grade(shifts.exercise().starter).problem,
            "on a hidden case, chandelier, level 7: a warp executes 14.00 divisions on average; allowed: at "
            "most 0");
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
  const Grade division = grader_of("repair").grade(kBoundingBox);
  EXPECT_FALSE(division.passed);
  EXPECT_NE(division.problem.find("divisions"), std::string::npos) << division.problem;
  // Exact, but with idle threads.
  const Grade idle = grader_of("lambda").grade(kBoundingBox);
  EXPECT_FALSE(idle.passed);
  EXPECT_NE(idle.problem.find("threads are idle"), std::string::npos) << idle.problem;
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
  EXPECT_NE(
      message(begin + "colour = 1\n" + one_case).find("mine.toml:4: unknown key 'colour' in an exercise"),
      std::string::npos);
  EXPECT_EQ(message(begin + "[require]\nthread_utilization = 0.5\n" + one_case), "");
  EXPECT_NE(message(begin + "[require]\nthread_utilization = 2\n" + one_case)
                .find("mine.toml:5: 'thread_utilization'"),
            std::string::npos);
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
