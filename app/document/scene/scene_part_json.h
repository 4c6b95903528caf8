#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/files/json_reader.h"
#include "compute/geometry/nbb_fractal.h"
#include "render/camera.h"

namespace loom::app::scene {

/// Parts of scenes that other files use too. Readers throw InputError with the fault.
nlohmann::ordered_json to_json(const NbbFractal& fractal);
NbbFractal read_fractal(const JsonReader& json);

/// Restores the exact value; readers check that it is finite.
nlohmann::ordered_json to_json(const render::Camera::View& view);
render::Camera::View read_view(const JsonReader& json);

}  // namespace loom::app::scene
