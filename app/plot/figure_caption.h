#pragma once

#include <string>
#include <vector>

#include "app/bench/results.h"

namespace loom::app::plot {

/// The caption: what was measured, on which machine and backend, from which commit, and when.
std::string caption_of(const bench::Results& results, const std::vector<const bench::MapEntry*>& entries);
std::string caption_of(const bench::Results& results,
                       const std::vector<const bench::MandelbrotEntry*>& entries);

}  // namespace loom::app::plot
