#pragma once

#include <span>
#include <string_view>

#include "app/bench/axes.h"
#include "app/bench/mandelbrot_axes.h"
#include "app/bench/presets.h"

namespace loom::app::bench {

/// What texts are read with besides themselves.
struct AxisContext {
  int device = 0;                           ///< CUDA ordinal
  const NbbFractal* own_fractal = nullptr;  ///< one that the catalogue lacks and that goes by its name
};

/// One axis by name, for whatever treats all axes alike: laying texts over each other, reading them, the
/// window's form, the settings in results. A new axis is a new row of its kind's table.
template <typename Texts, typename AxesOfKind>
struct AxisFieldOf {
  std::string_view name;  ///< of the option, without dashes: "intra-block"
  std::string Texts::*text;
  /// Reads the text into its axis. Throws as axis_text.h.
  void (*read)(std::string_view text, const AxisContext& context, AxesOfKind& axes);
  std::string_view hint;  ///< what may stand there
};
using AxisField = AxisFieldOf<AxisTexts, Axes>;
using MandelbrotAxisField = AxisFieldOf<MandelbrotAxisTexts, MandelbrotAxes>;
std::span<const AxisField> axis_fields();
std::span<const MandelbrotAxisField> mandelbrot_axis_fields();

/// Every text of `upper` that is not empty replaces the one in `lower`.
void lay_over(AxisTexts& lower, const AxisTexts& upper);
void lay_over(MandelbrotAxisTexts& lower, const MandelbrotAxisTexts& upper);

/// Reads all texts; none may be empty. Throws as axis_text.h.
Axes parse_axes(const AxisTexts& texts, const AxisContext& context);
MandelbrotAxes parse_axes(const MandelbrotAxisTexts& texts, const AxisContext& context);

}  // namespace loom::app::bench
