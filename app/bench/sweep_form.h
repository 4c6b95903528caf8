#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/bench/axes.h"
#include "app/bench/plan.h"
#include "app/bench/sweep.h"

namespace loom::app::bench {

/// The form of a sweep: the texts, valid or not, and what is wrong with them.
struct SweepForm {
  std::string preset;  ///< preset of the texts; empty for none
  SweepKind kind = SweepKind::kMaps;
  AxisTexts texts = default_axes(SweepKind::kMaps);  ///< one for every field of the kind
  float max_seconds = 2;                             ///< time limit per configuration
  bool confirmed = false;                            ///< allows more cases than the limit of check()

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

/// The map sweep around a configuration: its fractal at its level and all lower ones, its method and the
/// other maps, at every tile size. `backend` is a value of that axis.
AxisTexts axes_around(const FractalConfig& config, std::string_view backend);

}  // namespace loom::app::bench
