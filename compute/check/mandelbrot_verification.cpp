#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "compute/backend/engine_factory.h"
#include "compute/check/dwell_checks.h"
#include "compute/check/verification.h"
#include "compute/mandelbrot/dwell.h"

namespace loom {
namespace {

using Dwells = std::vector<std::uint32_t>;

constexpr std::size_t kMaxPlaces = 100000;

template <typename Real>
Dwells plain_dwells(const MandelbrotView& view, const MandelbrotConfig& config) {
  const DirectFormula<Real> grid = make_direct<Real>(config.set, view);
  return with_step(grid.formula, grid.power, [&](auto step) {
    Dwells dwells;
    dwells.reserve(view.pixels());
    for (std::uint32_t y = 0; y < view.height; ++y) {
      for (std::uint32_t x = 0; x < view.width; ++x) {
        const Complex<Real> point = grid.at(x, y);
        dwells.push_back(
            continue_dwell<decltype(step)>(point, grid.parameter_of(point), 0, config.dwell_limit));
      }
    }
    return dwells;
  });
}

/// Perturbed precisions are compared with exact arithmetic.
Dwells plain_dwells(const MandelbrotView& view, const MandelbrotConfig& config) {
  if (is_perturbed(config.precision)) return exact_dwells(view, config.dwell_limit);
  return config.precision == Precision::kFloat ? plain_dwells<float>(view, config)
                                               : plain_dwells<double>(view, config);
}

std::vector<MandelbrotConfig> methods(MandelbrotConfig config) {
  std::vector<MandelbrotConfig> result;
  config.method = MandelbrotMethod::kExhaustive;
  for (const MandelbrotOptimisations& optimisations : {MandelbrotOptimisations{}, kNoOptimisations}) {
    config.optimisations = optimisations;
    result.push_back(config);
  }
  for (const MandelbrotMethod method : {MandelbrotMethod::kAsk, MandelbrotMethod::kDp}) {
    for (const RegionScheme scheme : kRegionSchemes) {
      config.method = method;
      config.scheme = scheme;
      config.optimisations = {};
      result.push_back(config);
      config.optimisations = kNoOptimisations;
      result.push_back(config);
      for (const NamedOptimisation& idea : kMandelbrotOptimisations) {
        config.optimisations = kNoOptimisations;
        config.optimisations.*idea.flag = true;
        result.push_back(config);
      }
    }
  }
  return result;
}

/// Checks the methods at one view and precision.
class ViewVerification {
 public:
  ViewVerification(const MandelbrotConfig& base, const MandelbrotView& view, MandelbrotVerification& result)
      : base_(base), view_(view), plain_(plain_dwells(view, base)), result_(result) {}

  void run(MandelbrotEngine& engine) {
    for (const MandelbrotConfig& config : methods(base_)) {
      engine.compute(config, view_, MandelbrotEngine::Regions::kList);
      Dwells dwells(view_.pixels());
      engine.read_dwells(0, dwells);
      const std::string wrong = config.method == MandelbrotMethod::kExhaustive
                                    ? first_difference(dwells, plain_)
                                    : wrong_with(config, engine, dwells);
      if (wrong.empty()) {
        ++result_.passed;
      } else {
        result_.differences.push_back(fmt::format(
            "{} {} {}-{}, ideas {}, {}, {} x {}: {}", engine.backend_name(), to_string(config.set),
            name_of(config.method), name_of(config.scheme), to_string(config.optimisations),
            name_of(config.precision), view_.width, view_.height, wrong));
      }
    }
  }

 private:
  std::string first_difference(const Dwells& found, const Dwells& expected) const {
    const auto [a, b] = std::mismatch(found.begin(), found.end(), expected.begin());
    if (a == found.end()) return {};
    const auto at = static_cast<std::uint64_t>(a - found.begin());
    return fmt::format("pixel ({}, {}) has dwell {}, not {}", at % view_.width, at / view_.width, *a, *b);
  }

  /// Describes an error in an image by DP or ASK; empty if there is none.
  std::string wrong_with(const MandelbrotConfig& config, const MandelbrotEngine& engine,
                         const Dwells& dwells) {
    // Every method fills the same regions and tiles and therefore gives the same image.
    const auto [first, is_new] = by_tiles_.try_emplace(config.optimisations.tiles, dwells);
    if (!is_new) return first_difference(dwells, first->second);
    const DwellDifferences differences = engine.count_differences(kMaxPlaces);
    const std::uint64_t misses = count_border_misses(engine, differences);
    result_.border_misses += misses;
    if (misses != differences.count) {
      return fmt::format("{} of {} pixels that differ are no border misses", differences.count - misses,
                         differences.count);
    }
    std::uint64_t differing = 0;
    for (std::size_t i = 0; i < dwells.size(); ++i) differing += dwells[i] != plain_[i];
    if (differing == differences.count) return {};
    return fmt::format("{} pixels differ from the plain loop, the engine counts {}", differing,
                       differences.count);
  }

  MandelbrotConfig base_;
  MandelbrotView view_;
  Dwells plain_;
  std::map<bool, Dwells> by_tiles_;
  MandelbrotVerification& result_;
};

}  // namespace

MandelbrotVerification verify_mandelbrot(const std::vector<BackendSelection>& backends) {
  const MandelbrotView views[] = {{{}, 512, 512}, {{-0.8, -0.7, 0.05, 0.15}, 333, 257}};
  MandelbrotVerification result;
  std::vector<std::unique_ptr<MandelbrotEngine>> engines;
  for (const BackendSelection& backend : backends) engines.push_back(make_mandelbrot_engine(backend));
  for (const MandelbrotView& view : views) {
    for (const Precision precision : kDirectPrecisions) {
      ViewVerification verification({.g = 4, .b = 8, .dwell_limit = 512, .precision = precision}, view,
                                    result);
      for (const auto& engine : engines) verification.run(*engine);
    }
  }
  for (const FormulaRow& row : kFormulas) {
    for (const std::optional<JuliaPoint>& julia : {std::optional<JuliaPoint>(), {{-0.4, 0.6}}}) {
      if (row.formula == Formula::kMandelbrot && !julia) continue;
      const MandelbrotView view{{-1.6, 1.4, -1.4, 1.1}, 144, 120};
      for (const Precision precision : kDirectPrecisions) {
        ViewVerification verification(
            {.set = {row.formula, 3, julia}, .g = 4, .b = 8, .dwell_limit = 300, .precision = precision},
            view, result);
        for (const auto& engine : engines) verification.run(*engine);
      }
    }
  }
  const std::pair<DecimalView, Precision> deep_views[] = {
      {{"-1.7548776662466927", "0", "0.05"}, Precision::kPerturbedDouble},
      {{"0", "1", "1e-60"}, Precision::kPerturbedDouble},
      {{"-2", "0", "1e-320"}, Precision::kPerturbedWide},
  };
  for (const auto& [deep_view, precision] : deep_views) {
    ViewVerification verification({.g = 4, .b = 8, .dwell_limit = 700, .precision = precision},
                                  make_decimal_view(deep_view, 80, 60), result);
    for (const auto& engine : engines) verification.run(*engine);
  }
  return result;
}

}  // namespace loom
