#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/axes.h"
#include "app/bench/machine.h"
#include "app/bench/results.h"
#include "app/bench/sampler.h"

namespace loom::app::bench {

/// Names of the clocks in settings.
inline constexpr std::string_view kEngineClock = "engine";
inline constexpr std::string_view kWallClock = "wall";

/// A sweep to be measured: the texts, and the axes that they mean.
struct Plan {
  std::string preset = {};  ///< empty for none
  AxisTexts texts = {};
  Axes axes = {};
  Sampling sampling = {};
  std::optional<Shard> shard = {};  ///< the part to be measured
};

/// Empty results of a plan whose sweep has this number of configurations, dated now, by this program on
/// `machine`. Throws InputError if the sweep has fewer configurations than shards.
Results new_results(const Plan& plan, Machine machine, std::uint64_t configurations);

/// The plan of results, from their settings. Throws InputError if the settings are incomplete or name
/// something that does not exist here, such as a custom fractal.
Plan plan_of(const Results& results, const AxisContext& context);
/// Whether the results belong to the first of these cases, in order.
bool begins_with(const Results& results, const std::vector<Case>& cases);

/// The name of a new results file: "bench-PRESET-DATE.json", of a shard
/// "bench-PRESET-DATE-shard-2-of-3.json", of several "bench-PRESET-DATE-2-of-3-shards.json".
std::string results_name(const Results& results);

/// A named sweep.
struct Preset {
  std::string name;
  std::string purpose;  ///< what it measures, and what it leaves out of the paper
  SweepKind kind = SweepKind::kMaps;
  AxisTexts axes = {};  ///< axes that differ from the default
};

/// The presets of both kinds.
const std::vector<Preset>& presets();

/// Throws InputError that lists the names.
const Preset& find_preset(std::string_view name);

}  // namespace loom::app::bench
