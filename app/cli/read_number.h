#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/error.h"

namespace loom::app {

/// The complaint about an option's value: "--level: 'x' is not allowed; allowed: ...".
InputError bad_value(std::string_view option, std::string_view text, std::string_view allowed);

/// The decimal whole number in `text`, all of it, from `lowest` to `highest`; signs, spaces and fractions are
/// not taken. Throws InputError that names the option and the range.
std::uint64_t read_whole_number(std::string_view option, std::string_view text, std::uint64_t lowest,
                                std::uint64_t highest);

/// The decimal number in `text`, all of it, from `lowest` to `highest`. Throws InputError likewise.
double read_real_number(std::string_view option, std::string_view text, double lowest, double highest);

/// The two whole numbers of "1280x720", each from 1 to `highest`. Throws InputError that names the option and
/// what is `allowed`.
struct Sides {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
};
Sides read_sides(std::string_view option, std::string_view text, std::uint32_t highest,
                 std::string_view allowed);
/// The allowed values of an image's size: "WIDTHxHEIGHT with sides from 1 to 16384".
std::string allowed_sides(std::uint32_t highest);

/// The numbers of "-1.5,0.5,-1,1", as many as there are bounds and each within its own. `words` is the text
/// as the command line had it, cut at commas or spaces. Throws InputError that names the option and what is
/// `allowed`.
struct Bounds {
  double lowest = 0;
  double highest = 0;
};
std::vector<double> read_numbers(std::string_view option, const std::vector<std::string>& words,
                                 std::span<const Bounds> bounds, std::string_view allowed);

}  // namespace loom::app
