#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/axis_fields.h"
#include "app/bench/machine.h"
#include "app/bench/results.h"
#include "app/bench/sampler.h"

namespace loom::app::bench {

/// What times are by, as settings say it.
inline constexpr std::string_view kEngineClock = "engine";
inline constexpr std::string_view kWallClock = "wall";

/// A sweep that is about to be measured: as it was typed and as it is meant.
struct Plan {
  std::string preset = {};  ///< empty for none
  AxisTexts texts = {};
  Axes axes = {};
  Sampling sampling = {};
  std::optional<Shard> shard = {};  ///< the part of it that is to be measured
};

/// The results of a plan whose sweep has so many configurations, without entries yet: made now, by this
/// program, on `machine`. Throws InputError where it has a shard and the sweep fewer configurations than
/// shards.
Results new_results(const Plan& plan, Machine machine, std::uint64_t configurations);

/// The plan that results were measured by, from their settings. Throws InputError where these do not say it,
/// or say what there is not here (a fractal of somebody's own).
Plan plan_of(const Results& results, const AxisContext& context);
/// Whether results are of the first cases, in their order.
bool begins_with(const Results& results, const std::vector<Case>& cases);

/// The name of a new results file: "bench-PRESET-DATE.json", of a shard
/// "bench-PRESET-DATE-shard-2-of-3.json", of several "bench-PRESET-DATE-2-of-3-shards.json".
std::string results_name(const Results& results);

}  // namespace loom::app::bench
