#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "app/bench/axes.h"
#include "app/bench/mandelbrot_sweep.h"
#include "app/bench/map_sweep.h"

namespace loom::app::bench {

/// A configuration of either kind of sweep.
using Case = std::variant<MapCase, MandelbrotCase>;

/// The case in a few words for a line of progress: "level 4, lambda, block 16", "n 1024, ask-sbr".
std::string short_text(const Case& one);

/// Every case of a sweep, as the function of its kind has it, as often as it repeats. Throws InputError
/// likewise.
std::vector<Case> expand(const Axes& axes);

/// How many cases `expand` would give.
std::uint64_t count_cases(const Axes& axes);

/// Whether cells of any case are shared by several devices.
bool shares_cells(const Axes& axes);

/// A sweep of more cases than this is made only where the user confirms it.
inline constexpr std::uint64_t kSweepWithoutConfirmation = 100'000;

/// More than this are never made: all of them are held, and would be for a month's work.
inline constexpr std::uint64_t kMostCases = 1'000'000;

/// Throws InputError that says the count where there are more than `limit` cases and no confirmation, or more
/// than the most. Asked before anything is expanded.
void check_sweep_size(std::uint64_t cases, bool confirmed, std::uint64_t limit = kSweepWithoutConfirmation);

}  // namespace loom::app::bench
