#include "compute/check/verification.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "compute/backend/engine_factory.h"
#include "compute/check/reference_life.h"
#include "compute/check/reference_threads.h"
#include "compute/check/sampled_verification.h"
#include "compute/core/error.h"
#include "compute/engine/work_costs.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"
#include "compute/map/tiling.h"

namespace loom {
namespace {

/// Up to this number of points, the state of every point of the square is read by coordinate too; on a GPU
/// each read is a separate copy.
constexpr std::uint64_t kMaxProbes = 1024;

/// The reference's state at one generation.
struct Expected {
  std::uint32_t generation = 0;
  std::vector<std::uint8_t> cells;
  Census census;
};

/// The reference for one fractal and level, computed once for all configurations.
struct ExpectedWork {
  std::unique_ptr<ReferenceLife> reference;
  std::vector<Expected> states;  ///< states of life, by ascending generation, from 0
  std::uint64_t start_sum = 0;
  std::optional<std::uint64_t> last_sum = {};  ///< none for huge fields
  /// The states after each single write, which follow the last generation.
  std::vector<std::vector<std::uint8_t>> written;
  std::map<std::uint32_t, ReferenceTiles> tiles = {};  ///< by tile size
};

/// The number of single writes that are compared. Stripes are eight cells wide; eight writes would show a
/// complete period.
constexpr std::uint32_t kSingleWrites = 2;

/// The generations that are compared. Early generations matter: on thin fractals everything soon dies, and
/// dead states are equal too easily.
std::vector<std::uint32_t> compared_generations(std::uint32_t steps) {
  std::vector<std::uint32_t> generations = {0};
  for (const std::uint32_t early : {1u, 5u}) {
    if (early < steps) generations.push_back(early);
  }
  if (steps > 0) generations.push_back(steps);
  return generations;
}

/// Whether a field is so large that every workload runs only once.
bool is_huge(const VerifyPlan& plan, std::uint64_t cells) {
  return plan.max_cells && cells > *plan.max_cells;
}

/// At least two generations unless the field is huge, so that written cells are read again.
std::uint32_t steps_of(const VerifyPlan& plan, std::uint64_t cells) {
  if (!plan.max_cells) return plan.steps;
  const std::uint64_t least = is_huge(plan, cells) ? 1 : 2;
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(plan.steps, std::max(least, *plan.max_cells / cells)));
}

ExpectedWork run_reference(const VerifyPlan& plan, const NbbFractal& fractal, int level) {
  ExpectedWork expected{
      .reference = std::make_unique<ReferenceLife>(fractal, level), .states = {}, .written = {}};
  for (const std::uint32_t tile_size : allowed_tile_sizes(fractal, level)) {
    expected.tiles.emplace(tile_size, ReferenceTiles(fractal, level, tile_size, *expected.reference));
  }
  ReferenceLife& reference = *expected.reference;
  reference.reset(plan.start);
  expected.start_sum = reference.reduction_sum();
  std::uint32_t generation = 0;
  for (const std::uint32_t next : compared_generations(steps_of(plan, reference.cell_count()))) {
    reference.step(next - generation, plan.rule);
    generation = next;
    expected.states.push_back({generation, reference.cells(), reference.census()});
  }
  const bool huge = is_huge(plan, reference.cell_count());
  if (!huge) expected.last_sum = reference.reduction_sum();
  for (std::uint32_t i = 0; i < (huge ? 1 : kSingleWrites); ++i) {
    reference.single_write(generation + i);
    expected.written.push_back(reference.cells());
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

/// Cells and holes depend only on the storage, so that points are read for one method per storage.
bool is_plain(const FractalConfig& config) {
  return config.method.arithmetic == MapArithmetic::kLoop &&
         config.method.intra_block == IntraBlock::kSubBox && config.method.tiles == 0;
}

using Difference = std::optional<std::string>;

/// The first difference of life from the reference, if any; the engine must be at the random start.
Difference find_difference_of_life(FractalEngine& engine, const VerifyPlan& plan,
                                   const ExpectedWork& expected) {
  std::uint32_t generation = 0;
  for (const Expected& state : expected.states) {
    const std::uint32_t steps = state.generation - generation;
    engine.step(steps, plan.rule);
    generation = state.generation;
    const auto when = fmt::format("generation {}", generation);
    if (auto difference = compare_cells(when, engine, *expected.reference, state.cells)) return difference;
    if (generation <= 1 && is_plain(engine.config())) {
      if (auto difference = compare_points(when, engine, *expected.reference, state.cells)) return difference;
    }
  }
  return compare_census(fmt::format("generation {}", generation), engine.census(),
                        expected.states.back().census);
}

Difference compare_sum(std::string_view when, FractalEngine& engine, const Work& work,
                       std::uint64_t expected) {
  const StepReport report = engine.run(1, work);
  if (report.sum == expected) return std::nullopt;
  return fmt::format("{}: the sum is {}, expected {}", when, report.sum, expected);
}

/// Compares the method's counted threads with the definition.
Difference find_difference_of_threads(const FractalEngine& engine, const Device& device,
                                      const ExpectedWork& expected) {
  const FractalConfig& config = engine.config();
  auto difference =
      expected.tiles.at(config.tile_size).first_difference(config, device, engine.count_threads());
  if (difference) difference = "threads: " + *difference;
  return difference;
}

/// To be called after the last generation of life.
Difference find_difference_of_single_write(FractalEngine& engine, const ExpectedWork& expected) {
  for (const auto& written : expected.written) {
    engine.run(1, {.workload = Workload::kSingleWrite});
    const auto when = fmt::format("single write of generation {}", engine.generation() - 1);
    if (auto difference = compare_cells(when, engine, *expected.reference, written)) return difference;
  }
  return std::nullopt;
}

/// Adds the result of one case to `tally` (a VerifyLevel or a VerifyPin).
template <typename Tally>
void count_case(const VerifyCase& verified, const Difference& difference, VerifyResult& result,
                Tally& tally) {
  if (!difference) {
    ++tally.passed;
    return;
  }
  result.differences.push_back({verified, *difference});
  ++tally.differing;
}

/// Builds the configuration's engine and calls `check` with it, which counts the cases. If the engine cannot
/// be built, all cases count as skipped, or as different if the configuration should have been valid.
template <typename Tally, typename Check>
void with_engine(const std::vector<VerifyCase>& cases, const BackendSelection& backend, VerifyResult& result,
                 Tally& tally, const Check& check) {
  std::unique_ptr<FractalEngine> engine;
  try {
    engine = make_fractal_engine(cases.front().config, backend);
  } catch (const CapacityError& error) {
    for (const VerifyCase& verified : cases) result.skips.push_back({verified, error.what()});
    tally.skipped += cases.size();
    return;
  } catch (const InputError& error) {
    for (const VerifyCase& verified : cases) {
      count_case(verified, fmt::format("refused: {}", error.what()), result, tally);
    }
    return;
  }
  check(*engine);
}

/// The check values.
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
  VerifyPin mixed{{find_fractal("carpet-vicsek"), 5}};
  mixed.start = {.seed = 1, .density = 0.4};
  mixed.rule = {.birth = 1u << 3, .survival = 1u << 2 | 1u << 3};
  mixed.steps = 20;
  mixed.cells = 12800;
  mixed.census = {.population = 799, .hash = 0xd8ce08c26c871b83};
  VerifyPin turned{{find_fractal("mirrored-gasket"), 7}};
  turned.start = {.seed = 1, .density = 0.5};
  turned.steps = 20;
  turned.cells = 2187;
  turned.census = {.population = 646, .hash = 0x572bd6a99d3cfc9d};
  return {gasket, carpet, mixed, turned};
}

std::optional<std::string> find_difference(FractalEngine& engine, const VerifyPin& pin) {
  engine.reset(pin.start);
  engine.step(pin.steps, pin.rule);
  if (engine.cell_count() != pin.cells) {
    return fmt::format("check value: {} cells, expected {}", engine.cell_count(), pin.cells);
  }
  return compare_census("check value", engine.census(), pin.census);
}

/// Without tensor cores there is a single summation, whatever the reduction method is.
std::vector<Work> works_of(const Device& device, LifeRule rule) {
  std::vector<Work> works = {
      {.workload = Workload::kReduction, .reduction = ReductionMethod::kWarp, .rule = rule}};
  if (device.tensor_cores) {
    works.push_back({.workload = Workload::kReduction, .reduction = ReductionMethod::kTensor, .rule = rule});
  }
  works.push_back({.workload = Workload::kLife, .rule = rule});
  works.push_back({.workload = Workload::kSingleWrite, .rule = rule});
  return works;
}

/// Tiles share a thread block where there are thread blocks.
MethodSet methods_on(const Device& device, MethodSet methods) {
  return device.warps && methods == MethodSet::kAll ? MethodSet::kAllTiles : methods;
}

/// All cases of a plan in one list, so that progress knows their number.
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
      for_each_config(pin.config.fractal, pin.config.level,
                      [&](const FractalConfig& config, const BackendSelection& backend) {
                        const VerifyCase verified{config, backend.device.kind};
                        with_engine({verified}, backend, result_, pin, [&](FractalEngine& engine) {
                          count_case(verified, find_difference(engine, pin), result_, pin);
                        });
                      });
    }
    for (const NbbFractal& fractal : plan_.fractals) {
      for (int level = plan_.level_min; level <= highest_level(fractal); ++level)
        verify_level(fractal, level);
    }
    if (plan_.samples > 0) verify_samples(plan_, result_, progress_);
    return std::move(result_);
  }

 private:
  int highest_level(const NbbFractal& fractal) const {
    return std::min(plan_.level_max, fractal.max_level());
  }

  void count(const NbbFractal& fractal, int level) {
    for (const BackendSelection& backend : plan_.backends) {
      total_ += all_methods(fractal, level, methods_on(backend.device, plan_.methods)).size();
    }
  }

  template <typename Visit>
  void for_each_config(const NbbFractal& fractal, int level, const Visit& visit) {
    for (const BackendSelection& backend : plan_.backends) {
      for (const FractalConfig& config :
           all_methods(fractal, level, methods_on(backend.device, plan_.methods))) {
        progress_(done_, total_, {config, backend.device.kind});
        visit(config, backend);
        ++done_;
      }
    }
  }

  std::vector<VerifyCase> cases_of(const FractalConfig& config, const Device& device) const {
    std::vector<VerifyCase> cases;
    for (const Work& work : works_of(device, plan_.rule)) cases.push_back({config, device.kind, work});
    return cases;
  }

  // One engine and one random start serve all workloads: first the sums, which change nothing, then life,
  // then the sums of its result, then single writes over it.
  void verify_config(const std::vector<VerifyCase>& cases, const Device& device, const ExpectedWork& expected,
                     FractalEngine& engine, VerifyLevel& tally) {
    engine.reset(plan_.start);
    std::vector<Difference> differences(cases.size());
    const auto keep = [](Difference& difference, Difference found) {
      if (!difference) difference = std::move(found);
    };
    const auto for_each_reduction = [&](std::string_view when, std::uint64_t sum) {
      for (std::size_t i = 0; i < cases.size(); ++i) {
        if (cases[i].work.workload != Workload::kReduction) continue;
        keep(differences[i], compare_sum(when, engine, cases[i].work, sum));
      }
    };
    for_each_reduction("random start", expected.start_sum);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (cases[i].work.workload == Workload::kLife) {
        keep(differences[i], find_difference_of_life(engine, plan_, expected));
        if (expected.last_sum) for_each_reduction("last generation", *expected.last_sum);
      } else if (cases[i].work.workload == Workload::kSingleWrite) {
        keep(differences[i], find_difference_of_single_write(engine, expected));
      }
    }
    // One launch serves all workloads, so that an error in it counts for each of them.
    const Difference threads = find_difference_of_threads(engine, device, expected);
    for (Difference& difference : differences) keep(difference, threads);
    for (std::size_t i = 0; i < cases.size(); ++i) count_case(cases[i], differences[i], result_, tally);
  }

  void verify_level(const NbbFractal& fractal, int level) {
    VerifyLevel tally{.fractal = fractal.name(), .level = level, .cells = fractal.cells(level)};
    const std::uint64_t needed = ReferenceLife::bytes_needed(fractal, level);
    const std::uint64_t available = bytes_free(select_backend(BackendChoice::kCpu));
    if (needed > available) {
      const auto why = fmt::format("the reference needs {}, {} are free", describe_bytes(needed),
                                   describe_bytes(available));
      for_each_config(fractal, level, [&](const FractalConfig& config, const BackendSelection& backend) {
        for (const VerifyCase& verified : cases_of(config, backend.device)) {
          result_.skips.push_back({verified, why});
          ++tally.skipped;
        }
      });
    } else {
      const ExpectedWork expected = run_reference(plan_, fractal, level);
      tally.steps = expected.states.back().generation;
      tally.census = expected.states.back().census;
      tally.start_sum = expected.start_sum;
      for_each_config(fractal, level, [&](const FractalConfig& config, const BackendSelection& backend) {
        const auto cases = cases_of(config, backend.device);
        with_engine(cases, backend, result_, tally, [&](FractalEngine& engine) {
          verify_config(cases, backend.device, expected, engine, tally);
        });
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
  std::string method(name_of(config.method.map));
  if (config.method.map != MapKind::kBoundingBox) {
    method += fmt::format(", {}, {}", name_of(config.method.arithmetic), name_of(config.method.intra_block));
  }
  if (config.method.map == MapKind::kCompact) method += config.method.halo ? ", halo on" : ", halo off";
  if (config.method.tiles != 0) method += fmt::format(", tiles {}", config.method.tiles);
  std::string work(name_of(verified.work.workload));
  if (verified.work.workload == Workload::kReduction) {
    work += fmt::format(" by {}", name_of(verified.work.reduction));
  }
  return fmt::format("{} level {}, {}, block {}, {}, {}", config.fractal.name(), config.level, method,
                     config.tile_size, name_of(verified.backend), work);
}

std::uint64_t VerifyResult::passed() const {
  std::uint64_t passed = 0;
  for (const VerifyLevel& level : levels) passed += level.passed;
  for (const VerifyPin& pin : pins) passed += pin.passed;
  for (const VerifySampled& level : sampled) passed += level.passed;
  return passed;
}

bool VerifyResult::compared_any() const {
  const auto any = [](const auto& tallies) {
    return std::any_of(tallies.begin(), tallies.end(),
                       [](const auto& tally) { return tally.passed + tally.differing > 0; });
  };
  return any(levels) || any(sampled);
}

VerifyResult verify(const VerifyPlan& plan, const VerifyProgress& progress) {
  return Verification(plan, progress).run();
}

std::vector<FractalConfig> all_methods(const NbbFractal& fractal, int level, MethodSet set) {
  std::vector<FractalConfig> configs;
  const auto add = [&](FractalConfig config) {
    const TiledFractal tiled = make_tiled_fractal(fractal, level, config.tile_size);
    if (!method_problem(config.method, tiled).empty()) return;
    const auto add_halos = [&] {
      configs.push_back(config);
      if (config.method.map != MapKind::kCompact) return;
      config.method.halo = !config.method.halo;
      configs.push_back(config);
      config.method.halo = !config.method.halo;
    };
    add_halos();
    if (set != MethodSet::kAllTiles || config.method.arithmetic != MapArithmetic::kLoop) return;
    const auto tiles = allowed_tiles(config.method, tiled);
    config.method.tiles = tiles.front();
    add_halos();
    if (tiles.size() == 1) return;
    config.method.tiles = tiles.back();
    add_halos();
  };
  for (MapKind map : kMapKinds) {
    for (std::uint32_t tile_size : allowed_tile_sizes(fractal, level)) {
      FractalConfig config{
          .fractal = fractal, .level = level, .tile_size = tile_size, .method = {.map = map}};
      if (set == MethodSet::kMaps || map == MapKind::kBoundingBox) {
        add(config);
        continue;
      }
      for (MapArithmetic arithmetic : arithmetics_of(map)) {
        if (!is_exact(arithmetic)) continue;
        for (IntraBlock intra_block : kIntraBlocks) {
          config.method.arithmetic = arithmetic;
          config.method.intra_block = intra_block;
          add(config);
        }
      }
    }
  }
  for (const MapKind map : {MapKind::kBoundingBox, MapKind::kCompact}) {
    FractalConfig config{
        .fractal = fractal, .level = level, .method = {.map = map, .storage = CellStorage::kBits}};
    if (method_problem(config.method, make_tiled_fractal(fractal, level, config.tile_size)).empty())
      configs.push_back(config);
  }
  return configs;
}

}  // namespace loom
