#pragma once

#include <cstdint>

#include "app/text/text.h"

namespace loom::app {

/// "19 683": digits in groups of three, from five digits on.
Text format_count(std::uint64_t count);
/// "1.91 MiB", "512 B".
Text format_bytes(std::uint64_t bytes);
/// Milliseconds with three significant digits below 100: "0.042", "1.37", "23.5", "512".
Text format_ms(double milliseconds);
/// "5.3×", "0.48×".
Text format_ratio(double ratio);
/// "42.2 %", "0.031 %", "2.8e-12 %".
Text format_percent(double fraction);

/// "(2, 5)".
Text format_pair(std::uint64_t x, std::uint64_t y);

/// The text with a capital first letter, as labels begin.
std::string capitalized(std::string text);

}  // namespace loom::app
