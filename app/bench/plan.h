#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/axes.h"
#include "app/bench/machine.h"
#include "app/bench/merge.h"
#include "app/bench/results.h"
#include "app/bench/sampler.h"
#include "app/bench/sweep.h"

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

/// The axes of a sweep as the user typed them, valid or not.
struct SweepTexts {
  std::string preset = {};  ///< preset of the texts; empty for none
  SweepKind kind = SweepKind::kMaps;
  AxisTexts texts = default_axes(SweepKind::kMaps);  ///< one for every field of the kind
  float max_seconds = 2;                             ///< time limit per configuration
  bool energy = false;                               ///< measure joules too
};

/// The form of a sweep: its texts, and what is wrong with them.
struct SweepForm : SweepTexts {
  bool confirmed = false;  ///< allows more cases than the limit of check()

  /// Loads the texts of a preset, or of the sweep around a configuration from `axes_around`.
  void load(const Preset& chosen);
  void load(SweepKind chosen_kind, const AxisTexts& chosen);
  /// Reads the texts and updates the results below.
  void check(const AxisContext& context, std::uint64_t limit = kSweepWithoutConfirmation);

  std::vector<std::string> problems = {};  ///< per axis field; empty if it is valid
  std::string problem = {};                ///< problem of the combination of valid fields
  std::uint64_t cases = 0;                 ///< 0 if anything is invalid
  bool too_many = false;                   ///< requires `confirmed`
  Axes axes = {};

  bool ready() const { return cases > 0 && (!too_many || confirmed); }
  /// The first problem; empty if ready.
  std::string first_problem() const;
  /// The plan of the texts, with the rule and start of `sampling`. Only when ready.
  Plan plan(Sampling sampling) const;
};

/// The map sweep around a configuration: its fractal from a level on at which maps can be compared, its
/// method and the other maps, at every tile size. `backend` is a value of that axis.
AxisTexts axes_around(const FractalConfig& config, std::string_view backend);

}  // namespace loom::app::bench
