#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "app/bench/axes.h"
#include "app/bench/mandelbrot_sweep.h"
#include "app/bench/map_sweep.h"

namespace loom::app::bench {

/// A configuration of either kind of sweep; a sweep of maps has MapCase and SolidCase.
using Case = std::variant<MapCase, MandelbrotCase, SolidCase>;

/// A short description for progress: "level 4, lambda, tile size 16", "n 1024, ask-sbr".
std::string short_text(const Case& one);

/// Every case of a sweep, including repeats. Throws as the function of its kind.
std::vector<Case> expand(const Axes& axes);

/// The number of cases of `expand`.
std::uint64_t count_cases(const Axes& axes);

/// Whether several devices share the cells of any case.
bool is_distributed(const Axes& axes);

/// A larger sweep requires confirmation.
inline constexpr std::uint64_t kSweepWithoutConfirmation = 100'000;

/// Largest number of cases of a sweep; all of them are held in memory.
inline constexpr std::uint64_t kMaxCases = 1'000'000;

/// Throws InputError with the count if there are more than `limit` cases without confirmation, or more than
/// kMaxCases. Call before expanding.
void check_sweep_size(std::uint64_t cases, bool confirmed, std::uint64_t limit = kSweepWithoutConfirmation);

}  // namespace loom::app::bench
