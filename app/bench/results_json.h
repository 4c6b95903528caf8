#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/results.h"
#include "compute/engine/watch.h"

namespace loom::app::bench {

/// What a results file says it is; the number is the version of the format.
inline constexpr std::string_view kResultsFormat = "fractal-loom bench 1";

// A million entries take seconds: `watch` may end that by Cancelled.

/// The entries from number `first` on, each a JSON object on one line.
std::vector<std::string> entry_lines(const Results& results, std::size_t first = 0,
                                     const Watch* watch = nullptr);

/// A whole document from results without their entries and the entries' own lines, so that a growing document
/// is not serialised anew each time.
std::string document_text(const Results& results, const std::vector<std::string>& entry_lines);
std::string document_text(const Results& results, const Watch* watch = nullptr);

/// Reads a document. Throws InputError that says what is wrong: not whole JSON, not ours, another version, or
/// which value is missing or of another kind. `name` names the document in it.
Results parse_results(std::string_view text, std::string_view name, const Watch* watch = nullptr);

}  // namespace loom::app::bench
