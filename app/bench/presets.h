#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/bench/axis_fields.h"

namespace loom::app::bench {

/// A named sweep.
struct Preset {
  std::string name;
  std::string purpose;  ///< what it measures, and what of the paper it lacks
  SweepKind kind = SweepKind::kMaps;
  AxisTexts axes = {};  ///< what differs from the default
};

/// Of both kinds.
const std::vector<Preset>& presets();

/// Throws InputError that lists the names.
const Preset& find_preset(std::string_view name);

}  // namespace loom::app::bench
