#include "app/bench/mandelbrot_json.h"

#include <fmt/format.h>

namespace loom::app {

void add_subdivision(nlohmann::ordered_json& json, const MandelbrotConfig& config) {
  json["method"] = name_of(config.method);
  json["scheme"] = name_of(config.scheme);
  json["g"] = config.g;
  json["r"] = config.r;
  json["b"] = config.b;
  json["dwell_limit"] = config.dwell_limit;
}

void read_subdivision(const bench::JsonReader& json, MandelbrotConfig& config) {
  config.method = parse_mandelbrot_method(json.text("method"));
  config.scheme = parse_region_scheme(json.text("scheme"));
  config.g = json.whole<std::uint32_t>("g");
  config.r = json.whole<std::uint32_t>("r");
  config.b = json.whole<std::uint32_t>("b");
  config.dwell_limit = json.whole<std::uint32_t>("dwell_limit");
}

void add_mandelbrot_config(nlohmann::ordered_json& json, const MandelbrotConfig& config,
                           const MandelbrotView& view) {
  add_subdivision(json, config);
  json["block_shape"] = fmt::format("{}x{}", config.block.x, config.block.y);
  json["precision"] = name_of(config.precision);
  json["fill"] = name_of(config.fill);
  json["ideas"] = to_string(config.optimisations);
  json["width"] = view.width;
  json["height"] = view.height;
  json["window"] = {{"re_min", view.window.re_min},
                    {"re_max", view.window.re_max},
                    {"im_min", view.window.im_min},
                    {"im_max", view.window.im_max}};
}

void add_mandelbrot_report(nlohmann::ordered_json& json, const MandelbrotReport& report) {
  json["pixels"] = report.pixels;
  json["mirrored_pixels"] = report.mirrored_pixels;
  json["axis_pixels"] = report.axis_pixels;
  json["computed_pixels"] = report.computed_pixels();
  json["work_reduction"] = report.work_reduction();
  json["bytes"] = report.allocated_bytes;
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
