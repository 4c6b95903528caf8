#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "app/exercises/grading.h"
#include "app/exercises/map_templates.h"
#include "compute/backend/map_backend.h"
#include "compute/cuda/custom_map/map_kernels.h"
#include "compute/cuda/run_time_compiler.h"
#include "compute/custom_map/map_sandbox.h"
#include "custom_map/hostile_maps.h"
#include "custom_map/run_for_test.h"

namespace loom::test {
namespace {

constexpr int kArchitecture = 90;

MapRunRequest request_of(const NbbFractal& fractal, int level) {
  return {.level = level,
          .width = static_cast<std::int32_t>(fractal.width(level)),
          .height = static_cast<std::int32_t>(fractal.height(level)),
          .cells = static_cast<std::int32_t>(fractal.cells(level)),
          .shape = fractal.shape()};
}

void compile(const std::string& code, const NbbFractal& fractal) {
  const std::vector<std::string> kernels = {cuda::kLaunchKernel,       cuda::kPointsKernel,
                                            cuda::kWriteKernel,        cuda::kSmallWriteKernel,
                                            cuda::kCompactWriteKernel, cuda::kSmallCompactWriteKernel,
                                            cuda::kCountKernel};
  cuda::compile_at_run_time(cuda::map_kernel_text(request_of(fractal, 4), code), {}, kernels, kArchitecture);
}

std::vector<CodeProblem> problems_of(const std::string& code) {
  try {
    compile(code, find_fractal("sierpinski-gasket"));
  } catch (const cuda::CompilerError& error) {
    return cuda::problems_of_log(error.log());
  }
  return {};
}

/// The tests of this fixture need the compiler alone and no GPU.
class MapCompiler : public testing::Test {
 protected:
  void SetUp() override {
    if (!cuda::has_run_time_compiler()) GTEST_SKIP() << "NVRTC is not installed";
  }
};

TEST_F(MapCompiler, CompilesEveryTemplateAndSolution) {
  for (const app::MapTemplate& one : app::map_templates())
    EXPECT_NO_THROW(compile(std::string(one.code), find_fractal("sierpinski-gasket"))) << one.name;
  for (const MapKind map : kMapKinds)
    EXPECT_NO_THROW(compile(app::built_in_map_code(map, 2), find_fractal("vicsek")));
  for (const app::BundledExercise& bundled : app::bundled_exercises()) {
    const app::Exercise exercise = app::find_exercise(std::string(bundled.name));
    EXPECT_NO_THROW(compile(exercise.solution, exercise.cases.front().fractal)) << bundled.name;
    EXPECT_NO_THROW(compile(exercise.starter, exercise.cases.front().fractal)) << bundled.name;
  }
}

TEST_F(MapCompiler, ErrorsHaveLineAndColumn) {
  const std::vector<CodeProblem> problems = problems_of(map_with("  return cell(foo, 0);"));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].line, 4);
  EXPECT_EQ(problems[0].column, 15);
  EXPECT_EQ(problems[0].message, "identifier 'foo' is undefined");
}

TEST_F(MapCompiler, AFunctionWithoutBodyIsNamed) {
  const std::vector<CodeProblem> problems =
      problems_of("__device__ int fork(int);\n" + map_with("  return cell(fork(1), 0);"));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].message.substr(0, 42), "the function 'fork' is declared and has no");
}

TEST_F(MapCompiler, WarningsAreNotShownForErrors) {
  try {
    compile("__device__ int fork(int);\n" + map_with("  return cell(fork(1), 0);"),
            find_fractal("sierpinski-gasket"));
    FAIL() << "compiled";
  } catch (const cuda::CompilerError& error) {
    EXPECT_EQ(std::string(error.what()).find("warning"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("fork"), std::string::npos) << error.what();
  }
}

// Tables are bits of 32 or 64 bits, or arrays for many replicas.
TEST_F(MapCompiler, CompilesForTablesOfEverySize) {
  std::vector<Coord32> all;
  for (std::uint32_t i = 0; i < 64; ++i) all.push_back({i % 8, i / 8});
  for (const NbbFractal& fractal :
       {find_fractal("cantor"), find_fractal("candy"), NbbFractal("all", 8, 8, all)}) {
    for (const app::MapTemplate& one : app::map_templates())
      EXPECT_NO_THROW(compile(std::string(one.code), fractal)) << one.name << " " << fractal.name();
  }
}

TEST_F(MapCompiler, CompilesInTheSandbox) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const cuda::ExitGuard loaded;
    const bool filtered = enter_sandbox(20000, RefusedCall::kFails);
    try {
      compile(kLambda, find_fractal("sierpinski-gasket"));
    } catch (const std::exception&) {
      _exit(1);
    }
    _exit(filtered && open("/etc/passwd", 0) < 0 ? 0 : 2);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

/// These need a GPU.
class MapOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    backend_ = select_map_backend(BackendChoice::kAuto);
    if (backend_.device.on_host) GTEST_SKIP() << backend_.reason;
  }
  MapResult run(const std::string& code, int level, MapStorage measure = MapStorage::kNone) const {
    return run_map(own_program(), find_fractal("sierpinski-gasket"),
                   {.code = code,
                    .level = level,
                    .time_limit = std::chrono::milliseconds(2000),
                    .measure = measure,
                    .device = backend_.device});
  }
  MapBackend backend_;
};

TEST_F(MapOnGpu, CountsLikeTheCpu) {
  for (const char* const code : {kBoundingBox, kLambda}) {
    const MapResult gpu = run(code, 6);
    ASSERT_EQ(gpu.outcome, MapOutcome::kRan) << (gpu.problems.empty() ? "" : to_string(gpu.problems.front()));
    EXPECT_EQ(gpu.coverage, run_on_gasket(code, 6).coverage);
    EXPECT_TRUE(gpu.has_seccomp);
  }
}

TEST_F(MapOnGpu, CountsLargeLevelsOnTheDevice) {
  const MapResult result = run(kBoundingBox, 14, MapStorage::kExpanded);
  ASSERT_EQ(result.outcome, MapOutcome::kRan)
      << (result.problems.empty() ? "" : to_string(result.problems.front()));
  EXPECT_TRUE(result.coverage.is_exact());
  EXPECT_EQ(result.coverage.cells, 4782969u);
  EXPECT_EQ(result.coverage.once, 4782969u);
  EXPECT_EQ(result.coverage.threads, std::uint64_t{1} << 28);
  EXPECT_EQ(result.coverage.none, (std::uint64_t{1} << 28) - 4782969);
  EXPECT_EQ(result.coverage.warps, std::uint64_t{1} << 23);
  // Tiles of 8 x 8 points: those with a cell are those of level 11.
  EXPECT_EQ(result.coverage.blocks - result.coverage.empty_blocks, 177147u);
  EXPECT_TRUE(result.single_write_milliseconds);
  // Thread blocks of 3 threads: each cell is reached once, and the last one twice more.
  const MapResult twice =
      run("__host__ Launch launch(Fractal f) { return grid1d(f.cells / 3 + 1, 3); }\n"
          "__device__ Cell cell_of_thread(Fractal f) {\n"
          "  return cell(0, min((int)(blockIdx.x * 3 + threadIdx.x), f.height - 1));\n}\n",
          14);
  ASSERT_EQ(twice.outcome, MapOutcome::kRan);
  EXPECT_EQ(twice.coverage.once, 16383u);
  EXPECT_EQ(twice.coverage.repeated, 1u);
  EXPECT_EQ(twice.coverage.missed, 4782969u - 16384u);
}

TEST_F(MapOnGpu, SolutionsPass) {
  for (const app::BundledExercise& bundled : app::bundled_exercises()) {
    const app::Grader grader(own_program(), app::find_exercise(std::string(bundled.name)), backend_.device,
                             std::chrono::milliseconds(5000));
    const app::Grade grade = grader.grade(grader.exercise().solution);
    EXPECT_TRUE(grade.passed) << bundled.name << ": " << grade.problem;
  }
}

TEST_F(MapOnGpu, HostileCodeCostsTheAttemptAndNothingElse) {
  for (const Hostile& map : hostile_maps()) {
    SCOPED_TRACE(map.name);
    const auto begin = std::chrono::steady_clock::now();
    const MapResult result = run(map.code, 4);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
    // What is undefined in CUDA, such as a division by zero, may end without a message, but covers nothing.
    if (result.outcome == MapOutcome::kRan) {
      EXPECT_FALSE(result.coverage.is_exact());
    } else {
      EXPECT_FALSE(result.problems.empty());
    }
    std::printf("%-24s %-12s %s\n", map.name, std::string(name_of(result.outcome)).c_str(),
                result.problems.empty() ? "" : to_string(result.problems.front()).substr(0, 100).c_str());
  }
  // The device is as before.
  EXPECT_TRUE(run(kLambda, 6).coverage.is_exact());
}

}  // namespace
}  // namespace loom::test
