// Random programs: the interpreter against the same tree in C++, compiled by the system's compiler.

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>

#include "compute/map_code/machine.h"
#include "compute/map_code/stepper.h"
#include "compute/map_code/translation.h"
#include "map_code/random_map.h"
#include "map_code/run_for_test.h"

namespace loom::test {
namespace {

constexpr int kLevel = 4;
constexpr int kOfFile = 250;

// Written for the test: it shares nothing with the interpreter.
constexpr const char* kPrelude = R"(
#include <setjmp.h>
struct Cell { int x, y; };
struct Launch { long long grid_x, grid_y, block_x, block_y; };
static const int loom_level = 4, loom_width = 16, loom_height = 16, loom_cells = 81, loom_k = 3, loom_s_x = 2, loom_s_y = 2;
static unsigned loom_threadIdx_x, loom_threadIdx_y, loom_blockIdx_x, loom_blockIdx_y, loom_blockDim_x, loom_blockDim_y,
    loom_gridDim_x = 2, loom_gridDim_y = 2;
static Cell loom_cell(int x, int y) { Cell c = {x, y}; return c; }
static Cell loom_none() { return loom_cell(-2147483647 - 1, 0); }
static int loom_is_cell(int x, int y) { return x >= 0 && y >= 0 && x < 16 && y < 16 && (x & (15 - y)) == 0; }
static int loom_offset_x(int d) { return d == 2; }
static int loom_offset_y(int d) { return d == 1 || d == 2; }
static int loom_replica_at(int x, int y) {
  return x == 0 && y == 0 ? 0 : x == 0 && y == 1 ? 1 : x == 1 && y == 1 ? 2 : -1;
}
static int loom_power(int base, int exponent) { unsigned p = 1; while (exponent-- > 0) p *= (unsigned)base; return (int)p; }
static int loom_min(int a, int b) { return a < b ? a : b; }
static int loom_max(int a, int b) { return a > b ? a : b; }
static Launch loom_grid2d(long long a, long long b, long long c, long long d) { Launch l = {a, b, c, d}; return l; }
static Launch loom_grid1d(long long a, long long b) { return loom_grid2d(a, 1, b, 1); }
static jmp_buf loom_end;
static int loom_fault;
static int loom_depth;
#define LOOM_FUNCTION static
#define LOOM_TABLE static const
#define LOOM_STATE void*
#define LOOM_STOP(fault, line) { loom_fault = (line) << 4 | fault; longjmp(loom_end, 1); }
#define LOOM_SPEND(cost, line)
#define LOOM_ENTER(line) if (++loom_depth > 64) LOOM_STOP(4, line)
#define LOOM_LEAVE --loom_depth;
)";
constexpr const char* kEntry = R"(
extern "C" int run{0}(unsigned bx, unsigned by, unsigned tx, unsigned ty, unsigned width, Cell* cell) {{
  loom_blockIdx_x = bx; loom_blockIdx_y = by; loom_threadIdx_x = tx; loom_threadIdx_y = ty;
  loom_blockDim_x = width; loom_blockDim_y = 4;
  loom_fault = loom_depth = 0;
  if (setjmp(loom_end) == 0) *cell = p{0}::{1}(0);
  return loom_fault;
}}
)";
using Run = int (*)(unsigned, unsigned, unsigned, unsigned, unsigned, MapPoint*);

/// Compiles a file and compares each of its maps.
void compare(std::uint32_t first, int count) {
  std::string text = kPrelude;
  std::vector<std::string> maps;
  for (int i = 0; i < count; ++i) {
    maps.push_back(RandomMap(first + static_cast<std::uint32_t>(i)).text());
    const MapProgram program = parse_map_code(maps.back());
    ASSERT_TRUE(program.problems.empty()) << to_string(program.problems.front()) << "\n" << maps.back();
    text += fmt::format("namespace p{} {{\n#undef LOOM_CHECK\n#undef LOOM_CHECK_DIVISION\n{}}}\n", i,
                        translated(*program.tree));
    text += fmt::format(kEntry, i, function_name(program.tree->cell_of_thread));
  }
  const std::string base = fmt::format("{}random-maps-{}-{}", testing::TempDir(), getpid(), first);
  std::ofstream(base + ".cpp") << text;
  ASSERT_EQ(
      std::system(fmt::format("{0} -w -O0 -shared -fPIC -o {1}.so {1}.cpp", LOOM_C_COMPILER, base).c_str()),
      0);
  void* const library = dlopen((base + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  int faults = 0;
  for (int i = 0; i < count; ++i) {
    const auto run = reinterpret_cast<Run>(dlsym(library, fmt::format("run{}", i).c_str()));
    const MapResult result =
        run_on_gasket(maps[static_cast<std::size_t>(i)], kLevel, std::chrono::milliseconds(60000));
    const auto one = [&](const MapThread& thread, MapPoint& point) {
      return run(static_cast<unsigned>(thread.block_x), static_cast<unsigned>(thread.block_y),
                 static_cast<unsigned>(thread.thread_x), static_cast<unsigned>(thread.thread_y),
                 static_cast<unsigned>(result.launch.block_x), &point);
    };
    MapPoint point;
    if (result.outcome != MapOutcome::kRan) {
      // The thread that the message names stops at the line that it names.
      ++faults;
      MapThread thread;
      const std::string& message = result.problems.front().message;
      const std::size_t at = message.find("in thread (");
      ASSERT_NE(at, std::string::npos) << message << "\n" << maps[static_cast<std::size_t>(i)];
      ASSERT_EQ(std::sscanf(message.c_str() + at, "in thread (%ld, %ld) of block (%ld, %ld)",
                            &thread.thread_x, &thread.thread_y, &thread.block_x, &thread.block_y),
                4);
      const int fault = one(thread, point);
      // Of calls within each other, those of other functions count there too.
      if (message.find("stack overflow") != std::string::npos) {
        ASSERT_EQ(fault & 15, 4) << message;
        continue;
      }
      ASSERT_EQ(fault >> 4, result.problems.front().line) << message << "\n"
                                                          << maps[static_cast<std::size_t>(i)];
      continue;
    }
    for (std::uint64_t t = 0; t < result.launch.threads(); ++t) {
      ASSERT_EQ(one(thread_of(result.launch, t), point), 0) << maps[static_cast<std::size_t>(i)];
      ASSERT_TRUE(result.points[t] == point) << "seed " << first + static_cast<std::uint32_t>(i) << " thread "
                                             << t << ": (" << result.points[t].x << ", " << result.points[t].y
                                             << "), expected (" << point.x << ", " << point.y << ")\n"
                                             << maps[static_cast<std::size_t>(i)];
    }
  }
  EXPECT_LT(faults, count / 2 + 2);
  dlclose(library);
  std::remove((base + ".so").c_str());
  std::remove((base + ".cpp").c_str());
}

// LOOM_RANDOM_MAPS=100000 compares that many.
TEST(RandomMaps, RunAsTheirTranslationDoes) {
  const char* const wanted = std::getenv("LOOM_RANDOM_MAPS");
  const int count = wanted == nullptr ? kOfFile : std::atoi(wanted);
  for (int first = 0; first < count; first += kOfFile) {
    compare(static_cast<std::uint32_t>(first), std::min(kOfFile, count - first));
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// All that a state shows.
std::string picture(const MapStepper& stepper) {
  std::string text = fmt::format("{} {} {} {:x} {:x}\n", stepper.state(), stepper.statement(), stepper.line(),
                                 stepper.mask(), stepper.returned());
  for (const StepVariable& one : stepper.variables(true))
    text += fmt::format("{} {} {}\n", one.depth, one.name, fmt::join(one.values, " "));
  for (const StepLine& one : stepper.line_counts())
    text += fmt::format("{} {} {} {:x} ", one.executions, one.lanes, one.divergent, one.last_mask);
  return text + fmt::format("{} {}", stepper.counts().lanes, stepper.counts().divergent);
}

TEST(RandomMaps, SteppingBackIsTheRecordedStateAndTheEndIsThatOfTheRun) {
  int compared = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const std::string map = RandomMap(seed).text();
    const MapProgram program = parse_map_code(map);
    ASSERT_TRUE(program.problems.empty()) << to_string(program.problems.front()) << "\n" << map;
    const MapResult result = run_on_gasket(map, kLevel, std::chrono::milliseconds(60000));
    MapStepper stepper(program, find_fractal("sierpinski-gasket"), kLevel, 1, 0, 0);
    std::vector<std::string> states = {picture(stepper)};
    std::vector<std::uint64_t> numbers = {stepper.state()};
    while (states.size() < 400 && stepper.step()) {
      states.push_back(picture(stepper));
      numbers.push_back(stepper.state());
    }
    for (std::size_t i = states.size() - 1; i-- > 0;) {
      ASSERT_TRUE(stepper.back());
      ASSERT_EQ(picture(stepper), states[i]) << map;
    }
    EXPECT_FALSE(stepper.back());
    ASSERT_TRUE(stepper.seek(numbers.back()) || numbers.size() == 1);
    ASSERT_EQ(picture(stepper), states.back());
    while (stepper.run({})) {
    }
    if (result.outcome != MapOutcome::kRan) continue;
    ASSERT_TRUE(stepper.is_at_end());
    const std::size_t first = result.launch.threads_per_block();
    for (std::size_t lane = 0; lane < 32; ++lane)
      if (stepper.lanes() >> lane & 1) {
        ASSERT_TRUE(stepper.points()[lane] == result.points[first + lane]) << map;
        ++compared;
      }
  }
  EXPECT_GT(compared, 200);
}

}  // namespace
}  // namespace loom::test
