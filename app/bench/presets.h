#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/bench/axis_fields.h"

namespace loom::app::bench {

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
