#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/life/scene/life_view.h"
#include "app/mandelbrot/scene/complex_view.h"

namespace loom::app::places {

/// A view of the Mandelbrot set as somebody wrote it.
struct ReadView {
  ComplexView view;
  /// Where the text says how high it is, not how wide: for a picture twice as wide as high it is twice as
  /// wide.
  std::optional<double> height;
  std::optional<std::uint32_t> dwell_limit;
  std::string dropped;  ///< what of the text could not be kept, in a sentence; empty where all was

  /// The view in a picture of these proportions, width over height.
  ComplexView in_picture(double proportion) const;
};

/// Reads "re, im, width" with commas or blanks between, a position file of XaoS (.xpf) or one of Kalles
/// Fraktaler
/// (.kfr), whichever the text is. Numbers are rounded to double precision; what is lost by it, and what the
/// program does not know, is said. Throws InputError that says what is wrong and allowed.
ReadView read_view(std::string_view text);
/// Files longer than this are none.
inline constexpr std::size_t kMostPlaceText = 1 << 20;

/// So that reading it gives exactly the same view.
std::string text_of(const ComplexView& view);

/// A part of a square of cells: "x, y, x2, y2". Throws InputError.
FieldPart read_part(std::string_view text);
std::string text_of(const FieldPart& part);

}  // namespace loom::app::places
