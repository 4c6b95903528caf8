#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "compute/engine/progress_monitor.h"

namespace loom::app::bench {

/// Limits of a document, so that no JSON text takes disproportionately long to read.
struct JsonLimits {
  int depth = 32;  ///< nesting depth of lists and objects
  std::size_t bytes = std::size_t{1} << 26;
  std::size_t values = std::size_t{1} << 20;  ///< number of values in total, including lists and objects
};
/// Largest number of members of one object; lookup by name is linear.
inline constexpr std::size_t kMaxJsonMembers = 256;

/// Parses a JSON document after checking its limits. Throws InputError ("it ..."), OperationCancelled,
/// std::bad_alloc.
nlohmann::ordered_json parse_json(std::string_view text, const JsonLimits& limits,
                                  const ProgressMonitor* watch = nullptr);

}  // namespace loom::app::bench
