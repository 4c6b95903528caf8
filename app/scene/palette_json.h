#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/bench/json_reader.h"
#include "render/palette.h"

namespace loom::app::scene {

/// A palette of one's own, as scenes have it.
nlohmann::ordered_json to_json(const render::PaletteRecipe& recipe);
/// Throws InputError that says what is wrong.
render::PaletteRecipe read_palette(const bench::JsonReader& json);

}  // namespace loom::app::scene
