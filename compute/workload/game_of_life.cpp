#include "compute/workload/game_of_life.h"

#include <fmt/format.h>

#include <cctype>

#include "compute/core/error.h"

namespace loom {

LifeRule parse_rule(std::string_view text) {
  const auto fail = [&] {
    return InputError(
        fmt::format("rule '{}' is not B…/S… notation; allowed: B, digits 0-8, /S, digits 0-8, "
                    "as in B3/S23",
                    text));
  };
  LifeRule rule{0, 0};
  std::size_t at = 0;
  const auto read_list = [&](char letter, std::uint16_t& counts) {
    if (at >= text.size() || std::toupper(static_cast<unsigned char>(text[at])) != letter) throw fail();
    for (++at; at < text.size() && text[at] != '/'; ++at) {
      if (text[at] < '0' || text[at] > '8') throw fail();
      counts = static_cast<std::uint16_t>(counts | (1u << (text[at] - '0')));
    }
  };
  read_list('B', rule.birth);
  if (at >= text.size() || text[at] != '/') throw fail();
  ++at;
  read_list('S', rule.survival);
  if (at != text.size()) throw fail();
  return rule;
}

std::string to_string(LifeRule rule) {
  std::string text = "B";
  for (int c = 0; c <= 8; ++c) {
    if (rule.birth >> c & 1) text += static_cast<char>('0' + c);
  }
  text += "/S";
  for (int c = 0; c <= 8; ++c) {
    if (rule.survival >> c & 1) text += static_cast<char>('0' + c);
  }
  return text;
}

}  // namespace loom
