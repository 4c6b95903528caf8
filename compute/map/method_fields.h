#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/field.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"

namespace loom {

/// The settings of a thread map. Field::text is empty where the map or the storage does not use the setting.
using MethodField = Field<MapMethod>;

/// All fields. The map and the storage come first, because they determine which others apply. Sweeps vary the
/// last field fastest.
std::span<const MethodField> method_fields();

/// The field of an option; null if no field has this option.
const MethodField* find_method_field(std::string_view option);

/// All values of a field as text, numbers ascending. Some may be invalid in combination with the rest of the
/// method.
std::vector<std::string> values_of(const MethodField& field, const MapMethod& method,
                                   const TiledFractal& fractal);

}  // namespace loom
