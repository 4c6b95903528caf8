#include "app/scene/base64.h"

#include <array>

namespace loom::app::scene {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 64;

constexpr std::array<std::uint8_t, 256> kValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (std::size_t i = 0; i < kDigits.size(); ++i)
    values[static_cast<unsigned char>(kDigits[i])] = static_cast<std::uint8_t>(i);
  return values;
}();

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0;
  };
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::uint32_t three = byte(at) << 16 | byte(at + 1) << 8 | byte(at + 2);
    for (int shift = 18; shift >= 0; shift -= 6) text += kDigits[three >> shift & 63];
  }
  for (std::size_t missing = (3 - bytes.size() % 3) % 3; missing > 0; --missing)
    text[text.size() - missing] = '=';
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t at = 0; at < text.size(); at += 4) {
    std::uint32_t four = 0;
    for (std::size_t i = at; i < at + 4; ++i) {
      const bool is_padding = i >= text.size() - padding;
      const std::uint8_t value = is_padding ? 0 : kValues[static_cast<unsigned char>(text[i])];
      if (value == kNoDigit) return std::nullopt;
      four = four << 6 | value;
    }
    for (int shift = 16; shift >= 0; shift -= 8) bytes += static_cast<char>(four >> shift & 255);
  }
  const bool clean =
      bytes.size() < padding || bytes.substr(bytes.size() - padding) == std::string(padding, '\0');
  if (!clean) return std::nullopt;
  bytes.resize(bytes.size() - padding);
  return bytes;
}

}  // namespace loom::app::scene
