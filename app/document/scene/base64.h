#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace loom::app::scene {

/// Encodes bytes by RFC 4648, with padding, without line ends.
std::string to_base64(std::string_view bytes);
/// Decodes a text; empty if to_base64() would not write it.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace loom::app::scene
