#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "compute/geometry/nbb_fractal.h"
#include "compute/workload/game_of_life.h"

namespace loom::app {

/// The content of a fractal file.
struct FractalFile {
  NbbFractal fractal;
  std::optional<LifeRule> rule = {};  ///< default rule of life
  /// For messages: the line of the generators that limit the level, a list that does not repeat or products
  /// up to 2^62; 0 for a uniform fractal.
  int levels_line = 0;
};

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
/// `file` is the name in messages. Throws InputError "FILE:LINE: what is wrong; what is allowed", also if the
/// file cannot be read.
FractalFile parse_fractal(std::string_view text, const std::filesystem::path& file);
FractalFile read_fractal_file(const std::filesystem::path& file);

/// The text of a fractal file, which parse_fractal() reads as the same fractal if its name is valid.
std::string fractal_text(const FractalFile& file);
/// Whether a name is valid in a fractal file: 1 to kMaxFractalName bytes on one line, no control characters.
bool is_fractal_name(std::string_view name);
inline constexpr std::size_t kMaxFractalName = 64;

}  // namespace loom::app
