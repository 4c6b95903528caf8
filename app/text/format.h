#pragma once

#include <cstdint>

#include "app/text/text.h"

namespace loom::app {

/// "19 683": digits in groups of three, from five digits on.
Text format_count(std::uint64_t count);
/// "1.91 MiB", "512 B".
Text format_bytes(std::uint64_t bytes);
/// A time with its unit and three significant digits: "0.360 µs", "42.1 µs", "512 ms", "12.5 s".
Text format_time(double milliseconds);
/// "5.3×", "0.48×".
Text format_ratio(double ratio);
/// "1.25 mJ", "0.4 J".
Text format_joules(double joules);
/// "42.2 %", "0.031 %", "2.8e-12 %".
Text format_percent(double fraction);

/// A shorter time in milliseconds consists mostly of the launch and of noise, so that its ratio to another
/// says nothing.
inline constexpr double kMinComparedMs = 0.02;
inline bool are_comparable(double a_ms, double b_ms) {
  return a_ms >= kMinComparedMs && b_ms >= kMinComparedMs;
}
/// "5.3×", how many times as long `base_ms` is, or "too small to compare" (with spaces that do not break, so
/// that it is cut to "too small").
Text format_speedup(double base_ms, double ms);
inline constexpr const char* kTooSmallMeaning =
    "A time below 20 µs consists mostly of the launch and of noise. A higher level has longer steps";

/// What metrics mean that several panels show.
inline constexpr const char* kUtilizationMeaning = "Active over launched threads. The rest are idle threads";
inline constexpr const char* kIdleLanesMeaning =
    "Lanes without a cell, of all lanes of the warps. That is the rest of the thread utilization, and the "
    "lanes that fill up the last warp of a thread block";

/// An error of the command line in the terms of the window: options are settings, "--storage bytes" is
/// "storage bytes". What follows the word "option" stays.
std::string without_option_marks(std::string text);

/// "(2, 5)".
Text format_pair(std::uint64_t x, std::uint64_t y);

/// The text with a capital first letter, as labels begin.
std::string capitalized(std::string text);
/// With ASCII letters in lower case.
std::string lower_case(std::string_view text);
/// Whether every word of `words`, which blanks separate, occurs in the text; letters of either case.
bool has_words(std::string_view text, std::string_view words);

}  // namespace loom::app
