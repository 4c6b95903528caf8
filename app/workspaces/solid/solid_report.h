#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/explain/space_layout.h"
#include "app/report/report_value.h"
#include "app/workspaces/solid/panels/solid_panels.h"
#include "app/workspaces/solid/panes/ray_pane.h"

namespace loom::app {

/// The key of a map in the state report: "bounding_box", since expressions of lessons read "-" as minus.
std::string report_key(MapKind map);

/// Adds what the state report has of the cells and the launch of the active map.
void add_solid_report(nlohmann::ordered_json& json, const RayEngine& runner);
/// Of one map in a comparison.
void add_solid_report(nlohmann::ordered_json& json, const MapScore& score);
/// Of the selected cell's thread.
void add_solid_report(nlohmann::ordered_json& json, const explain::SolidThreadLocation& location);

/// The fields of the 3-D workspace for lessons.
void add_solid_fields(ReportFields& fields);

}  // namespace loom::app
