#include <fmt/format.h>

#include <memory>

#include "app/bench/entry_json.h"
#include "app/bench/mandelbrot_json.h"
#include "app/bench/summary_json.h"
#include "app/settings/field_json.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

namespace loom::app::bench {
namespace {

MandelbrotConfig read_config(const JsonReader& json) {
  MandelbrotConfig config;
  read_fields(json, mandelbrot_config_fields(), config);
  validate(config);
  return config;
}

/// A skipped configuration may have a view that its precision cannot show.
MandelbrotView parse_view(const JsonReader& json, Precision precision) {
  MandelbrotView view;
  view.width = json.whole<std::uint32_t>("width");
  view.height = json.whole<std::uint32_t>("height");
  if (json.has("center")) {
    const JsonReader center = json.object("center");
    const DecimalView decimal{center.text("re"), center.text("im"), json.text("view_width")};
    validate(decimal);
    view.decimal = std::make_shared<const DecimalView>(decimal);
  }
  const JsonReader window = json.object("window");
  view.window = {window.real("re_min"), window.real("re_max"), window.real("im_min"), window.real("im_max")};
  if (!view.decimal || !json.has("skipped")) validate(view, precision);
  return view;
}

MandelbrotLevel read_level(const JsonReader& json) {
  MandelbrotLevel level;
  level.width = json.whole<std::uint32_t>("width");
  level.height = json.whole<std::uint32_t>("height");
  level.regions = json.whole<std::uint64_t>("regions");
  level.filled = json.whole<std::uint64_t>("filled");
  level.leaves = json.whole<std::uint64_t>("leaves");
  level.splits = json.whole<std::uint64_t>("splits");
  level.children = json.whole<std::uint64_t>("children");
  level.border_pixels = json.whole<std::uint64_t>("border_pixels");
  level.leaf_pixels = json.whole<std::uint64_t>("leaf_pixels");
  level.filled_pixels = json.whole<std::uint64_t>("filled_pixels");
  level.milliseconds = json.number_or_null("ms");
  return level;
}

PerturbationStats read_reference(const JsonReader& json) {
  PerturbationStats stats;
  stats.orbit_milliseconds = json.number("orbit_ms");
  stats.table_milliseconds = json.number("table_ms");
  stats.orbit_reused = json.yes_no("reused");
  stats.orbit_length = json.whole<std::uint32_t>("length");
  stats.period = json.whole<std::uint32_t>("period");
  stats.steps = json.whole<std::uint64_t>("steps");
  stats.bits = json.whole<std::int64_t>("bits");
  stats.digits = json.whole<std::int64_t>("digits");
  stats.bytes = json.whole<std::uint64_t>("bytes");
  return stats;
}

MandelbrotResult read_mandelbrot_measured(const JsonReader& json) {
  MandelbrotResult measured;
  measured.milliseconds = read_summary(json.object("image_ms"));
  measured.limited = json.yes_no("limited");
  measured.report.milliseconds = measured.milliseconds.median;
  measured.report.pixels = json.whole<std::uint64_t>("pixels");
  measured.report.allocated_bytes = json.whole<std::uint64_t>("bytes");
  measured.report.mirrored_pixels = json.whole<std::uint64_t>("mirrored_pixels");
  measured.report.axis_pixels = json.whole<std::uint64_t>("axis_pixels");
  if (json.has("launches")) measured.report.launches = json.whole<std::uint64_t>("launches");
  if (json.has("reference")) measured.report.perturbation = read_reference(json.object("reference"));
  const auto& levels = json.array("levels");
  if (levels.size() > kMaxSubdivisionLevels)
    throw InputError(fmt::format("levels are {}; allowed: up to {}", levels.size(), kMaxSubdivisionLevels));
  for (std::size_t i = 0; i < levels.size(); ++i) {
    measured.report.levels.push_back(read_level(JsonReader(levels[i], fmt::format("levels[{}]", i))));
  }
  return measured;
}

}  // namespace

nlohmann::ordered_json entry_json(const MandelbrotEntry& entry) {
  auto json = nlohmann::ordered_json::object();
  add_mandelbrot_config(json, entry.config, entry.view);
  add_origin(json, entry);
  if (!entry.measured) return json;
  json["image_ms"] = summary_json(entry.measured->milliseconds);
  json["limited"] = entry.measured->limited;
  const MandelbrotReport& report = entry.measured->report;
  json["filled_pixels"] = filled_pixels(report);
  json["split_fraction"] = nullptr;
  if (const auto p = split_fraction(report)) json["split_fraction"] = *p;
  add_mandelbrot_report(json, report);
  return json;
}

MandelbrotEntry read_mandelbrot_entry(const JsonReader& json) {
  MandelbrotEntry entry;
  entry.config = read_config(json);
  entry.view = parse_view(json, entry.config.precision);
  static_cast<EntryOrigin&>(entry) = read_origin(json);
  if (!json.has("skipped")) entry.measured = read_mandelbrot_measured(json);
  return entry;
}

}  // namespace loom::app::bench
