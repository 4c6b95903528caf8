#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/bench/axes.h"

namespace loom::app::bench {

/// What texts are read with besides themselves.
struct AxisContext {
  int device = 0;                           ///< CUDA ordinal
  const NbbFractal* own_fractal = nullptr;  ///< one that the catalogue lacks and that goes by its name
  /// CUDA ordinals that there are, in the order in which several are taken; none: `device`, then the others.
  std::vector<int> device_list = {};
};

/// One axis, for whatever treats all axes alike: options of the command line, laying texts over each other,
/// reading them, the window's form, the settings in results. A new axis is a new row of its kind's table; a
/// field of the method (compute/map/method_fields.h) is one without a row here.
struct AxisField {
  std::string name;      ///< of the option, without dashes: "intra-block"
  std::string standard;  ///< what stands there by default
  std::string hint;      ///< what may stand there
  /// Reads the text into its axis of axes of this field's kind. Throws as axis_text.h.
  std::function<void(std::string_view text, const AxisContext& context, Axes& axes)> read;
};
std::span<const AxisField> axis_fields(SweepKind kind);

/// The text of each axis by its field's name, in the form of axis_text.h. A missing one leaves the axis as by
/// default.
using AxisTexts = std::map<std::string, std::string, std::less<>>;

/// What a sweep without preset runs through: a text for every field.
AxisTexts default_axes(SweepKind kind);

/// Every text of `upper` that is not empty replaces the one in `lower`.
void lay_over(AxisTexts& lower, const AxisTexts& upper);

/// Axes of a kind without any values.
Axes empty_axes(SweepKind kind);

/// Reads all texts. Throws as axis_text.h; a missing text is read as an empty one.
Axes parse_axes(SweepKind kind, const AxisTexts& texts, const AxisContext& context);

}  // namespace loom::app::bench
