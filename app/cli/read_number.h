#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

}  // namespace loom::app
