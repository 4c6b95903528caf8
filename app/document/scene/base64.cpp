#include "app/document/scene/base64.h"

#include <cstdint>

namespace loom::app::scene {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view group = bytes.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t byte = 0; byte < 3; ++byte)
      bits = bits << 8 | (byte < group.size() ? static_cast<unsigned char>(group[byte]) : 0u);
    for (std::size_t digit = 0; digit < 4; ++digit)
      text += digit <= group.size() ? kDigits[bits >> (18 - 6 * digit) & 63] : '=';
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int bit_count = 0;
  for (const char digit : text.substr(0, text.find('='))) {
    const std::size_t value = kDigits.find(digit);
    if (value == kDigits.npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    bit_count += 6;
    if (bit_count >= 8) bytes += static_cast<char>(bits >> (bit_count -= 8) & 255);
  }
  if (to_base64(bytes) != text) return std::nullopt;
  return bytes;
}

}  // namespace loom::app::scene
