#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "app/files/json_reader.h"
#include "compute/engine/fractal_engine.h"
#include "compute/solid/solid_config.h"

namespace loom::app::bench {

/// A configuration as the names in JSON output and results files. A file may come from another version of the
/// program and contain fractals, maps or methods that this version does not know.
struct ConfigNames {
  std::string fractal;
  int level = 0;
  std::uint32_t tile_size = 1;
  /// The method by MethodField::key, as the texts of the fields. Parameters that the map does not have are
  /// missing. The number of tiles is given even if it is automatic.
  std::map<std::string, std::string, std::less<>> method = {};

  /// A field of the method by its key; empty if the map does not have it.
  std::optional<std::string> part(std::string_view key) const {
    const auto found = method.find(key);
    return found == method.end() ? std::nullopt : std::optional(found->second);
  }
  std::string map() const { return part("map").value_or(""); }

  friend bool operator==(const ConfigNames&, const ConfigNames&) = default;
};

/// The names of a valid FractalConfig or SolidConfig.
template <typename Config>
ConfigNames names_of(const Config& config);

/// The method in words: "lambda, table, lookup", "compact, table, lookup, halo".
std::string method_text(const ConfigNames& names);

/// Adds fractal, level, map, block, and the rest of the method to a JSON object; null where the map does not
/// have a parameter.
void add_config(nlohmann::ordered_json& json, const ConfigNames& names);

/// Reads what add_config wrote; missing members stay empty. Throws InputError that names the wrong member.
ConfigNames read_config_names(const JsonReader& json);

}  // namespace loom::app::bench
