#include "app/cli/options/read_number.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace loom::app {
namespace {

template <typename Number>
Number read_number(std::string_view option, std::string_view text, Number lowest, Number highest,
                   std::string_view kind) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  // Written so that "nan", which compares false with everything, is refused.
  const bool in_range = value >= lowest && value <= highest;
  if (error != std::errc{} || stop != end || !in_range) {
    throw bad_value(option, text, fmt::format("a {} from {} to {}", kind, lowest, highest));
  }
  return value;
}

}  // namespace

std::uint64_t read_whole_number(std::string_view option, std::string_view text, std::uint64_t lowest,
                                std::uint64_t highest) {
  return read_number<std::uint64_t>(option, text, lowest, highest, "whole number");
}

double read_real_number(std::string_view option, std::string_view text, double lowest, double highest) {
  return read_number<double>(option, text, lowest, highest, "number");
}

ImageSides read_sides(std::string_view option, std::string_view text, std::uint32_t highest,
                      std::string_view allowed) {
  const std::size_t cross = text.find('x');
  if (cross == std::string_view::npos) throw bad_value(option, text, allowed);
  try {
    return {static_cast<std::uint32_t>(read_whole_number(option, text.substr(0, cross), 1, highest)),
            static_cast<std::uint32_t>(read_whole_number(option, text.substr(cross + 1), 1, highest))};
  } catch (const InputError&) {
    throw bad_value(option, text, allowed);
  }
}

std::string allowed_sides(std::uint32_t highest) {
  return fmt::format("WIDTHxHEIGHT with sides from 1 to {}", highest);
}

std::vector<double> read_numbers(std::string_view option, const std::vector<std::string>& words,
                                 std::span<const Bounds> bounds, std::string_view allowed) {
  const std::string text = fmt::format("{}", fmt::join(words, ","));
  std::vector<double> numbers;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    if (numbers.size() == bounds.size()) throw bad_value(option, text, allowed);
    const Bounds& range = bounds[numbers.size()];
    try {
      numbers.push_back(read_real_number(option, std::string_view(text).substr(at, comma - at), range.lowest,
                                         range.highest));
    } catch (const InputError&) {
      throw bad_value(option, text, allowed);
    }
    at = comma + 1;
  }
  if (numbers.size() != bounds.size()) throw bad_value(option, text, allowed);
  return numbers;
}

}  // namespace loom::app
