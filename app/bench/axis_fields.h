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

/// Context for reading the texts of axes.
struct AxisContext {
  int device = 0;                              ///< CUDA ordinal
  const NbbFractal* custom_fractal = nullptr;  ///< a custom fractal, selected by its name; may be null
  /// CUDA ordinals in the order in which several are used; empty: `device`, then the others.
  std::vector<int> device_list = {};
};

/// One axis, for everything that treats all axes alike: command-line options, overriding and reading texts,
/// the form in the window, the settings in results. A new axis is a new row in the table of its kind; the
/// fields of a thread map and of a MandelbrotConfig need no row here.
struct AxisField {
  std::string name;          ///< name of the option, without dashes: "intra-block"
  std::string default_text;  ///< default text
  std::string hint;          ///< help text: the allowed values
  std::string example;       ///< a text with several values: "4,8..16"
  /// Reads the text into its axis of `axes`, which must be of this field's kind. Throws as axis_text.h.
  std::function<void(std::string_view text, const AxisContext& context, Axes& axes)> read;
};
std::span<const AxisField> axis_fields(SweepKind kind);

/// The text of each axis by field name, in the form of axis_text.h. A missing text means the default.
using AxisTexts = std::map<std::string, std::string, std::less<>>;

/// The default axes: a text for every field.
AxisTexts default_axes(SweepKind kind);

/// Replaces each text in `lower` by the one in `upper`, if that is not empty.
void override_texts(AxisTexts& lower, const AxisTexts& upper);

/// Axes of a kind without any values.
Axes empty_axes(SweepKind kind);

/// Reads all texts. Throws as axis_text.h; a missing text is read as an empty one.
Axes parse_axes(SweepKind kind, const AxisTexts& texts, const AxisContext& context);

}  // namespace loom::app::bench
