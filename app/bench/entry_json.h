#pragma once

#include <nlohmann/json.hpp>

#include "app/bench/results.h"
#include "app/files/json_reader.h"

namespace loom::app::bench {

/// One entry as a JSON object.
nlohmann::ordered_json entry_json(const MapEntry& entry);
nlohmann::ordered_json entry_json(const MandelbrotEntry& entry);

/// Read an entry. Throw InputError that names the wrong member.
void read_entry(const JsonReader& json, MapEntry& entry);
void read_entry(const JsonReader& json, MandelbrotEntry& entry);

}  // namespace loom::app::bench
