#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace loom::app::scene {

/// Whether bytes begin as a PNG's do.
bool is_png(std::string_view bytes);

/// A PNG with a tEXt chunk before its end; keyword and text are ASCII. Throws InputError where `png` is none,
/// or the text is longer than a chunk can be.
std::string with_text(std::string_view png, std::string_view keyword, std::string_view text);

/// The text of a PNG's first tEXt chunk of that keyword; nothing where it has none. Throws InputError where
/// the PNG ends early or the chunk is damaged. Pixels are not looked at.
std::optional<std::string> text_in(std::string_view png, std::string_view keyword);

}  // namespace loom::app::scene
