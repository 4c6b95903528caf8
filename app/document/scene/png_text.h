#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace loom::app::scene {

/// Whether the bytes begin like a PNG.
bool is_png(std::string_view bytes);

/// Adds a tEXt chunk before the end of a PNG; keyword and text are ASCII. Throws InputError if `png` is not a
/// PNG or the text is too long for a chunk.
std::string add_text_chunk(std::string_view png, std::string_view keyword, std::string_view text);

/// The text of the first tEXt chunk with this keyword; empty if there is none. Throws InputError if the PNG
/// ends early or the chunk is damaged. Pixels are not read.
std::optional<std::string> read_text_chunk(std::string_view png, std::string_view keyword);

}  // namespace loom::app::scene
