#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "compute/solid/solid_fractal.h"
#include "compute/solid/solid_rule.h"

namespace loom::app {

/// The content of a file of a three-dimensional fractal.
struct SolidFile {
  SolidFractal fractal;
  std::optional<SolidRule> rule = {};  ///< default rule of life
};

/// Whether the text of a fractal file has the scale s_z and therefore describes a three-dimensional fractal.
/// False for a text that is not TOML.
bool is_solid_file(std::string_view text);

/// Reads a user-defined three-dimensional fractal from TOML:
///
///     name = "corner"
///     s_x = 2
///     s_y = 2
///     s_z = 3
///     offsets = [[0, 0, 0], [1, 0, 0], [0, 1, 2]]
///     rule = "B5..7/S4..7"  # may be missing; as parse_solid_rule() reads it
///
/// `file` is the name in messages. Throws InputError "FILE:LINE: what is wrong; what is allowed", also if the
/// file cannot be read.
SolidFile parse_solid(std::string_view text, const std::filesystem::path& file);

/// The fractal of a file; nothing if the file describes a two-dimensional fractal or cannot be read.
std::optional<SolidFile> read_solid_file(const std::filesystem::path& file);

/// The text of a fractal file, which parse_solid() reads as the same fractal.
std::string fractal_text(const SolidFile& file);

}  // namespace loom::app
