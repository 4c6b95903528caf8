#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "compute/engine/watch.h"

namespace loom::app::bench {

/// What a document may hold, so that no text of JSON takes longer to read than its bytes let expect.
struct JsonLimits {
  int depth = 32;  ///< lists and objects within each other
  std::size_t bytes = std::size_t{1} << 26;
  std::size_t values = std::size_t{1} << 20;  ///< of all of it, lists and objects among them
};
/// The members of one object: their names are looked for one after the other.
inline constexpr std::size_t kMostJsonMembers = 256;

/// A document of JSON. It is looked through before anything is made of it. Throws InputError that says what
/// is wrong with "it", Cancelled, std::bad_alloc.
nlohmann::ordered_json parse_json(std::string_view text, const JsonLimits& limits,
                                  const Watch* watch = nullptr);

}  // namespace loom::app::bench
