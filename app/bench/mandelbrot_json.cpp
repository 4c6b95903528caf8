#include "app/bench/mandelbrot_json.h"

#include "app/settings/field_json.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

namespace loom::app {

void add_mandelbrot_config(nlohmann::ordered_json& json, const MandelbrotConfig& config,
                           const MandelbrotView& view) {
  add_fields(json, mandelbrot_config_fields(), config);
  json["width"] = view.width;
  json["height"] = view.height;
  json["window"] = {{"re_min", view.window.re_min},
                    {"re_max", view.window.re_max},
                    {"im_min", view.window.im_min},
                    {"im_max", view.window.im_max}};
  if (!view.decimal) return;
  json["center"] = {{"re", view.decimal->re}, {"im", view.decimal->im}};
  json["view_width"] = view.decimal->width;
}

void add_mandelbrot_report(nlohmann::ordered_json& json, const MandelbrotReport& report) {
  json["pixels"] = report.pixels;
  json["mirrored_pixels"] = report.mirrored_pixels;
  json["axis_pixels"] = report.axis_pixels;
  json["computed_pixels"] = report.computed_pixels();
  json["work_reduction"] = report.work_reduction();
  json["launches"] = report.launches;
  json["bytes"] = report.allocated_bytes;
  if (report.perturbation) {
    const PerturbationStats& stats = *report.perturbation;
    json["reference"] = {{"orbit_ms", stats.orbit_milliseconds},
                         {"table_ms", stats.table_milliseconds},
                         {"reused", stats.orbit_reused},
                         {"length", stats.orbit_length},
                         {"period", stats.period},
                         {"steps", stats.steps},
                         {"bits", stats.bits},
                         {"digits", stats.digits},
                         {"bytes", stats.bytes}};
  }
  json["levels"] = nlohmann::ordered_json::array();
  for (const MandelbrotLevel& level : report.levels) {
    auto entry = nlohmann::ordered_json::object();
    entry["width"] = level.width;
    entry["height"] = level.height;
    entry["regions"] = level.regions;
    entry["filled"] = level.filled;
    entry["leaves"] = level.leaves;
    entry["splits"] = level.splits;
    entry["split_fraction"] = level.split_fraction();
    entry["children"] = level.children;
    entry["border_pixels"] = level.border_pixels;
    entry["leaf_pixels"] = level.leaf_pixels;
    entry["filled_pixels"] = level.filled_pixels;
    entry["ms"] = nullptr;
    if (level.milliseconds) entry["ms"] = *level.milliseconds;
    json["levels"].push_back(entry);
  }
}

}  // namespace loom::app
