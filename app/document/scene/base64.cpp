#include "app/document/scene/base64.h"

#include <array>
#include <cstdint>
#include <cstring>

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

/// Two base64 digits for each 12-bit value.
constexpr auto kPairs = [] {
  std::array<std::array<char, 2>, 4096> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {kDigits[i >> 6], kDigits[i & 63]};
  return pairs;
}();

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4, '\0');
  char* to = text.data();
  const auto* from = reinterpret_cast<const unsigned char*>(bytes.data());
  const std::size_t whole = bytes.size() / 3;
  const auto put = [&](std::uint32_t three) {
    std::memcpy(to, &kPairs[three >> 12], 2);
    std::memcpy(to + 2, &kPairs[three & 4095], 2);
    to += 4;
  };
  for (std::size_t i = 0; i < whole; ++i, from += 3)
    put(std::uint32_t{from[0]} << 16 | std::uint32_t{from[1]} << 8 | from[2]);
  const std::size_t left = bytes.size() % 3;
  if (left == 0) return text;
  put(std::uint32_t{from[0]} << 16 | (left == 2 ? std::uint32_t{from[1]} << 8 : 0));
  for (std::size_t missing = 3 - left; missing > 0; --missing) text[text.size() - missing] = '=';
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::string bytes(text.size() / 4 * 3, '\0');
  const auto* from = reinterpret_cast<const unsigned char*>(text.data());
  char* to = bytes.data();
  std::uint32_t wrong = 0;
  const auto take = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    wrong |= a | b | c | d;  // invalid digits decode to a value with an extra bit
    const std::uint32_t three = a << 18 | b << 12 | c << 6 | d;
    *to++ = static_cast<char>(three >> 16);
    *to++ = static_cast<char>(three >> 8);
    *to++ = static_cast<char>(three);
  };
  const std::size_t whole = text.size() / 4 - (padding > 0 ? 1 : 0);
  for (std::size_t i = 0; i < whole; ++i, from += 4)
    take(kValues[from[0]], kValues[from[1]], kValues[from[2]], kValues[from[3]]);
  if (padding > 0) take(kValues[from[0]], kValues[from[1]], padding == 2 ? 0u : kValues[from[2]], 0u);
  if ((wrong & kNoDigit) != 0) return std::nullopt;
  for (; padding > 0; --padding) {
    if (bytes.back() != '\0') return std::nullopt;  // non-zero bits after the last byte
    bytes.pop_back();
  }
  return bytes;
}

}  // namespace loom::app::scene
