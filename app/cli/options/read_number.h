#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/field.h"

namespace loom::app {

/// Parses all of `text` as a decimal whole number from `lowest` to `highest`, without signs, spaces and
/// fractions. Throws InputError that names option and range.
std::uint64_t read_whole_number(std::string_view option, std::string_view text, std::uint64_t lowest,
                                std::uint64_t highest);

/// Parses all of `text` as a decimal number from `lowest` to `highest`. Throws InputError that names option
/// and range.
double read_real_number(std::string_view option, std::string_view text, double lowest, double highest);

/// Parses "1280x720": two whole numbers, each from 1 to `highest`. Throws InputError that names the option
/// and what is `allowed`.
struct ImageSides {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
};
ImageSides read_sides(std::string_view option, std::string_view text, std::uint32_t highest,
                      std::string_view allowed);
/// Describes the allowed sizes of an image: "WIDTHxHEIGHT with sides from 1 to 16384".
std::string allowed_sides(std::uint32_t highest);

/// Parses "-1.5,0.5,-1,1": as many numbers as there are bounds, each within its bounds. `words` is the text
/// of the command line, split at commas or spaces. Throws InputError that names the option and what is
/// `allowed`.
struct Bounds {
  double lowest = 0;
  double highest = 0;
};
std::vector<double> read_numbers(std::string_view option, const std::vector<std::string>& words,
                                 std::span<const Bounds> bounds, std::string_view allowed);

}  // namespace loom::app
