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

/// The same for the Mandelbrot set.
struct MandelbrotAxisTexts {
  std::string size = {};
  std::string method = {};
  std::string scheme = {};
  std::string ideas = {};
  std::string g = {};
  std::string r = {};
  std::string b = {};
  std::string dwell = {};
  std::string precision = {};
  std::string backend = {};
};

struct MandelbrotPreset {
  std::string name;
  std::string purpose;
  MandelbrotAxisTexts axes;
};

/// What a sweep without preset runs through.
AxisTexts default_axes();
MandelbrotAxisTexts default_mandelbrot_axes();

const std::vector<Preset>& presets();
const std::vector<MandelbrotPreset>& mandelbrot_presets();

/// Throw InputError that lists the names, those of both kinds; where the name is one of the other kind, it
/// says so.
const Preset& find_preset(std::string_view name);
const MandelbrotPreset& find_mandelbrot_preset(std::string_view name);

bool is_mandelbrot_preset(std::string_view name);

}  // namespace loom::app::bench
