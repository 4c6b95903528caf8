#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compute/engine/fractal_config.h"
#include "compute/workload/game_of_life.h"

namespace loom::app {

/// The content of a fractal file in two or three dimensions.
template <int kDimensions>
struct FractalFileOf {
  FractalOf<kDimensions> fractal;
  std::optional<LifeRuleOf<kDimensions>> rule = {};  ///< default rule of life
  /// For messages: the line of the generators that limit the level, a list that does not repeat or products
  /// up to 2^62; 0 for a uniform fractal.
  int levels_line = 0;
};
using FractalFile = FractalFileOf<2>;
using SolidFile = FractalFileOf<3>;

/// Reads a user-defined fractal from TOML:
///
///     name = "corner"
///     s_x = 2
///     s_y = 2
///     offsets = [[0, 0], [1, 0], [0, 1]]
///     orientations = ["id", "r90", "mx"]  # may be missing; needs s_x equal to s_y
///     rule = "B3/S23"  # may be missing; as parse_rule() reads it
///
/// or with `levels` instead of s_x to orientations, from the coarsest level down: names of built-in fractals
/// of one generator, or tables of s_x, s_y, offsets and orientations:
///
///     levels = ["sierpinski-carpet", { s_x = 2, s_y = 2, offsets = [[0, 0], [1, 1]] }]
///     repeat = false  # the list is not repeated: its length is the highest level
///
/// A file with the scale s_z has a three-dimensional fractal of one generator; its offsets have three
/// numbers, and its rule is as parse_solid_rule() reads it:
///
///     s_z = 3
///     offsets = [[0, 0, 0], [1, 0, 0], [0, 1, 2]]
///     rule = "B5..7/S4..7"
///
/// `file` is the name in messages. Throws InputError "FILE:LINE: what is wrong; what is allowed", also if the
/// file cannot be read.
FractalFile parse_fractal(std::string_view text, const std::filesystem::path& file);
FractalFile read_fractal_file(const std::filesystem::path& file);
SolidFile parse_solid(std::string_view text, const std::filesystem::path& file);

/// Whether the text of a fractal file has the scale s_z. False for a text that is not TOML.
bool is_solid_file(std::string_view text);
/// The fractal of a file; nothing if the file describes a two-dimensional fractal or cannot be read.
std::optional<SolidFile> read_solid_file(const std::filesystem::path& file);

/// The text of a fractal file, which is read as the same fractal if its name is valid.
std::string fractal_text(const FractalFile& file);
std::string fractal_text(const SolidFile& file);
/// Whether a name is valid in a fractal file: 1 to kMaxFractalName bytes on one line, no control characters.
bool is_fractal_name(std::string_view name);
inline constexpr std::size_t kMaxFractalName = 64;

/// Palette formats of other programs.
enum class PaletteFormat {
  kGimp,      ///< .gpl: "GIMP Palette", then one colour per line
  kFractint,  ///< .map: one colour per line, used cyclically
  kGmt,       ///< .cpt: GMT's slices, z0 colour z1 colour
};
/// The format by the ending of the file. Throws InputError for other endings.
PaletteFormat palette_format(const std::filesystem::path& file);

/// Largest number of colours of a file; a .cpt slice has two.
inline constexpr std::size_t kMaxFileColours = 512;

struct FilePalette {
  struct Stop {
    double at = 0;  ///< 0 to 1, ascending
    std::array<std::uint8_t, 3> rgb = {};
    friend bool operator==(const Stop&, const Stop&) = default;
  };
  std::string name = {};         ///< the name in the file, otherwise the file's name; 1 to 64 bytes
  std::vector<Stop> stops = {};  ///< 2 to kMaxFileColours
  bool cyclic = false;
  // Only in files of this program.
  bool reversed = false;
  double offset = 0;  ///< start of the cycle, 0 to 1
  std::optional<std::array<std::uint8_t, 3>> hole = {};
  std::optional<std::array<std::uint8_t, 3>> outside = {};
  friend bool operator==(const FilePalette&, const FilePalette&) = default;
};

/// `file` is the name in messages. Throws InputError "FILE:LINE: what is wrong; what is allowed".
///
/// .gpl (GIMP's documentation, and libgimp's reader): the first line is "GIMP Palette"; "Name:" and
/// "Columns:" lines, then lines "R G B name" with 0 to 255; # begins a comment. .map (Fractint's
/// documentation): up to 256 lines "R G B", followed by a comment; cyclic. .cpt (GMT's cookbook): slices "z0
/// R G B z1 R G B" with ascending z; a colour may also be R/G/B, a grey or #rrggbb; "# COLOR_MODEL = RGB"; B,
/// F and N lines, labels and comments are skipped. HSV, CMYK, patterns and colours by name are rejected. A
/// comment "# fractal-loom KEY VALUE" stores what GMT cannot: name, cyclic, reversed (yes, no), offset, hole,
/// outside (#rrggbb), and "places exact": z is a position from 0 to 1, and a slice may have zero width. Other
/// keys are skipped.
FilePalette parse_palette_file(std::string_view text, PaletteFormat format,
                               const std::filesystem::path& file);
/// A .cpt text that reads back as exactly this palette, which must have 2 to kMaxFileColours stops in order.
std::string cpt_text(const FilePalette& palette);
/// The text of a file of at most 1 MiB. Throws InputError.
std::string palette_text(const std::filesystem::path& file);
/// Reads a file of at most 1 MiB. Throws InputError.
FilePalette read_palette_file(const std::filesystem::path& file);

}  // namespace loom::app
