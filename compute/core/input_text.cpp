#include "compute/core/input_text.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace loom {
namespace {

constexpr int kMaxNested = 32;
constexpr int kMaxDots = 7;  ///< of a key with 8 parts

[[noreturn]] void too_deep(std::string_view text, std::size_t at, std::string_view name,
                           std::string_view what, int most) {
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  throw InputError(fmt::format("{}:{}: {}; allowed: at most {}", name, line, what, most));
}

/// The end of the TOML string or comment that begins at `at`, one past its last byte; `at` if none begins
/// there. An unterminated one ends with its line, as it does for the parser, which then reports an error.
std::size_t end_of_opaque(std::string_view text, std::size_t at) {
  const char quote = text[at];
  if (quote == '#') return std::min(text.find('\n', at), text.size());
  if (quote != '"' && quote != '\'') return at;
  const bool escapes = quote == '"';
  const auto is_triple = [&](std::size_t i) {
    return i + 2 < text.size() && text[i] == quote && text[i + 1] == quote && text[i + 2] == quote;
  };
  if (is_triple(at)) {
    for (std::size_t i = at + 3; i < text.size(); ++i) {
      if (escapes && text[i] == '\\') {
        ++i;
      } else if (is_triple(i)) {
        std::size_t end = i + 3;
        // Up to two more quotes belong to the content.
        for (int more = 0; more < 2 && end < text.size() && text[end] == quote; ++more) ++end;
        return end;
      }
    }
    return text.size();
  }
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\n') return i;
    if (escapes && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      return i + 1;
    }
  }
  return text.size();
}

}  // namespace

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

std::string read_input(const std::filesystem::path& file, std::uint64_t max_bytes, std::string_view wanted,
                       const std::function<void()>& between) {
  const auto fail = [&](std::string_view why) {
    return InputError(fmt::format("{}: {}; allowed: {}", file.string(), why, wanted));
  };
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) throw fail("is a folder");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw fail(fmt::format("cannot be read: {}", std::strerror(errno)));
  std::string text;
  std::array<char, 1 << 16> chunk;
  while (stream) {
    if (between) between();
    stream.read(chunk.data(), chunk.size());
    const std::string_view part(chunk.data(), static_cast<std::size_t>(stream.gcount()));
    if (part.find('\0') != std::string_view::npos) throw fail("is no text: it holds a zero byte");
    if (text.size() + part.size() > max_bytes) throw fail(fmt::format("is larger than {} bytes", max_bytes));
    text += part;
  }
  if (!stream.eof()) throw fail("cannot be read to its end");
  text.erase(0, text.size() - without_byte_order_mark(text).size());
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw fail("is empty");
  return text;
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMaxShown = 80;
  std::size_t end = std::min(text.size(), kMaxShown);
  // Do not cut within a multi-byte character.
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  std::string part(text.substr(0, end));
  std::replace_if(
      part.begin(), part.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, ' ');
  return end < text.size() ? part + "..." : part;
}

void check_toml_nesting(std::string_view text, std::string_view name) {
  int depth = 0;
  int dots = 0;  // dots of one key, or of another token such as a number, which has one
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = end_of_opaque(text, i);
    if (end > i) {
      i = end - 1;
      continue;
    }
    switch (text[i]) {
      case '.':
        if (++dots > kMaxDots) too_deep(text, i, name, "parts of a key joined by dots", kMaxDots + 1);
        break;
      case '[':
      case '{':
        dots = 0;
        if (++depth > kMaxNested) too_deep(text, i, name, "arrays and tables within each other", kMaxNested);
        break;
      case ']':
      case '}':
        depth = std::max(depth - 1, 0);
        dots = 0;
        break;
      case '=':
      case ',':
      case '\n':
        dots = 0;
        break;
      default:
        break;
    }
  }
}

}  // namespace loom
