#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loom::app {

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
