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
#include "compute/workload/rule_text.h"

namespace loom {
namespace {

/// Up to this number of points, the state of every point of the square is read by coordinate too; on a GPU
/// each read is a separate copy.
constexpr std::uint64_t kMaxProbes = 1024;

/// "(3, 5)", in three dimensions "(3, 5, 0)".
std::string text_of(const ReferenceLife& reference, const ReferenceLife::Point& at) {
  return reference.dimensions() == 2 ? fmt::format("({}, {})", at[0], at[1])
                                     : fmt::format("({}, {}, {})", at[0], at[1], at[2]);
}

std::optional<std::uint8_t> state_at(const CellEngine<2>& engine, const ReferenceLife::Point& at) {
  return engine.cell({at[0], at[1]});
}
std::optional<std::uint8_t> state_at(const CellEngine<3>& engine, const ReferenceLife::Point& at) {
  const auto narrow = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  return engine.cell({narrow(at[0]), narrow(at[1]), narrow(at[2])});
}

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
template <typename Plan>
bool is_huge(const Plan& plan, std::uint64_t cells) {
  return plan.max_cells && cells > *plan.max_cells;
}

/// At least two generations unless the field is huge, so that written cells are read again.
template <typename Plan>
std::uint32_t steps_of(const Plan& plan, std::uint64_t cells) {
  if (!plan.max_cells) return plan.steps;
  const std::uint64_t least = is_huge(plan, cells) ? 1 : 2;
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(plan.steps, std::max(least, *plan.max_cells / cells)));
}

template <typename Plan, typename Fractal>
ExpectedWork run_reference(const Plan& plan, const Fractal& fractal, int level) {
  ExpectedWork expected{
      .reference = std::make_unique<ReferenceLife>(fractal, level), .states = {}, .written = {}};
  for (const std::uint32_t tile_size : allowed_tile_sizes(fractal, level)) {
    expected.tiles.emplace(tile_size, ReferenceTiles(*expected.reference, tile_size));
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

template <typename Engine>
std::optional<std::string> compare_cells(std::string_view when, const Engine& engine,
                                         const ReferenceLife& reference,
                                         const std::vector<std::uint8_t>& expected) {
  std::vector<std::uint8_t> cells(expected.size());
  engine.read_cells(0, cells);
  const auto [got, wanted] = std::mismatch(cells.begin(), cells.end(), expected.begin());
  if (got == cells.end()) return std::nullopt;
  const auto index = static_cast<std::uint64_t>(got - cells.begin());
  return fmt::format("{}: first differing cell {} at {} is {}, expected {}", when, index,
                     text_of(reference, reference.coordinate(reference.point(index))), *got, *wanted);
}

template <typename Engine>
std::optional<std::string> compare_points(std::string_view when, const Engine& engine,
                                          const ReferenceLife& reference,
                                          const std::vector<std::uint8_t>& expected) {
  if (reference.points() > kMaxProbes) return std::nullopt;
  std::vector<std::optional<std::uint8_t>> states(reference.points());
  for (std::uint64_t i = 0; i < expected.size(); ++i) states[reference.point(i)] = expected[i];
  const auto word = [](std::optional<std::uint8_t> state) {
    return state ? name_of_state(*state) : std::string("a hole");
  };
  for (std::uint64_t i = 0; i < states.size(); ++i) {
    const auto place = reference.coordinate(i);
    const auto state = state_at(engine, place);
    if (state == states[i]) continue;
    return fmt::format("{}: the point {} is {}, expected {}", when, text_of(reference, place), word(state),
                       word(states[i]));
  }
  return std::nullopt;
}

/// Cells and holes depend only on the storage, so that points are read for one method per storage.
bool is_plain(const MapMethod& method) {
  return method.arithmetic == MapArithmetic::kLoop && method.intra_block == IntraBlock::kSubBox &&
         method.tiles == 0;
}

using Difference = std::optional<std::string>;

/// The first difference of life from the reference, if any; the engine must be at the random start.
template <typename Engine, typename Plan>
Difference find_difference_of_life(Engine& engine, const Plan& plan, const ExpectedWork& expected) {
  std::uint32_t generation = 0;
  for (const Expected& state : expected.states) {
    const std::uint32_t steps = state.generation - generation;
    engine.run(steps, {.rule = plan.rule});
    generation = state.generation;
    const auto when = fmt::format("generation {}", generation);
    if (auto difference = compare_cells(when, engine, *expected.reference, state.cells)) return difference;
    if (generation <= 1 && is_plain(engine.config().method)) {
      if (auto difference = compare_points(when, engine, *expected.reference, state.cells)) return difference;
    }
  }
  return compare_census(fmt::format("generation {}", generation), engine.census(),
                        expected.states.back().census);
}

template <typename Engine, typename Work>
Difference compare_sum(std::string_view when, Engine& engine, const Work& work, std::uint64_t expected) {
  const StepReport report = engine.run(1, work);
  if (report.sum == expected) return std::nullopt;
  return fmt::format("{}: the sum is {}, expected {}", when, report.sum, expected);
}

/// Compares the method's counted threads with the definition.
template <typename Engine>
Difference find_difference_of_threads(const Engine& engine, const Device& device,
                                      const ExpectedWork& expected) {
  const auto& config = engine.config();
  auto difference =
      expected.tiles.at(config.tile_size).first_difference(config, device, engine.count_threads());
  if (difference) difference = "threads: " + *difference;
  return difference;
}

/// To be called after the last generation of life.
template <typename Engine>
Difference find_difference_of_single_write(Engine& engine, const ExpectedWork& expected) {
  for (const auto& written : expected.written) {
    engine.run(1, {.workload = Workload::kSingleWrite});
    const auto when = fmt::format("single write of generation {}", engine.generation() - 1);
    if (auto difference = compare_cells(when, engine, *expected.reference, written)) return difference;
  }
  return std::nullopt;
}

/// Adds the result of one case to `tally` (a VerifyLevel or a VerifyPin).
template <int kDimensions, typename Tally>
void count_case(const VerifyCaseOf<kDimensions>& verified, const Difference& difference,
                VerifyResultOf<kDimensions>& result, Tally& tally) {
  if (!difference) {
    ++tally.passed;
    return;
  }
  result.differences.push_back({verified, *difference});
  ++tally.differing;
}

/// Builds the configuration's engine and calls `check` with it, which counts the cases. If the engine cannot
/// be built, all cases count as skipped, or as different if the configuration should have been valid.
template <int kDimensions, typename Tally, typename Check>
void with_engine(const std::vector<VerifyCaseOf<kDimensions>>& cases, const BackendSelection& backend,
                 VerifyResultOf<kDimensions>& result, Tally& tally, const Check& check) {
  std::unique_ptr<CellEngine<kDimensions>> engine;
  try {
    engine = make_fractal_engine(cases.front().config, backend);
  } catch (const CapacityError& error) {
    for (const auto& verified : cases) result.skips.push_back({verified, error.what()});
    tally.skipped += cases.size();
    return;
  } catch (const InputError& error) {
    for (const auto& verified : cases) {
      count_case(verified, fmt::format("refused: {}", error.what()), result, tally);
    }
    return;
  }
  check(*engine);
}

/// The check values.
template <int kDimensions>
std::vector<VerifyPinOf<kDimensions>> pinned_values();
template <>
std::vector<VerifyPin> pinned_values() {
  const auto pin = [](const char* fractal, int level, const RandomStart& start, const char* rule,
                      std::uint32_t steps, std::uint64_t cells, const Census& census) {
    return VerifyPin{{find_fractal(fractal), level}, start, parse_rule(rule), steps, cells, census};
  };
  return {pin("sierpinski-gasket", 8, {1, 0.5}, "B2/S23", 100, 6561, {1372, 0x2e269e30ff0b89dd}),
          pin("sierpinski-carpet", 4, {7, 0.4}, "B2/S23", 20, 4096, {1643, 0x5ec80c9c248e2f8f}),
          pin("carpet-vicsek", 5, {1, 0.4}, "B3/S23", 20, 12800, {799, 0xd8ce08c26c871b83}),
          pin("mirrored-gasket", 7, {1, 0.5}, "B2/S23", 20, 2187, {646, 0x572bd6a99d3cfc9d}),
          pin("sierpinski-carpet", 4, {1, 0.3}, "B2/S345/C4", 30, 4096, {76, 0x685d11bc7de87988}),
          pin("sierpinski-carpet", 4, {1, 0.5}, "R5,C0,M1,S34..58,B34..45,NM", 12, 4096,
              {397, 0x64e319d1f43c9118})};
}
template <>
std::vector<VerifyPinOf<3>> pinned_values() {
  return {{.config = {.fractal = solid_catalog().front(), .level = 3},
           .start = {1, 0.3},
           .steps = 20,
           .cells = 8000,
           .census = {1653, 0x40291969d9579656}}};
}

template <typename Engine, typename Pin>
std::optional<std::string> find_difference(Engine& engine, const Pin& pin) {
  engine.reset(pin.start);
  engine.run(pin.steps, {.rule = pin.rule});
  if (engine.cell_count() != pin.cells) {
    return fmt::format("check value: {} cells, expected {}", engine.cell_count(), pin.cells);
  }
  return compare_census("check value", engine.census(), pin.census);
}

/// Without tensor cores there is a single summation, whatever the reduction method is.
template <int kDimensions>
std::vector<WorkOf<kDimensions>> works_of(const Device& device, LifeRuleOf<kDimensions> rule) {
  std::vector<WorkOf<kDimensions>> works = {
      {.workload = Workload::kReduction, .reduction = ReductionMethod::kWarp, .rule = rule}};
  if (kDimensions == 2 && device.tensor_cores)
    works.push_back({.workload = Workload::kReduction, .reduction = ReductionMethod::kTensor, .rule = rule});
  works.push_back({.workload = Workload::kLife, .rule = rule});
  works.push_back({.workload = Workload::kSingleWrite, .rule = rule});
  return works;
}

/// Tiles share a thread block where there are thread blocks.
MethodSet methods_on(const Device& device, MethodSet methods) {
  return device.warps && methods == MethodSet::kAll ? MethodSet::kAllTiles : methods;
}

/// All cases of a plan in one list, so that progress knows their number.
template <int kDimensions>
class Verification {
 public:
  using Fractal = FractalOf<kDimensions>;
  using Config = FractalConfigOf<kDimensions>;
  using Engine = CellEngine<kDimensions>;
  using Case = VerifyCaseOf<kDimensions>;

  Verification(const VerifyPlanOf<kDimensions>& plan, const VerifyProgressOf<kDimensions>& progress)
      : plan_(plan), progress_(progress) {
    for (const auto& pin : pinned_values<kDimensions>()) {
      if (std::find(plan.fractals.begin(), plan.fractals.end(), pin.config.fractal) != plan.fractals.end()) {
        result_.pins.push_back(pin);
        count(pin.config.fractal, pin.config.level, pin.rule);
      }
    }
    for (const Fractal& fractal : plan.fractals) {
      for (int level = plan.level_min; level <= highest_level(fractal); ++level)
        count(fractal, level, plan.rule);
    }
  }

  VerifyResultOf<kDimensions> run() {
    for (auto& pin : result_.pins) {
      for_each_config(pin.config.fractal, pin.config.level, pin.rule,
                      [&](const Config& config, const BackendSelection& backend) {
                        const Case verified{config, backend.device.kind};
                        with_engine(std::vector{verified}, backend, result_, pin, [&](Engine& engine) {
                          count_case(verified, find_difference(engine, pin), result_, pin);
                        });
                      });
    }
    for (const Fractal& fractal : plan_.fractals) {
      for (int level = plan_.level_min; level <= highest_level(fractal); ++level)
        verify_level(fractal, level);
    }
    if constexpr (kDimensions == 2) {
      if (plan_.samples > 0) verify_samples(plan_, result_, progress_);
    }
    return std::move(result_);
  }

 private:
  int highest_level(const Fractal& fractal) const { return std::min(plan_.level_max, fractal.max_level()); }

  std::vector<Config> methods(const Fractal& fractal, int level, const BackendSelection& backend,
                              const LifeRuleOf<kDimensions>& rule) const {
    auto all = all_methods(fractal, level, methods_on(backend.device, plan_.methods));
    std::erase_if(all, [&](const Config& config) {
      return !work_problem<kDimensions>(config, {.rule = rule}).empty();
    });
    if (!rule.is_larger()) return all;
    // Counting does not depend on the compact map's halo.
    std::erase_if(all, [](const Config& config) { return !config.method.halo; });
    std::vector<Config> counted;
    for (Config& config : all) {
      if (config.method.storage == CellStorage::kBits) counted.push_back(config);
      for (const Counting counting : kCountings) {
        if (config.method.storage == CellStorage::kBits) break;  // has one way
        config.method.counting = counting;
        if (counting != Counting::kAuto && work_problem<kDimensions>(config, {.rule = rule}).empty())
          counted.push_back(config);
      }
    }
    return counted;
  }

  void count(const Fractal& fractal, int level, const LifeRuleOf<kDimensions>& rule) {
    for (const BackendSelection& backend : plan_.backends)
      total_ += methods(fractal, level, backend, rule).size();
  }

  /// The configurations that can hold the states of a rule.
  template <typename Visit>
  void for_each_config(const Fractal& fractal, int level, const LifeRuleOf<kDimensions>& rule,
                       const Visit& visit) {
    for (const BackendSelection& backend : plan_.backends) {
      for (const Config& config : methods(fractal, level, backend, rule)) {
        progress_(done_, total_, {config, backend.device.kind});
        visit(config, backend);
        ++done_;
      }
    }
  }

  std::vector<Case> cases_of(const Config& config, const Device& device) const {
    if constexpr (kDimensions == 3) return {{config, device.kind, {.rule = plan_.rule}}};
    std::vector<Case> cases;
    for (const auto& work : works_of(device, plan_.rule)) cases.push_back({config, device.kind, work});
    return cases;
  }

  // One engine and one random start serve all workloads: first the sums, which change nothing, then life,
  // then the sums of its result, then single writes over it.
  void verify_config(const std::vector<Case>& cases, const Device& device, const ExpectedWork& expected,
                     Engine& engine, VerifyLevel& tally) {
    engine.reset(plan_.start);
    std::vector<Difference> differences(cases.size());
    const auto keep = [](Difference& difference, Difference found) {
      if (!difference) difference = std::move(found);
    };
    const auto works = works_of(device, plan_.rule);
    const auto case_of = [&](std::size_t work) { return std::min(work, cases.size() - 1); };
    const auto for_each_reduction = [&](std::string_view when, std::uint64_t sum) {
      for (std::size_t i = 0; i < works.size(); ++i) {
        if (works[i].workload != Workload::kReduction) continue;
        keep(differences[case_of(i)], compare_sum(when, engine, works[i], sum));
      }
    };
    for_each_reduction("random start", expected.start_sum);
    for (std::size_t i = 0; i < works.size(); ++i) {
      if (works[i].workload == Workload::kLife) {
        keep(differences[case_of(i)], find_difference_of_life(engine, plan_, expected));
        if (expected.last_sum) for_each_reduction("last generation", *expected.last_sum);
      } else if (works[i].workload == Workload::kSingleWrite) {
        keep(differences[case_of(i)], find_difference_of_single_write(engine, expected));
      }
    }
    // One launch serves all workloads, so that an error in it counts for each of them.
    const Difference threads = find_difference_of_threads(engine, device, expected);
    for (Difference& difference : differences) keep(difference, threads);
    for (std::size_t i = 0; i < cases.size(); ++i) count_case(cases[i], differences[i], result_, tally);
  }

  void verify_level(const Fractal& fractal, int level) {
    VerifyLevel tally{.fractal = fractal.name(), .level = level, .cells = fractal.cells(level)};
    const std::uint64_t needed = ReferenceLife::bytes_needed(fractal, level);
    const std::uint64_t available = bytes_free(select_backend(BackendChoice::kCpu));
    if (needed > available) {
      const auto why = fmt::format("the reference needs {}, {} are free", describe_bytes(needed),
                                   describe_bytes(available));
      for_each_config(fractal, level, plan_.rule, [&](const Config& config, const BackendSelection& backend) {
        for (const Case& verified : cases_of(config, backend.device)) {
          result_.skips.push_back({verified, why});
          ++tally.skipped;
        }
      });
    } else {
      const ExpectedWork expected = run_reference(plan_, fractal, level);
      tally.steps = expected.states.back().generation;
      tally.census = expected.states.back().census;
      tally.start_sum = expected.start_sum;
      for_each_config(fractal, level, plan_.rule, [&](const Config& config, const BackendSelection& backend) {
        const auto cases = cases_of(config, backend.device);
        with_engine(cases, backend, result_, tally,
                    [&](Engine& engine) { verify_config(cases, backend.device, expected, engine, tally); });
      });
    }
    result_.levels.push_back(tally);
  }

  const VerifyPlanOf<kDimensions>& plan_;
  const VerifyProgressOf<kDimensions>& progress_;
  VerifyResultOf<kDimensions> result_;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
};

/// "sierpinski-gasket level 3, compact, block 4, halo on, cpu".
template <typename Case>
std::string config_text(const Case& verified) {
  const auto& config = verified.config;
  std::string method(name_of(config.method.map));
  if (config.method.map != MapKind::kBoundingBox) {
    method += fmt::format(", {}, {}", name_of(config.method.arithmetic), name_of(config.method.intra_block));
  }
  if (config.method.map == MapKind::kCompact) method += config.method.halo ? ", halo on" : ", halo off";
  if (config.method.tiles != 0) method += fmt::format(", tiles {}", config.method.tiles);
  return fmt::format("{} level {}, {}, block {}, {}", config.fractal.name(), config.level, method,
                     config.tile_size, name_of(verified.backend));
}

}  // namespace

std::string to_string(const VerifyCase& verified) {
  std::string text = config_text(verified) + ", ";
  text += name_of(verified.work.workload);
  if (verified.work.workload == Workload::kReduction)
    text += fmt::format(" by {}", name_of(verified.work.reduction));
  return text;
}
std::string to_string(const VerifyCaseOf<3>& verified) {
  return config_text(verified);
}

SolidRule solid_verify_rule() {
  return parse_solid_rule("B0,2,5..7/S1,3..7");
}

template <int kDimensions>
std::uint64_t VerifyResultOf<kDimensions>::passed() const {
  std::uint64_t passed = 0;
  for (const VerifyLevel& level : levels) passed += level.passed;
  for (const auto& pin : pins) passed += pin.passed;
  for (const VerifySampled& level : sampled) passed += level.passed;
  return passed;
}

template <int kDimensions>
bool VerifyResultOf<kDimensions>::compared_any() const {
  const auto any = [](const auto& tallies) {
    return std::any_of(tallies.begin(), tallies.end(),
                       [](const auto& tally) { return tally.passed + tally.differing > 0; });
  };
  return any(levels) || any(sampled);
}

template struct VerifyResultOf<2>;
template struct VerifyResultOf<3>;

VerifyResult verify(const VerifyPlan& plan, const VerifyProgress& progress) {
  return Verification<2>(plan, progress).run();
}
VerifyResultOf<3> verify(const VerifyPlanOf<3>& plan, const VerifyProgressOf<3>& progress) {
  return Verification<3>(plan, progress).run();
}

namespace {

/// The tile numbers besides automatic ones that a set has.
std::vector<std::uint32_t> tile_numbers(const FractalConfig& config, const TiledFractal& tiled) {
  if (config.method.arithmetic != MapArithmetic::kLoop) return {};
  const auto tiles = allowed_tiles(config.method, tiled);
  if (tiles.size() == 1) return {tiles.front()};
  return {tiles.front(), tiles.back()};
}
std::vector<std::uint32_t> tile_numbers(const SolidConfig& config, const TiledSolid& tiled) {
  const MapMethod& method = config.method;
  const bool tables = method.arithmetic == MapArithmetic::kTable && method.intra_block == kIntraBlocks.back();
  return tables ? allowed_tiles(method, tiled) : std::vector<std::uint32_t>();
}

/// Those that store a byte per cell.
template <typename Config, typename Fractal>
std::vector<Config> byte_methods(const Fractal& fractal, int level, MethodSet set) {
  std::vector<Config> configs;
  const auto add = [&](Config config) {
    const auto tiled = make_tiled_fractal(fractal, level, config.tile_size);
    if (!method_problem(config.method, tiled).empty()) return;
    const auto add_halos = [&] {
      configs.push_back(config);
      if (config.method.map != MapKind::kCompact) return;
      config.method.halo = !config.method.halo;
      configs.push_back(config);
      config.method.halo = !config.method.halo;
    };
    add_halos();
    if (set != MethodSet::kAllTiles) return;
    for (const std::uint32_t tiles : tile_numbers(config, tiled)) {
      config.method.tiles = tiles;
      add_halos();
    }
  };
  for (MapKind map : kMapKinds) {
    for (std::uint32_t tile_size : allowed_tile_sizes(fractal, level)) {
      Config config{.fractal = fractal, .level = level, .tile_size = tile_size, .method = {.map = map}};
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
  return configs;
}

}  // namespace

std::vector<FractalConfig> all_methods(const NbbFractal& fractal, int level, MethodSet set) {
  auto configs = byte_methods<FractalConfig>(fractal, level, set);
  for (const MapKind map : {MapKind::kBoundingBox, MapKind::kCompact}) {
    FractalConfig config{
        .fractal = fractal, .level = level, .method = {.map = map, .storage = CellStorage::kBits}};
    if (method_problem(config.method, make_tiled_fractal(fractal, level, config.tile_size)).empty())
      configs.push_back(config);
  }
  return configs;
}

std::vector<SolidConfig> all_methods(const SolidFractal& fractal, int level, MethodSet set) {
  return byte_methods<SolidConfig>(fractal, level, set);
}

}  // namespace loom
