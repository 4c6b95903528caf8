#pragma once

#include <nlohmann/json.hpp>

#include "app/bench/results.h"
#include "app/files/json_reader.h"

namespace loom::app::bench {

/// One entry as a JSON object.
nlohmann::ordered_json entry_json(const MapEntry& entry);
nlohmann::ordered_json entry_json(const MandelbrotEntry& entry);

/// Read an entry. Throw InputError that names the wrong member.
MapEntry read_map_entry(const JsonReader& json);
MandelbrotEntry read_mandelbrot_entry(const JsonReader& json);

/// The members common to both kinds of entries: backend, device, repeat, and the reason if skipped.
void add_origin(nlohmann::ordered_json& json, const EntryOrigin& origin);
EntryOrigin read_origin(const JsonReader& json);

}  // namespace loom::app::bench
