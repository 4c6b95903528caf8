#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace loom::app {

/// JSON as it is printed and written. JSON is UTF-8 and file names need not be: a byte of theirs that is none
/// becomes the replacement character, so that the rest can be read.
inline std::string json_text(const nlohmann::ordered_json& json, int indent = 2) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace loom::app
