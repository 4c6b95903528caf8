#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loom::app::bench {

/// A named sweep: the text of each axis, in the form of axis_text.h. An empty text leaves the axis as by
/// default.
struct AxisTexts {
  std::string fractal = {};
  std::string level = {};
  std::string map = {};
  std::string arithmetic = {};
  std::string intra_block = {};
  std::string halo = {};
  std::string tiles = {};
  std::string block = {};
  std::string workload = {};
  std::string reduction = {};
  std::string backend = {};
};

struct Preset {
  std::string name;
  std::string purpose;  ///< what it measures, and what of the paper it lacks
  AxisTexts axes;
};

/// What a sweep without preset runs through.
AxisTexts default_axes();

const std::vector<Preset>& presets();
/// Throws InputError that lists the names.
const Preset& find_preset(std::string_view name);

}  // namespace loom::app::bench
