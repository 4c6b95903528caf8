// Random programs: the interpreter and the translation of its code against the same programs written in C++,
// compiled by the system's compiler.

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>

#include "compute/map_code/code.h"
#include "compute/map_code/stepper.h"
#include "map_code/random_map.h"
#include "map_code/run_for_test.h"

namespace loom::test {
namespace {

constexpr int kLevel = 4;
constexpr int kOfFile = 250;
constexpr int kTranslated = 10;  ///< one of these many is compared with its translation as well

// Written for the test: it shares nothing with the interpreter.
constexpr const char* kTwinPrelude = R"(
struct Cell { int x, y; };
struct Place { unsigned x, y; };
static Place threadIdx, blockIdx, blockDim, gridDim = {2, 2};
struct Fault { int kind, line; };
static int loom_depth;
struct Depth {
  explicit Depth(int line) { if (++loom_depth > 64) throw Fault{4, line}; }
  ~Depth() { --loom_depth; }
};
static Cell cell(int x, int y) { return {x, y}; }
static Cell none() { return {-2147483647 - 1, 0}; }
static int is_cell(int x, int y) { return x >= 0 && y >= 0 && x < 16 && y < 16 && (x & (15 - y)) == 0; }
static int offset_x(int d) { return d == 2; }
static int offset_y(int d) { return d == 1 || d == 2; }
static int replica_at(int x, int y) {
  return x == 0 && y == 0 ? 0 : x == 0 && y == 1 ? 1 : x == 1 && y == 1 ? 2 : -1;
}
static int power(int base, int exponent) { unsigned p = 1; while (exponent-- > 0) p *= (unsigned)base; return (int)p; }
static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }

// Braces evaluate from left to right.
template <char sign, char next, typename A, typename B>
auto apply(A a, B b, int line) {
  const auto x = +a;
  const auto y = +b;
  constexpr int places = 8 * sizeof(x) - 1;
  if constexpr (sign == '/' || sign == '%') {
    using T = decltype(x + y);
    if ((T)y == 0) throw Fault{1, line};
    if ((T)-1 < 0 && (T)y == (T)-1 && (T)x == (T)((T)1 << (8 * sizeof(T) - 1))) throw Fault{2, line};
    return sign == '/' ? (T)x / (T)y : (T)x % (T)y;
  }
  else if constexpr (sign == '<' && next == '<') return x << ((int)y & places);
  else if constexpr (sign == '>' && next == '>') return x >> ((int)y & places);
  else if constexpr (sign == '+') return x + y;
  else if constexpr (sign == '-') return x - y;
  else if constexpr (sign == '*') return x * y;
  else if constexpr (sign == '&') return x & y;
  else if constexpr (sign == '|') return x | y;
  else if constexpr (sign == '^') return x ^ y;
  else if constexpr (sign == '=') return (int)(x == y);
  else if constexpr (sign == '!') return (int)(x != y);
  else if constexpr (sign == '<' && next == '=') return (int)(x <= y);
  else if constexpr (sign == '>' && next == '=') return (int)(x >= y);
  else if constexpr (sign == '<') return (int)(x < y);
  else return (int)(x > y);
}
template <typename A, typename B>
struct Pair {
  A a;
  B b;
  template <char sign, char next>
  auto as(int line) { return apply<sign, next>(a, b, line); }
  template <typename F>
  auto call(F f) { return f(a, b); }
};
template <typename T, typename V>
struct Set {
  T& place;
  V value;
  template <char sign, char next>
  T as(int line) {
    if constexpr (sign == '=') return place = (T)value;
    else return place = (T)apply<sign, next>(place, value, line);
  }
};
template <typename A, typename B> Pair(A, B) -> Pair<A, B>;
template <typename T, typename V> Set(T&, V) -> Set<T, V>;
#define LOOM_PAIR(sign, a, b) Pair{a, b}.template as<#sign[0], #sign[1]>(__LINE__)
#define LOOM_SET(sign, a, b) Set{a, b}.template as<#sign[0], #sign[1]>(__LINE__)
template <typename T> T pre(T& place, int by) { return place = (T)(place + by); }
template <typename T> T post(T& place, int by) { const T old = place; place = (T)(place + by); return old; }
template <typename I> struct At { I index; int line; };
template <typename I> At(I, int) -> At<I>;
template <typename T, int n>
struct Array {
  T data[n];
  T& operator[](int i) { return data[i]; }
  template <typename I> T& operator[](At<I> at) {
    if ((unsigned long long)at.index >= n) throw Fault{3, at.line};
    return data[at.index];
  }
};
)";
constexpr const char* kTranslationPrelude = R"(
static const int loom_level = 4, loom_width = 16, loom_height = 16, loom_cells = 81, loom_k = 3, loom_s_x = 2, loom_s_y = 2;
#define loom_threadIdx_x threadIdx.x
#define loom_threadIdx_y threadIdx.y
#define loom_blockIdx_x blockIdx.x
#define loom_blockIdx_y blockIdx.y
#define loom_blockDim_x blockDim.x
#define loom_blockDim_y blockDim.y
#define loom_gridDim_x gridDim.x
#define loom_gridDim_y gridDim.y
#define loom_is_cell is_cell
#define loom_offset_x offset_x
#define loom_offset_y offset_y
#define loom_replica_at replica_at
#define loom_power power
#define LOOM_FUNCTION static
#define LOOM_SHARED static inline
#define LOOM_TABLE static const
#define LOOM_STATE void*
#define LOOM_STOP(fault, line) throw Fault{fault, line};
#define LOOM_SPEND(cost, line)
#define LOOM_ENTER(line) if (++loom_depth > 64) LOOM_STOP(4, line)
#define LOOM_LEAVE --loom_depth;
)";
constexpr const char* kEntry = R"(
extern "C" int run{0}(unsigned bx, unsigned by, unsigned tx, unsigned ty, unsigned width, bool translated, Cell* cell) {{
  blockIdx = {{bx, by}}; threadIdx = {{tx, ty}}; blockDim = {{width, 4}};
  loom_depth = 0;
  try {{
    if (translated) {1}; else *cell = p{0}::cell_of_thread();
  }} catch (const Fault& fault) {{ return fault.line << 4 | fault.kind; }}
  return 0;
}}
)";
using Run = int (*)(unsigned, unsigned, unsigned, unsigned, unsigned, bool, MapPoint*);

/// Compiles a file and compares each of its maps.
void compare(std::uint32_t first, int count) {
  std::string text = std::string(kTwinPrelude) + kTranslationPrelude;
  std::vector<std::string> maps;
  for (int i = 0; i < count; ++i) {
    std::uint32_t seed = first + static_cast<std::uint32_t>(i);
    Twin twin = RandomMap(seed).twin();
    MapProgram program = parse_map_code(twin.map);
    // One of some 40,000 has more levels than the language allows: another one takes its place.
    while (!program.problems.empty() && program.problems.front().message.starts_with("nested too deeply")) {
      twin = RandomMap(seed += 1 << 24).twin();
      program = parse_map_code(twin.map);
    }
    maps.push_back(twin.map);
    ASSERT_TRUE(program.problems.empty()) << to_string(program.problems.front()) << "\n" << twin.map;
    // The compiler takes longer for the translation than for the map.
    if (i % kTranslated == 0) text += fmt::format("namespace q{} {{{}}}\n", i, translated(*program.code));
    text += fmt::format("namespace p{} {{\n#line 1\n{}}}\n", i, twin.cpp);
    text += fmt::format(kEntry, i,
                        i % kTranslated == 0
                            ? fmt::format("q{}::f{}(0, cell->x, cell->y)", i, program.code->cell_of_thread)
                            : "throw Fault{15}");
  }
  const std::string base = fmt::format("{}random-maps-{}-{}", testing::TempDir(), getpid(), first);
  std::ofstream(base + ".cpp") << text;
  ASSERT_EQ(std::system(fmt::format("{0} -std=c++20 -fwrapv -w -O0 -shared -fPIC -o {1}.so {1}.cpp",
                                    LOOM_C_COMPILER, base)
                            .c_str()),
            0);
  void* const library = dlopen((base + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  int faults = 0;
  for (int i = 0; i < count; ++i) {
    const auto run = reinterpret_cast<Run>(dlsym(library, fmt::format("run{}", i).c_str()));
    const MapResult result =
        run_on_gasket(maps[static_cast<std::size_t>(i)], kLevel, std::chrono::milliseconds(60000));
    const auto one = [&](const MapThread& thread, MapPoint& point, bool is_translated = false) {
      return run(static_cast<unsigned>(thread.block_x), static_cast<unsigned>(thread.block_y),
                 static_cast<unsigned>(thread.thread_x), static_cast<unsigned>(thread.thread_y),
                 static_cast<unsigned>(result.launch.block_x), is_translated, &point);
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
      // The translation counts only calls of functions that call themselves.
      const bool is_deep = message.find("stack overflow") != std::string::npos;
      if (is_deep) {
        ASSERT_EQ(fault & 15, 4) << message;
      }
      if (i % kTranslated == 0 && !is_deep) {
        ASSERT_EQ(one(thread, point, true), fault) << maps[static_cast<std::size_t>(i)];
      }
      if (is_deep) continue;
      ASSERT_EQ(fault >> 4, result.problems.front().line) << message << "\n"
                                                          << maps[static_cast<std::size_t>(i)];
      continue;
    }
    for (std::uint64_t t = 0; t < result.launch.threads(); ++t) {
      MapPoint translated_point;
      ASSERT_EQ(one(thread_of(result.launch, t), point), 0) << maps[static_cast<std::size_t>(i)];
      if (i % kTranslated == 0) {
        ASSERT_EQ(one(thread_of(result.launch, t), translated_point, true), 0);
        ASSERT_TRUE(translated_point == point) << "the translation\n" << maps[static_cast<std::size_t>(i)];
      }
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

// LOOM_RANDOM_MAPS=100000 compares that many, beginning with the one of seed LOOM_RANDOM_MAPS_FROM.
TEST(RandomMaps, RunAsTheSameProgramInCpp) {
  const auto setting = [](const char* name, int otherwise) {
    const char* const text = std::getenv(name);
    return text == nullptr ? otherwise : std::atoi(text);
  };
  const int count = setting("LOOM_RANDOM_MAPS", kOfFile);
  const int from = setting("LOOM_RANDOM_MAPS_FROM", 0);
  for (int first = 0; first < count; first += kOfFile) {
    compare(static_cast<std::uint32_t>(from + first), std::min(kOfFile, count - first));
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// All that a state shows.
std::string picture(const MapStepper& stepper) {
  std::string text = fmt::format("{} {} {} {:x} {:x}\n", stepper.state(), stepper.statement(), stepper.line(),
                                 stepper.mask(), stepper.returned());
  for (const StepVariable& one : stepper.variables(true))
    text += fmt::format("{} {} {}\n", one.depth, one.name, fmt::join(one.values, " "));
  for (const LineCounts& one : stepper.line_counts())
    text += fmt::format("{} {} {} {:x} ", one.executions, one.executed_lanes, one.divergent, one.last_mask);
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
