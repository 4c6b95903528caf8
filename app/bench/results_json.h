#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/results.h"
#include "compute/engine/progress_monitor.h"

namespace loom::app::bench {

/// The format member of a results file; the number is the version.
inline constexpr std::string_view kResultsFormat = "fractal-loom bench 1";

// A million entries take seconds. All functions with `watch` throw OperationCancelled if it is cancelled.

/// The entries from number `first` on, each a JSON object on one line.
std::vector<std::string> entry_lines(const Results& results, std::size_t first = 0,
                                     const ProgressMonitor* watch = nullptr);

/// A complete document from results without entries and the lines of the entries, so that a growing document
/// is not serialised again each time.
std::string document_text(const Results& results, const std::vector<std::string>& entry_lines);
std::string document_text(const Results& results, const ProgressMonitor* watch = nullptr);

/// Reads a document. Throws InputError that names `name` and the fault: invalid JSON, not a results file,
/// another version, or a missing or wrong value.
Results parse_results(std::string_view text, std::string_view name, const ProgressMonitor* watch = nullptr);

}  // namespace loom::app::bench
