#pragma once

#include <array>
#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loom::render {

/// The groups in which palettes are listed.
enum class PaletteGroup {
  kUniform,    ///< equal steps appear equally large
  kCyclic,     ///< the end continues at the beginning
  kSafe,       ///< distinguishable with every common colour-vision deficiency, and in grey
  kClassical,  ///< all others
  kCustom,     ///< created or imported by the user
};
inline constexpr std::array kPaletteGroups = {PaletteGroup::kUniform, PaletteGroup::kCyclic,
                                              PaletteGroup::kSafe, PaletteGroup::kClassical,
                                              PaletteGroup::kCustom};
/// "uniform", "cyclic", "safe", "classical", "own": the names in files.
std::string_view name_of(PaletteGroup group);
/// "perceptually uniform", "cyclic", "colour-blind safe", "classical", "mine".
const char* label_of(PaletteGroup group);

/// A colour at a position of the scale.
struct PaletteStop {
  double at = 0;  ///< 0 to 1
  glm::u8vec3 colour{};
  friend bool operator==(const PaletteStop&, const PaletteStop&) = default;
};

/// The definition of a palette.
struct PaletteSpec {
  std::string name;
  PaletteGroup group = PaletteGroup::kCustom;
  std::vector<PaletteStop> stops = {};  ///< 2 to kMaxStops, ordered by position
  bool cyclic = false;                  ///< the first stop follows the last one, at 1
  bool reversed = false;
  double offset = 0;  ///< 0 to 1: the beginning of the cycle
  glm::u8vec3 hole = {};
  glm::u8vec3 outside = {};
  friend bool operator==(const PaletteSpec&, const PaletteSpec&) = default;
};
inline constexpr std::size_t kMaxStops = 512;

/// The colours of a scale for living density (first entry: all cells dead, last: all alive), with a colour
/// for holes that differs visibly from both ends; and the same colours as a cycle.
struct Palette {
  std::string name;
  PaletteGroup group = PaletteGroup::kCustom;
  /// A scale with two ends. For a cyclic palette, half a cycle, so that the ends are distinguishable.
  std::array<glm::u8vec3, 256> ramp{};
  /// A scale without ends: entry 256 would be entry 0 again. For a palette that is not cyclic, it goes to the
  /// end and back.
  std::array<glm::u8vec3, 256> cycle{};
  glm::u8vec3 hole{};     ///< points of the square that are not cells
  glm::u8vec3 outside{};  ///< colour outside of the square
  friend bool operator==(const Palette&, const Palette&) = default;
};

/// Linear interpolation between stops, in sRGB. Throws std::invalid_argument for fewer than two stops, more
/// than kMaxStops, positions outside 0 to 1 or out of order.
Palette make_palette(const PaletteSpec& recipe);

/// The built-in palettes (assets/palettes), cividis first (readable with colour-vision deficiency), at least
/// sixteen.
const std::vector<Palette>& palettes();
/// The definitions of palettes(), in the same order.
const std::vector<PaletteSpec>& palette_specs();
/// The palette of this name; null if there is none.
const Palette* find_palette(std::string_view name);

/// Linear interpolation, in sRGB, from the first colour (part 0) to the second one (part 1).
glm::u8vec3 mix_colours(glm::u8vec3 from, glm::u8vec3 to, double part);

/// The entry of the ramp for a density from 0 (all dead) to 1 (all alive): 0 is entry 0, 1 is entry 255.
/// Between them it follows the square root, which approximates the perception of brightness, and starts well
/// above entry 0, so that one living cell among very many dead ones is visible.
int ramp_index(double density);
/// The colour of a value of a display texture: 0 is a hole, otherwise 1 + round(65534 * density). The field
/// renderer shows exactly this colour.
glm::u8vec3 display_colour(const Palette& palette, std::uint16_t value);

/// Which entry of a table a dwell has. The last entry is that of the dwell limit, the interior.
struct DwellScale {
  std::uint32_t limit = 0;  ///< dwell limit; that and all higher dwells have the last entry
  std::uint32_t first = 0;  ///< the dwell where entry 0 begins; lower ones have it too
  std::uint32_t shift = 0;  ///< each entry covers 2^shift dwells
  std::uint32_t cycle = 0;  ///< if not 0: entry `dwell` % `cycle` instead, for a table of `cycle` + 1 entries
  friend bool operator==(const DwellScale&, const DwellScale&) = default;

  /// The entry of a dwell in a table of `size` > 0 entries.
  std::uint32_t entry(std::uint32_t dwell, std::size_t size) const {
    const auto last = static_cast<std::uint32_t>(size - 1);
    if (dwell >= limit || last == 0) return last;
    if (cycle > 0) return dwell % cycle;
    const std::uint32_t found = dwell < first ? 0 : (dwell - first) >> shift;
    return found < last ? found : last - 1;
  }
};

/// A table of colours; by default one for each dwell.
struct DwellTable {
  std::span<const glm::u8vec3> colours;
  DwellScale scale;

  DwellTable() = default;
  DwellTable(std::span<const glm::u8vec3> of_dwells)
      : colours(of_dwells), scale{.limit = static_cast<std::uint32_t>(of_dwells.size()) - 1} {}
  DwellTable(const std::vector<glm::u8vec3>& of_dwells)
      : DwellTable(std::span<const glm::u8vec3>(of_dwells)) {}
  DwellTable(std::span<const glm::u8vec3> of_entries, const DwellScale& of_scale)
      : colours(of_entries), scale(of_scale) {}
  bool empty() const { return colours.empty(); }
};

}  // namespace loom::render
