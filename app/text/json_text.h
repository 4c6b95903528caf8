#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace loom::app {

/// JSON as it is printed and written to files. JSON must be UTF-8, but file names need not be: each invalid
/// byte becomes the replacement character.
inline std::string json_text(const nlohmann::ordered_json& json, int indent = 2) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace loom::app
