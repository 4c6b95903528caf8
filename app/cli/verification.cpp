#include "app/cli/verification.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "compute/core/error.h"
#include "compute/engine/reference_life.h"
#include "compute/fractal/nbb_catalog.h"

namespace loom::app {
namespace {

/// Up to this many points every point of the square is asked for by coordinate too: on a GPU each asks for a
/// copy.
constexpr std::uint64_t kMaxProbes = 1024;

/// The reference's state at one generation.
struct Expected {
  std::uint32_t generation = 0;
  std::vector<std::uint8_t> cells;
  Census census;
};

/// The reference at one fractal and level, played once for all configurations.
struct ExpectedLife {
  std::unique_ptr<ReferenceLife> reference;
  std::vector<Expected> states;  ///< by ascending generation, from 0
};

/// The generations that are compared. The early ones matter: on thin fractals everything soon dies, and a
/// dead state compares equal too easily.
std::vector<std::uint32_t> compared_generations(std::uint32_t steps) {
  std::vector<std::uint32_t> generations = {0};
  for (const std::uint32_t early : {1u, 5u}) {
    if (early < steps) generations.push_back(early);
  }
  if (steps > 0) generations.push_back(steps);
  return generations;
}

ExpectedLife play_reference(const VerifyPlan& plan, const NbbFractal& fractal, int level) {
  ExpectedLife expected{std::make_unique<ReferenceLife>(fractal, level), {}};
  ReferenceLife& reference = *expected.reference;
  reference.reset(plan.start);
  std::uint32_t generation = 0;
  for (const std::uint32_t next : compared_generations(plan.steps)) {
    reference.step(next - generation, plan.rule);
    generation = next;
    expected.states.push_back({generation, reference.cells(), reference.census()});
  }
  return expected;
}

std::optional<std::string> compare_census(std::string_view when, const Census& got, const Census& expected) {
  if (got.population == expected.population && got.hash == expected.hash) return std::nullopt;
  return fmt::format("{}: population {} and hash {:016x}, expected {} and {:016x}", when, got.population,
                     got.hash, expected.population, expected.hash);
}

std::optional<std::string> compare_cells(std::string_view when, const FractalEngine& engine,
                                         const ReferenceLife& reference,
                                         const std::vector<std::uint8_t>& expected) {
  std::vector<std::uint8_t> cells(expected.size());
  engine.read_cells(0, cells);
  const auto [got, wanted] = std::mismatch(cells.begin(), cells.end(), expected.begin());
  if (got == cells.end()) return std::nullopt;
  const auto index = static_cast<std::uint64_t>(got - cells.begin());
  const Coord64 place = reference.place(index);
  return fmt::format("{}: first differing cell {} at ({}, {}) is {}, expected {}", when, index, place.x,
                     place.y, *got, *wanted);
}

std::optional<std::string> compare_points(std::string_view when, const FractalEngine& engine,
                                          const ReferenceLife& reference,
                                          const std::vector<std::uint8_t>& expected) {
  const std::uint64_t points = reference.width() * reference.height();
  if (points > kMaxProbes) return std::nullopt;
  std::vector<std::optional<bool>> states(points);
  for (std::uint64_t i = 0; i < expected.size(); ++i) {
    const Coord64 place = reference.place(i);
    states[place.y * reference.width() + place.x] = expected[i] != 0;
  }
  const auto word = [](std::optional<bool> state) { return !state ? "a hole" : *state ? "alive" : "dead"; };
  for (std::uint64_t i = 0; i < points; ++i) {
    const Coord64 place{i % reference.width(), i / reference.width()};
    const auto state = engine.cell(place);
    if (state == states[i]) continue;
    return fmt::format("{}: the point ({}, {}) is {}, expected {}", when, place.x, place.y, word(state),
                       word(states[i]));
  }
  return std::nullopt;
}

std::optional<std::string> compare_state(const FractalEngine& engine, const ReferenceLife& reference,
                                         const Expected& expected) {
  const auto when = fmt::format("generation {}", expected.generation);
  if (auto difference = compare_cells(when, engine, reference, expected.cells)) return difference;
  if (auto difference = compare_census(when, engine.census(), expected.census)) return difference;
  return compare_points(when, engine, reference, expected.cells);
}

std::optional<std::string> compare_threads(const StepReport& report, std::uint64_t cells,
                                           std::uint32_t steps) {
  const std::uint64_t expected = cells * steps;
  if (report.threads_active == expected && report.threads_launched >= expected) return std::nullopt;
  return fmt::format("{} generations: {} of {} threads had a cell, expected {}", steps, report.threads_active,
                     report.threads_launched, expected);
}

/// The first way in which an engine differs from the reference, if any.
std::optional<std::string> find_difference(FractalEngine& engine, const VerifyPlan& plan,
                                           const ExpectedLife& expected) {
  engine.reset(plan.start);
  std::uint32_t generation = 0;
  for (const Expected& state : expected.states) {
    const std::uint32_t steps = state.generation - generation;
    const StepReport report = engine.step(steps, plan.rule);
    generation = state.generation;
    if (auto difference = compare_state(engine, *expected.reference, state)) return difference;
    if (auto difference = compare_threads(report, engine.cell_count(), steps)) return difference;
  }
  return std::nullopt;
}

/// Runs one configuration through `check` and counts what came out in `tally` (a VerifyLevel or a VerifyPin).
template <typename Tally, typename Check>
void run_case(const VerifyCase& verified, const BackendSelection& backend, VerifyResult& result, Tally& tally,
              const Check& check) {
  try {
    const auto engine = make_fractal_engine(verified.config, backend);
    if (const auto difference = check(*engine)) {
      result.differences.push_back({verified, *difference});
      ++tally.differing;
    } else {
      ++tally.passed;
    }
  } catch (const CapacityError& error) {
    result.skips.push_back({verified, error.what()});
    ++tally.skipped;
  } catch (const InputError& error) {
    // The configuration is an allowed one, so a refusal is the engine's fault, not the user's.
    result.differences.push_back({verified, fmt::format("refused: {}", error.what())});
    ++tally.differing;
  }
}

/// The check values of DESIGN.md, all with the default rule B2/S23.
std::vector<VerifyPin> pinned_values() {
  VerifyPin gasket{{find_fractal("sierpinski-gasket"), 8}};
  gasket.start = {.seed = 1, .density = 0.5};
  gasket.steps = 100;
  gasket.cells = 6561;
  gasket.census = {.population = 1372, .hash = 0x2e269e30ff0b89dd};
  VerifyPin carpet{{find_fractal("sierpinski-carpet"), 4}};
  carpet.start = {.seed = 7, .density = 0.4};
  carpet.steps = 20;
  carpet.cells = 4096;
  carpet.census = {.population = 1643, .hash = 0x5ec80c9c248e2f8f};
  return {gasket, carpet};
}

std::optional<std::string> find_difference(FractalEngine& engine, const VerifyPin& pin) {
  engine.reset(pin.start);
  engine.step(pin.steps, LifeRule{});
  if (engine.cell_count() != pin.cells) {
    return fmt::format("check value: {} cells, expected {}", engine.cell_count(), pin.cells);
  }
  return compare_census("check value", engine.census(), pin.census);
}

/// Everything that a plan comes to, so that progress can say how much there is.
class Verification {
 public:
  Verification(const VerifyPlan& plan, const VerifyProgress& progress) : plan_(plan), progress_(progress) {
    for (const VerifyPin& pin : pinned_values()) {
      if (std::find(plan.fractals.begin(), plan.fractals.end(), pin.config.fractal) != plan.fractals.end()) {
        result_.pins.push_back(pin);
        count(pin.config.fractal, pin.config.level);
      }
    }
    for (const NbbFractal& fractal : plan.fractals) {
      for (int level = plan.level_min; level <= highest_level(fractal); ++level) count(fractal, level);
    }
  }

  VerifyResult run() {
    for (VerifyPin& pin : result_.pins) {
      for_each_case(pin.config.fractal, pin.config.level,
                    [&](const VerifyCase& verified, const BackendSelection& backend) {
                      run_case(verified, backend, result_, pin,
                               [&](FractalEngine& engine) { return find_difference(engine, pin); });
                    });
    }
    for (const NbbFractal& fractal : plan_.fractals) {
      for (int level = plan_.level_min; level <= highest_level(fractal); ++level)
        verify_level(fractal, level);
    }
    return std::move(result_);
  }

 private:
  int highest_level(const NbbFractal& fractal) const {
    return std::min(plan_.level_max, fractal.max_level());
  }

  void count(const NbbFractal& fractal, int level) {
    total_ += all_methods(fractal, level, plan_.methods).size() * plan_.backends.size();
  }

  template <typename Visit>
  void for_each_case(const NbbFractal& fractal, int level, const Visit& visit) {
    for (const BackendSelection& backend : plan_.backends) {
      for (const FractalConfig& config : all_methods(fractal, level, plan_.methods)) {
        const VerifyCase verified{config, backend.kind};
        progress_(done_, total_, verified);
        visit(verified, backend);
        ++done_;
      }
    }
  }

  void verify_level(const NbbFractal& fractal, int level) {
    VerifyLevel tally{.fractal = fractal.name(), .level = level, .cells = fractal.cells(level)};
    const std::uint64_t needed = ReferenceLife::bytes_needed(fractal, level);
    const std::uint64_t available = bytes_free(select_backend(BackendChoice::kCpu));
    if (needed > available) {
      for_each_case(fractal, level, [&](const VerifyCase& verified, const BackendSelection&) {
        const auto why = fmt::format("the reference needs {} bytes, {} are free", needed, available);
        result_.skips.push_back({verified, why});
        ++tally.skipped;
      });
    } else {
      const ExpectedLife expected = play_reference(plan_, fractal, level);
      tally.census = expected.states.back().census;
      for_each_case(fractal, level, [&](const VerifyCase& verified, const BackendSelection& backend) {
        run_case(verified, backend, result_, tally,
                 [&](FractalEngine& engine) { return find_difference(engine, plan_, expected); });
      });
    }
    result_.levels.push_back(tally);
  }

  const VerifyPlan& plan_;
  const VerifyProgress& progress_;
  VerifyResult result_;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace

std::string to_string(const VerifyCase& verified) {
  const FractalConfig& config = verified.config;
  std::string method(name_of(config.map));
  if (config.map != MapKind::kBoundingBox) {
    method += fmt::format(", {}, {}", name_of(config.arithmetic), name_of(config.intra_block));
  }
  if (config.map == MapKind::kCompact) method += config.halo ? ", halo on" : ", halo off";
  return fmt::format("{} level {}, {}, block {}, {}", config.fractal.name(), config.level, method,
                     config.block, name_of(verified.backend));
}

std::uint64_t VerifyResult::passed() const {
  std::uint64_t passed = 0;
  for (const VerifyLevel& level : levels) passed += level.passed;
  for (const VerifyPin& pin : pins) passed += pin.passed;
  return passed;
}

VerifyResult verify(const VerifyPlan& plan, const VerifyProgress& progress) {
  return Verification(plan, progress).run();
}

}  // namespace loom::app
