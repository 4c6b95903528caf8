#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/bench/axis_fields.h"
#include "app/bench/plan.h"
#include "app/bench/presets.h"
#include "app/bench/sweep.h"

namespace loom::app::bench {

/// A sweep of either kind that is being typed: the texts stay as they are, right or wrong, beside what is
/// wrong with them.
struct SweepForm {
  std::string preset;  ///< that the texts came from; empty for none
  SweepKind kind = SweepKind::kMaps;
  AxisTexts texts = default_axes(SweepKind::kMaps);  ///< one for every field of the kind
  float max_seconds = 2;                             ///< of sampling, a configuration
  bool confirmed = false;                            ///< also more cases than the limit of check()

  /// Makes the texts those of a preset, or of the sweep around a configuration that `axes_around` gives.
  void load(const Preset& chosen);
  void load(SweepKind chosen_kind, const AxisTexts& chosen);
  /// Reads the texts; what follows is about them as of then.
  void check(const AxisContext& context, std::uint64_t limit = kSweepWithoutConfirmation);

  std::vector<std::string> problems = {};  ///< by axis field; empty where it is right
  std::string problem = {};                ///< of fields that are right by themselves
  std::uint64_t cases = 0;                 ///< 0 where anything is wrong
  bool too_many = false;                   ///< needs `confirmed`
  Axes axes = {};

  bool ready() const { return cases > 0 && (!too_many || confirmed); }
  /// Why it is not ready.
  std::string first_problem() const;
  /// The plan that they come to, with the rule and start of `sampling`. Only when ready.
  Plan plan(Sampling sampling) const;
};

/// The sweep over maps around one configuration: its fractal at its level and all below, its method against
/// the other maps, at every block size. `backend` is a value of that axis.
AxisTexts axes_around(const FractalConfig& config, std::string_view backend);

}  // namespace loom::app::bench
