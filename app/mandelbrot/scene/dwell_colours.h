#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "compute/engine/mandelbrot_engine.h"
#include "render/palette.h"

namespace loom::app {

/// How dwells become colours.
enum class Colouring {
  kBands,      ///< each dwell has one colour, by its logarithm
  kSmooth,     ///< by the logarithm of the smooth dwell
  kHistogram,  ///< each dwell has the colour of its rank among the picture's pixels
};
inline constexpr std::array kColourings = {Colouring::kBands, Colouring::kSmooth, Colouring::kHistogram};
std::string_view name_of(Colouring colouring);

enum class InteriorColour { kPalette, kBlack, kWhite };
inline constexpr std::array kInteriorColours = {InteriorColour::kPalette, InteriorColour::kBlack,
                                                InteriorColour::kWhite};
std::string_view name_of(InteriorColour colour);

/// How dwells become colours of a palette.
struct DwellColouring {
  Colouring colouring = Colouring::kBands;
  InteriorColour interior = InteriorColour::kPalette;
  /// Dwells that a turn through the palette's cycle takes; 0: its ramp goes once over the dwells of the
  /// picture. Of kHistogram the ramp is always the whole of it.
  std::uint32_t cycle = 0;
  bool cycles() const { return cycle > 0 && colouring != Colouring::kHistogram; }
  friend bool operator==(const DwellColouring&, const DwellColouring&) = default;
};

/// How many pixels have each dwell, from 0 to the limit.
using DwellHistogram = std::vector<std::uint64_t>;
/// Of what an engine computed last.
DwellHistogram count_dwells(const MandelbrotEngine& engine);

/// Makes `colours` the colour of every dwell from 0 to the limit, which is the interior's. The scale begins
/// at the picture's least dwell and ends where all but one exterior pixel in 500 are. An empty histogram
/// counts as one pixel of each dwell. A cycle begins at dwell 0, whatever the picture.
void dwell_colours(const render::Palette& palette, const DwellColouring& how, const DwellHistogram& histogram,
                   std::uint32_t limit, std::vector<render::Rgb>& colours);

}  // namespace loom::app
