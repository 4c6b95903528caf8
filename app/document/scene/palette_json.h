#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/files/json_reader.h"
#include "render/palette.h"

namespace loom::app::scene {

/// A custom palette as stored in scene files.
nlohmann::ordered_json to_json(const render::PaletteSpec& recipe);
/// Throws InputError with the fault.
render::PaletteSpec read_palette(const JsonReader& json);

}  // namespace loom::app::scene
