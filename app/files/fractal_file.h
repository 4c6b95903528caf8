#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "compute/geometry/nbb_fractal.h"
#include "compute/workload/game_of_life.h"

namespace loom::app {

/// What a file says of a fractal.
struct FractalFile {
  NbbFractal fractal;
  std::optional<LifeRule> rule = {};  ///< of life, where nobody asks for another
};

/// Reads a user-defined fractal from TOML:
///
///     name = "corner"
///     s_x = 2
///     s_y = 2
///     offsets = [[0, 0], [1, 0], [0, 1]]
///     rule = "B3/S23"  # may be missing; as parse_rule() reads it
///
/// `file` is what messages name. Throws InputError "FILE:LINE: what is wrong; what is allowed". A file that
/// cannot be read is an InputError too.
FractalFile parse_fractal(std::string_view text, const std::filesystem::path& file);
FractalFile read_fractal_file(const std::filesystem::path& file);

/// The text of such a file: parse_fractal() makes the same fractal of it, where its name is one.
std::string fractal_text(const FractalFile& file);
/// Whether a fractal in a file may be called that: 1 to kMaxFractalName bytes on one line, no control
/// characters.
bool is_fractal_name(std::string_view name);
inline constexpr std::size_t kMaxFractalName = 64;

}  // namespace loom::app
