#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace loom::render {

/// Whether the bytes begin like a PNG.
bool is_png(std::string_view bytes);

/// Chunk for data that belong to a text: ancillary, private, safe to copy.
inline constexpr const char* kPngData = "loOm";

/// The text of the first tEXt chunk with this keyword, before or after the image data; empty if there is
/// none. If there is a chunk kPngData before the image data, a zero byte and its data follow. The pixels are
/// not decompressed. Throws std::runtime_error if the PNG ends early or is damaged, std::bad_alloc.
std::optional<std::string> read_png_text(std::string_view png, std::string_view keyword);

}  // namespace loom::render
