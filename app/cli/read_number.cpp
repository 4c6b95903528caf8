#include "app/cli/read_number.h"

#include <fmt/format.h>

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

InputError bad_value(std::string_view option, std::string_view text, std::string_view allowed) {
  return InputError(fmt::format("{}: '{}' is not allowed; allowed: {}", option, text, allowed));
}

std::uint64_t read_whole_number(std::string_view option, std::string_view text, std::uint64_t lowest,
                                std::uint64_t highest) {
  return read_number<std::uint64_t>(option, text, lowest, highest, "whole number");
}

double read_real_number(std::string_view option, std::string_view text, double lowest, double highest) {
  return read_number<double>(option, text, lowest, highest, "number");
}

}  // namespace loom::app
