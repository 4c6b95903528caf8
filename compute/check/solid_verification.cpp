#include "compute/check/solid_verification.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "compute/backend/engine_factory.h"
#include "compute/check/reference_solid.h"
#include "compute/core/error.h"

namespace loom {
namespace {

/// Up to this number of points, the state of every point is read by coordinate too.
constexpr std::uint64_t kMaxProbes = 1024;

using Difference = std::optional<std::string>;

struct ExpectedState {
  std::uint32_t generation = 0;
  std::vector<std::uint8_t> cells;
};

/// The reference for one fractal and level, computed once for all configurations.
struct ExpectedSolid {
  std::unique_ptr<ReferenceSolid> reference;
  std::vector<ExpectedState> states;
  Census census = {};
  std::uint64_t start_sum = 0;
  std::uint64_t last_sum = 0;
  std::vector<std::uint8_t> written = {};  ///< after a single write that follows the last generation
};

std::uint32_t steps_of(const SolidVerifyPlan& plan, std::uint64_t cells) {
  if (!plan.max_cells) return plan.steps;
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(plan.steps, std::max<std::uint64_t>(2, *plan.max_cells / cells)));
}

ExpectedSolid run_reference(const SolidVerifyPlan& plan, const SolidFractal& fractal, int level) {
  ExpectedSolid expected{.reference = std::make_unique<ReferenceSolid>(fractal, level), .states = {}};
  ReferenceSolid& reference = *expected.reference;
  reference.reset(plan.start);
  expected.start_sum = reference.reduction_sum();
  const std::uint32_t steps = steps_of(plan, reference.cell_count());
  std::uint32_t generation = 0;
  for (const std::uint32_t next : {0u, 1u, 5u, steps}) {
    if (next > steps || (next == generation && !expected.states.empty())) continue;
    reference.step(next - generation, plan.rule);
    generation = next;
    expected.states.push_back({generation, reference.cells()});
  }
  expected.census = reference.census();
  expected.last_sum = reference.reduction_sum();
  reference.single_write(generation);
  expected.written = reference.cells();
  return expected;
}

Difference compare_cells(std::string_view when, const SolidEngine& engine, const ReferenceSolid& reference,
                         const std::vector<std::uint8_t>& expected) {
  std::vector<std::uint8_t> cells(expected.size());
  engine.read_cells(0, cells);
  const auto [got, wanted] = std::mismatch(cells.begin(), cells.end(), expected.begin());
  if (got == cells.end()) return std::nullopt;
  const auto index = static_cast<std::uint64_t>(got - cells.begin());
  const auto place = reference.place(index);
  return fmt::format("{}: first differing cell {} at ({}, {}, {}) is {}, expected {}", when, index, place[0],
                     place[1], place[2], *got, *wanted);
}

Difference compare_points(const SolidEngine& engine, const ReferenceSolid& reference,
                          const std::vector<std::uint8_t>& expected) {
  if (reference.points() > kMaxProbes) return std::nullopt;
  std::vector<std::optional<bool>> states(reference.points());
  const Coord3 size = engine.config().fractal.size(engine.config().level);
  for (std::uint64_t i = 0; i < expected.size(); ++i) {
    const auto place = reference.place(i);
    states[(place[2] * size.y + place[1]) * size.x + place[0]] = expected[i] != 0;
  }
  for (std::uint64_t i = 0; i < states.size(); ++i) {
    const auto at = reference.coordinate(i);
    const Coord3 point{static_cast<std::uint32_t>(at[0]), static_cast<std::uint32_t>(at[1]),
                       static_cast<std::uint32_t>(at[2])};
    if (engine.cell(point) != states[i])
      return fmt::format("the point ({}, {}, {}) has a wrong state", at[0], at[1], at[2]);
  }
  return std::nullopt;
}

/// Compares the counted threads with the definition of the map.
Difference compare_threads(const SolidEngine& engine, const Device& device) {
  const SolidConfig& config = engine.config();
  const TiledSolid tiled = make_tiled_solid(config.fractal, config.level, config.tile_size);
  const ThreadCount counted = engine.count_threads();
  const bool box = config.method.map == MapKind::kBoundingBox;
  const std::uint64_t occupied = config.fractal.cells(tiled.coarse_level);
  const std::uint64_t tiles = box ? box_tiles(tiled) : occupied;
  const bool per_point = box || config.method.intra_block == IntraBlock::kSubBox;
  const std::uint64_t per_tile = per_point ? tiled.points_per_tile() : tiled.tile_cells;
  ThreadCount expected{.tiles_launched = tiles,
                       .tiles_occupied = occupied,
                       .threads_launched = tiles * per_tile,
                       .threads_active = tiled.cells};
  if (device.warps) {
    const SolidLaunch launch = solid_launch(config.method, tiled);
    expected.thread_blocks = launch.blocks;
    expected.threads_launched = launch.blocks * launch.tiling.tiles * per_tile;
    expected.threads_without_tile = expected.threads_launched - tiles * per_tile;
  }
  if (counted == expected) return std::nullopt;
  return fmt::format("threads: {} launched, {} active, {} misplaced, {} tiles; expected {}, {}, 0 and {}",
                     counted.threads_launched, counted.threads_active, counted.threads_misplaced,
                     counted.tiles_launched, expected.threads_launched, expected.threads_active,
                     expected.tiles_launched);
}

Difference first_difference(SolidEngine& engine, const Device& device, const SolidVerifyPlan& plan,
                            const ExpectedSolid& expected) {
  const SolidWork sum{.workload = Workload::kReduction};
  const ReferenceSolid& reference = *expected.reference;
  engine.reset(plan.start);
  if (engine.run(1, sum).sum != expected.start_sum) return "the sum of the random start is wrong";
  std::uint32_t generation = 0;
  for (const ExpectedState& state : expected.states) {
    engine.run(state.generation - generation, {.rule = plan.rule});
    generation = state.generation;
    const auto when = fmt::format("generation {}", generation);
    if (auto difference = compare_cells(when, engine, reference, state.cells)) return difference;
    if (generation == 0) {
      if (auto difference = compare_points(engine, reference, state.cells)) return difference;
    }
  }
  const Census census = engine.census();
  if (census.population != expected.census.population || census.hash != expected.census.hash) {
    return fmt::format("population {} and hash {:016x}, expected {} and {:016x}", census.population,
                       census.hash, expected.census.population, expected.census.hash);
  }
  if (engine.run(1, sum).sum != expected.last_sum) return "the sum of the last generation is wrong";
  if (auto difference = compare_threads(engine, device)) return difference;
  engine.run(1, {.workload = Workload::kSingleWrite});
  return compare_cells("single write", engine, reference, expected.written);
}

std::string text_of(const SolidConfig& config, const BackendSelection& backend) {
  return fmt::format("{} level {}, {}{}, block {}, {}", config.fractal.name(), config.level,
                     to_string(config.method), config.method.halo ? "" : " --halo off", config.tile_size,
                     name_of(backend.device.kind));
}

/// The check value: menger-sponge level 3, B5..7/S4..7, seed 1, density 0.3, 20 generations.
bool gives_check_value(SolidEngine& engine) {
  engine.reset({.seed = 1, .density = 0.3});
  engine.run(20, {.rule = {}});
  const Census census = engine.census();
  return engine.cell_count() == 8000 && census.population == 1653 && census.hash == 0x40291969d9579656u;
}

}  // namespace

SolidRule solid_verify_rule() {
  return parse_solid_rule("B0,2,5..7/S1,3..7");
}

std::vector<SolidConfig> all_solid_methods(const SolidFractal& fractal, int level, const Device& device) {
  std::vector<SolidConfig> configs;
  const auto add = [&](SolidConfig config) {
    configs.push_back(config);
    if (config.method.map != MapKind::kCompact) return;
    config.method.halo = false;
    configs.push_back(config);
  };
  for (const MapKind map : kMapKinds) {
    for (const std::uint32_t tile_size : allowed_tile_sizes(fractal, level)) {
      SolidConfig config{.fractal = fractal, .level = level, .tile_size = tile_size, .method = {.map = map}};
      if (map == MapKind::kBoundingBox) {
        add(config);
        continue;
      }
      for (const MapArithmetic arithmetic : {MapArithmetic::kLoop, MapArithmetic::kTable}) {
        for (const IntraBlock intra_block : kIntraBlocks) {
          config.method.arithmetic = arithmetic;
          config.method.intra_block = intra_block;
          add(config);
        }
      }
      if (!device.warps) continue;
      const TiledSolid tiled = make_tiled_solid(fractal, level, config.tile_size);
      for (const std::uint32_t number : allowed_solid_tiles(config.method, tiled)) {
        config.method.tiles = number;
        add(config);
      }
    }
  }
  return configs;
}

std::uint64_t SolidVerifyResult::passed() const {
  std::uint64_t passed = 0;
  for (const VerifyLevel& level : levels) passed += level.passed;
  return passed;
}

SolidVerifyResult verify_solids(const SolidVerifyPlan& plan, const SolidVerifyProgress& progress) {
  SolidVerifyResult result;
  std::uint64_t total = 0;
  std::uint64_t done = 0;
  const auto highest = [&](const SolidFractal& fractal) {
    return std::min(plan.level_max, fractal.max_level());
  };
  for (const SolidFractal& fractal : plan.fractals) {
    for (int level = plan.level_min; level <= highest(fractal); ++level) {
      for (const BackendSelection& backend : plan.backends)
        total += all_solid_methods(fractal, level, backend.device).size();
    }
  }
  for (const SolidFractal& fractal : plan.fractals) {
    for (int level = plan.level_min; level <= highest(fractal); ++level) {
      VerifyLevel tally{.fractal = fractal.name(), .level = level, .cells = fractal.cells(level)};
      const std::uint64_t needed = ReferenceSolid::bytes_needed(fractal, level);
      const bool fits = needed <= bytes_free(select_backend(BackendChoice::kCpu));
      std::optional<ExpectedSolid> expected;
      if (fits) {
        expected = run_reference(plan, fractal, level);
        tally.steps = expected->states.back().generation;
        tally.census = expected->census;
        tally.start_sum = expected->start_sum;
      }
      for (const BackendSelection& backend : plan.backends) {
        for (const SolidConfig& config : all_solid_methods(fractal, level, backend.device)) {
          const std::string text = text_of(config, backend);
          progress(done++, total, text);
          if (!expected) {
            result.skips.push_back(fmt::format("{}: the reference needs {}", text, describe_bytes(needed)));
            ++tally.skipped;
            continue;
          }
          Difference difference;
          try {
            const auto engine = make_solid_engine(config, backend);
            difference = first_difference(*engine, backend.device, plan, *expected);
            if (!difference && level == 3 && fractal.name() == "menger-sponge") {
              if (gives_check_value(*engine)) {
                ++result.check_values;
              } else {
                difference = "the check value is wrong";
              }
            }
          } catch (const CapacityError& error) {
            result.skips.push_back(fmt::format("{}: {}", text, error.what()));
            ++tally.skipped;
            continue;
          } catch (const InputError& error) {
            difference = fmt::format("refused: {}", error.what());
          }
          if (difference) {
            result.differences.push_back(text + ": " + *difference);
            ++tally.differing;
          } else {
            ++tally.passed;
          }
        }
      }
      result.levels.push_back(tally);
    }
  }
  return result;
}

}  // namespace loom
