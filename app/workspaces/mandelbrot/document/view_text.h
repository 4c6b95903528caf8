#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/workspaces/mandelbrot/scene/complex_view.h"

namespace loom::app {

/// A parsed view of the Mandelbrot set.
struct ParsedView {
  ComplexView view;
  /// Set if the text gives the height instead of the width; the width then follows from the proportions of
  /// the picture.
  std::optional<double> height;
  std::optional<std::uint32_t> dwell_limit;
  std::string dropped;  ///< a sentence about ignored parts; empty if there are none

  /// The view in a picture of this ratio of width to height. Throws InputError if it is then too wide.
  ComplexView fitted_to_aspect(double proportion) const;
};

/// Reads "re, im, width" (separated by commas or blanks), a position file of XaoS (.xpf) or of Kalles
/// Fraktaler (.kfr), with all digits; `dropped` reports unsupported settings. Throws InputError with what is
/// wrong and what is allowed.
ParsedView parse_view(std::string_view text);
/// Largest size of a position file in bytes.
inline constexpr std::size_t kMaxViewText = 1 << 22;

/// A text that parse_view() reads as exactly the same view.
std::string text_of(const ComplexView& view);
/// The same for the screen: long numbers are shortened (Decimal::shown()).
std::string shown_text_of(const ComplexView& view);

}  // namespace loom::app
