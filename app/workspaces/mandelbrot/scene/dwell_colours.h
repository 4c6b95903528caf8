#pragma once

#include <array>
#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <string_view>
#include <vector>

#include "app/explain/diagram/diagram.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "render/palette.h"

namespace loom::app {

/// How colours follow from dwells.
enum class Colouring {
  kBands,      ///< one colour per dwell, on a logarithmic scale
  kSmooth,     ///< continuous, by the logarithm of the smooth dwell
  kHistogram,  ///< histogram colouring: by the rank of the dwell among all pixels
  kAdaptive,   ///< continuous: one turn of the palette's cycle, by rank and logarithm of the smooth dwell
};
inline constexpr std::array kColourings = {Colouring::kAdaptive, Colouring::kSmooth, Colouring::kBands,
                                           Colouring::kHistogram};
std::string_view name_of(Colouring colouring);
/// Whether it colours smooth dwells.
inline bool is_continuous(Colouring colouring) {
  return colouring == Colouring::kSmooth || colouring == Colouring::kAdaptive;
}

enum class InteriorColour { kPalette, kBlack, kWhite };
inline constexpr std::array kInteriorColours = {InteriorColour::kPalette, InteriorColour::kBlack,
                                                InteriorColour::kWhite};
std::string_view name_of(InteriorColour colour);

/// The parameters that map dwells to palette colours.
struct DwellColouring {
  Colouring colouring = Colouring::kBands;
  InteriorColour interior = InteriorColour::kPalette;
  /// Dwells per turn of the palette's cycle. 0: the palette's ramp spans the dwells of the picture once.
  /// kHistogram always uses the whole ramp once, kAdaptive the cycle.
  std::uint32_t cycle = 0;
  bool has_cycle() const { return colouring == Colouring::kBands || colouring == Colouring::kSmooth; }
  bool cycles() const { return cycle > 0 && has_cycle(); }
  friend bool operator==(const DwellColouring&, const DwellColouring&) = default;
};

/// Number of pixels with each dwell, from 0 to the limit, or by the entries of a scale.
using DwellHistogram = std::vector<std::uint64_t>;
/// The histogram of the last image of an engine.
DwellHistogram count_dwells(const MandelbrotEngine& engine);

/// A histogram by the entries of a scale.
struct ScaledHistogram {
  render::DwellScale scale;
  DwellHistogram counts;
  friend bool operator==(const ScaledHistogram&, const ScaledHistogram&) = default;
};
/// The histogram of the last image of an engine, with one entry per dwell up to kMaxNarrowLimit. Above it, at
/// most 65536 entries cover the dwells of the image.
ScaledHistogram count_dwells_by_scale(const MandelbrotEngine& engine);

/// The colours of the dwells of a picture.
struct DwellColours {
  render::DwellScale scale;
  std::vector<glm::u8vec3> colours;
  render::DwellTable table() const { return {colours, scale}; }
};
/// Like the function below, for a limit of any size.
void dwell_colours(const render::Palette& palette, const DwellColouring& how,
                   const ScaledHistogram& histogram, DwellColours& colours);

/// Fills `colours` with the colour of every dwell (or entry) from 0 to the limit; the limit has the colour of
/// the interior. The scale begins at the smallest dwell of the picture and ends at the dwell that 1 in 500
/// exterior pixels exceeds. An empty histogram counts as one pixel per dwell. A cycle always begins at dwell
/// 0.
void dwell_colours(const render::Palette& palette, const DwellColouring& how, const DwellHistogram& histogram,
                   std::uint32_t limit, std::vector<glm::u8vec3>& colours);

/// The accent of a method in panes and bars: those of the three maps, in the same order.
constexpr glm::vec4 colour_of(MandelbrotMethod method) {
  return colour_of(kMapKinds[static_cast<std::size_t>(method)]);
}

}  // namespace loom::app
