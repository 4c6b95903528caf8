#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "compute/geometry/nbb_fractal.h"

namespace loom {

/// Reads a user-defined fractal from TOML:
///
///     name = "corner"
///     s_x = 2
///     s_y = 2
///     offsets = [[0, 0], [1, 0], [0, 1]]
///
/// `file` is what messages name. Throws InputError "FILE:LINE: what is wrong; what is allowed". A file that
/// cannot be read is an InputError too.
NbbFractal parse_fractal(std::string_view text, const std::filesystem::path& file);
NbbFractal read_fractal_file(const std::filesystem::path& file);

/// The text of such a file: parse_fractal() makes the same fractal of it, where its name is one.
std::string fractal_text(const NbbFractal& fractal);
/// Whether a fractal in a file may be called that: 1 to kMaxFractalName bytes on one line, no control
/// characters.
bool is_fractal_name(std::string_view name);
inline constexpr std::size_t kMaxFractalName = 64;

}  // namespace loom
