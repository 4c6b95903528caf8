#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/bench/json_reader.h"
#include "compute/geometry/nbb_fractal.h"
#include "render/camera.h"

namespace loom::app::scene {

/// Parts of scenes that other files have too. Readers throw InputError that says what is wrong.
nlohmann::ordered_json to_json(const NbbFractal& fractal);
NbbFractal read_fractal(const bench::JsonReader& json);

/// Exactly as it was, and finite by the reader.
nlohmann::ordered_json to_json(const render::Camera::Sight& sight);
render::Camera::Sight read_sight(const bench::JsonReader& json);

}  // namespace loom::app::scene
