#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "compute/core/error.h"

namespace loom::app {

/// Reads the members of one JSON object. Throws InputError that names the position of a wrong member.
class JsonReader {
 public:
  JsonReader(const nlohmann::ordered_json& object, std::string where)
      : object_(object), where_(std::move(where)) {
    if (!object_.is_object()) throw InputError(fmt::format("{} is not an object", where_));
  }

  /// The position of the object, for messages: "scene.places[3]".
  const std::string& where() const { return where_; }
  /// The position of a member: "scene.places[3].view".
  std::string path(const char* key) const { return fmt::format("{}.{}", where_, key); }
  bool has(const char* key) const { return object_.contains(key); }
  bool is_null(const char* key) const { return member(key).is_null(); }
  JsonReader object(const char* key) const { return JsonReader(member(key), path(key)); }
  const nlohmann::ordered_json& any(const char* key) const { return member(key); }

  const nlohmann::ordered_json& array(const char* key) const {
    if (!member(key).is_array()) throw wrong(key, "a list");
    return member(key);
  }
  std::string text(const char* key) const {
    if (!member(key).is_string()) throw wrong(key, "a text");
    return member(key).get<std::string>();
  }
  bool yes_no(const char* key) const {
    if (!member(key).is_boolean()) throw wrong(key, "true or false");
    return member(key).get<bool>();
  }
  /// Finite, of either sign.
  double real(const char* key) const {
    if (!member(key).is_number() || !std::isfinite(member(key).get<double>())) throw wrong(key, "a number");
    return member(key).get<double>();
  }
  double number(const char* key) const {
    const double value = real(key);
    if (!(value >= 0)) throw wrong(key, "a number of 0 or more");
    return value;
  }
  /// 0 or a measurable time; plots divide by it and take its logarithm.
  double milliseconds(const char* key) const {
    const double value = number(key);
    if (value != 0 && !(value >= 1e-9 && value <= 1e15))
      throw wrong(key, "0 or from 1e-9 to 1e15 milliseconds");
    return value;
  }
  /// A whole number from `lowest` to `highest`.
  int within(const char* key, int lowest, int highest) const {
    const int value = whole<int>(key);
    if (value < lowest || value > highest)
      throw InputError(fmt::format("its {} is {}; allowed: {} to {}", key, value, lowest, highest));
    return value;
  }
  int level(const char* key) const {
    constexpr int kHighest = 63;  // k is at least 2, and k^r must fit in 64 bits
    const int value = whole<int>(key);
    if (value > kHighest) throw wrong(key, "a level from 0 to 63");
    return value;
  }
  template <typename Int>
  Int whole(const char* key) const {
    // A document that was not parsed may hold positive numbers as signed ones.
    const bool positive = member(key).is_number_integer() &&
                          (member(key).is_number_unsigned() || member(key).get<std::int64_t>() >= 0);
    if (!positive) throw wrong(key, "a whole number");
    const auto value = member(key).get<std::uint64_t>();
    if (value > static_cast<std::uint64_t>(std::numeric_limits<Int>::max())) {
      throw wrong(key, "a smaller whole number");
    }
    return static_cast<Int>(value);
  }

 private:
  InputError wrong(const char* key, std::string_view wanted) const {
    return InputError(fmt::format("{} is not {}", path(key), wanted));
  }
  const nlohmann::ordered_json& member(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) throw InputError(fmt::format("{} is missing", path(key)));
    return *found;
  }

  const nlohmann::ordered_json& object_;
  std::string where_;
};

/// JSON as it is printed and written to files. JSON must be UTF-8, but file names need not be: each invalid
/// byte becomes the replacement character.
inline std::string json_text(const nlohmann::ordered_json& json, int indent = 2) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace loom::app
