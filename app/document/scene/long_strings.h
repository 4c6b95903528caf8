#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compute/engine/progress_monitor.h"

namespace loom::app::scene {

/// JSON with very long strings replaced by short marks, because a JSON parser would copy them character by
/// character.
struct ExtractedStrings {
  std::string rest;                     ///< the text with marks
  std::vector<std::string_view> parts;  ///< the replaced strings, as views of the original text
};
/// Replaces strings of at least kLongString bytes without escapes. Throws OperationCancelled.
ExtractedStrings extract_long_strings(std::string_view text, const ProgressMonitor* watch = nullptr);
/// Parses a text. If all long strings are elements of the list at `place` (a JSON pointer), they are replaced
/// by marks; otherwise the whole text is parsed and `extracted` has no parts. Throws as parse_json().
nlohmann::ordered_json parse_with_extracted(std::string_view text, const char* place,
                                            ExtractedStrings& extracted,
                                            const ProgressMonitor* watch = nullptr);
/// The index of the part that a mark stands for; empty if the text is not a mark.
std::optional<std::size_t> index_of_placeholder(std::string_view text);

inline constexpr std::size_t kLongString = std::size_t{1} << 16;

}  // namespace loom::app::scene
