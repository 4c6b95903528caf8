#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "app/bench/json_reader.h"
#include "compute/engine/fractal_engine.h"

namespace loom::app::bench {

/// A configuration by the names that JSON output and results files have for it. A file may come from another
/// version of the program or hold fractals, maps or methods that this one does not know.
struct ConfigNames {
  std::string fractal;
  int level = 0;
  std::uint32_t block = 1;
  /// The method by MethodField::key, each as its field's text; what the map does not have is missing. Tiles
  /// are their number where they are automatic too.
  std::map<std::string, std::string, std::less<>> method = {};

  /// A field of the method by its key; none where the map does not have it.
  std::optional<std::string> part(std::string_view key) const {
    const auto found = method.find(key);
    return found == method.end() ? std::nullopt : std::optional(found->second);
  }
  std::string map() const { return part("map").value_or(""); }

  friend bool operator==(const ConfigNames&, const ConfigNames&) = default;
};

/// The names of a valid configuration.
ConfigNames names_of(const FractalConfig& config);

/// What is chosen within a map, in words: "lambda, table, lookup", "compact, table, lookup, halo".
std::string method_text(const ConfigNames& names);

/// Adds them to a JSON object: fractal, level, map, block, and the rest of the method, null where the map
/// does not have it.
void add_config(nlohmann::ordered_json& json, const ConfigNames& names);

/// Reads what add_config wrote; a field that the file lacks is missing. Throws InputError that names the
/// wrong member.
ConfigNames read_config_names(const JsonReader& json);

}  // namespace loom::app::bench
