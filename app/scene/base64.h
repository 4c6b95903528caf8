#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loom::app::scene {

/// Bytes as text by RFC 4648 with its padding, without line ends.
std::string to_base64(std::string_view bytes);
/// The same at the end of a text.
void add_base64(std::string_view bytes, std::string& text);
/// The bytes of a text; nothing where it is none that to_base64() writes.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace loom::app::scene
