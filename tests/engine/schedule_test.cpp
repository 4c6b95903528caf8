#include <omp.h>

#include <cstdlib>
#include <random>
#include <span>
#include <vector>

#include "backend.h"
#include "compute/check/reference_life.h"
#include "compute/workload/rule_text.h"

namespace loom {
namespace {

/// Number of random schedules. LOOM_SCHEDULES sets another number, LOOM_SCHEDULE_SEED another first seed.
#ifdef __SANITIZE_ADDRESS__
constexpr int kSchedules = 10;
#else
constexpr int kSchedules = 40;
#endif
constexpr int kMostSwitches = 50;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

class Schedule : public tests::EngineTest {
 protected:
  void TearDown() override { omp_set_num_threads(threads_); }

  /// A random configuration: any method, tile size and storage that this fractal and level allow.
  const FractalConfig& any_config(std::span<const FractalConfig> configs) {
    return configs[random_() % configs.size()];
  }
  /// The tested backend or, in one of three cases, the CPU.
  BackendSelection any_backend() {
    const BackendSelection cpu = select_backend(BackendChoice::kCpu);
    return random_() % 3 == 0 ? cpu : backend_;
  }
  void play(std::uint64_t seed);

  int threads_ = omp_get_max_threads();
  std::mt19937_64 random_;
};

// Switches one field between random engines and compares its cells with ReferenceLife after each step.
void Schedule::play(std::uint64_t seed) {
  random_.seed(seed);
  const auto& all = catalog();
  const NbbFractal& fractal = all[random_() % all.size()];
  int most = 0;
  while (most < fractal.max_level() && fractal.cells(most + 1) <= 3000) ++most;
  const int level = static_cast<int>(random_() % static_cast<std::uint64_t>(most + 1));
  // A random rule: each of the nine birth and nine survival counts is on or off.
  std::string rule_text = "B";
  const std::uint64_t bits = random_();
  for (int n = 0; n < 9; ++n) rule_text += (bits >> n & 1) != 0 ? std::to_string(n) : "";
  rule_text += "/S";
  for (int n = 0; n < 9; ++n) rule_text += (bits >> (9 + n) & 1) != 0 ? std::to_string(n) : "";
  const LifeRule rule = parse_rule(rule_text);
  const RandomStart start{random_(), static_cast<double>(random_() % 101) / 100};
  const std::vector<FractalConfig> configs = all_methods(fractal, level, MethodSet::kAll);

  SCOPED_TRACE("schedule " + std::to_string(seed) + ", " + rule_text);
  ReferenceLife reference(fractal, level);
  reference.reset(start);
  auto engine = make_fractal_engine(any_config(configs), any_backend());
  engine->reset(start);
  std::uint64_t generation = 0;
  const int switches = 1 + static_cast<int>(random_() % kMostSwitches);
  for (int i = 0; i <= switches; ++i) {
    omp_set_num_threads(1 + static_cast<int>(random_() % 64));
    const auto count = static_cast<std::uint32_t>(random_() % 4);
    engine->step(count, rule);
    reference.step(count, rule);
    generation += count;
    std::vector<std::uint8_t> cells(static_cast<std::size_t>(engine->cell_count()));
    engine->read_cells(0, cells);
    SCOPED_TRACE(tests::describe(engine->config()) + ", switch " + std::to_string(i) + ", generation " +
                 std::to_string(generation));
    ASSERT_EQ(cells, reference.cells());
    const Census expected = reference.census();
    const Census census = engine->census();
    ASSERT_EQ(census.hash, expected.hash);
    ASSERT_EQ(census.population, expected.population);
    ASSERT_EQ(engine->generation(), generation);
    auto next = make_fractal_engine(any_config(configs), any_backend());
    transfer_cells(*engine, *next);
    engine = std::move(next);
  }
}

TEST_F(Schedule, WhateverIsSwitchedTheCellsAreThoseOfPlainLife) {
  const std::uint64_t first = number_from("LOOM_SCHEDULE_SEED", 1);
  const std::uint64_t count = number_from("LOOM_SCHEDULES", kSchedules);
  for (std::uint64_t i = 0; i < count && !HasFatalFailure(); ++i) play(first + i);
}

}  // namespace
}  // namespace loom
