#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

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

}  // namespace loom::app
