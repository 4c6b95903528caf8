#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"

#include <utility>

#include "app/settings/field_changes.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_setting_fields.h"
#include "app/workspaces/mandelbrot/scene/precision_gauge.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

namespace loom::app {

std::string_view name_of(RegionOverlay overlay) {
  static constexpr std::array<std::string_view, 5> kNames = {"off", "levels", "kinds", "waits", "devices"};
  return kNames[static_cast<std::size_t>(overlay)];
}

std::uint32_t depth_dwell_limit(const ComplexView& view) {
  constexpr double kWhole = 1.3;  // binary logarithm of a width that shows the whole set
  return dwell_limit_of_depth(kWhole - log2_width(view));
}

MandelbrotConfig config_for(const MandelbrotSettings& settings, const ComplexView& view, glm::ivec2 picture) {
  MandelbrotConfig config = settings.config;
  config.exact = config.precision == Precision::kAuto;
  config.precision = evaluator_of(config.precision, view, picture);
  if (settings.dwell_by_depth) config.dwell_limit = depth_dwell_limit(view);
  return config;
}

void set_compare(MandelbrotSettings& settings, bool compare) {
  if (settings.compare == compare) return;
  settings.compare = compare;
  if (compare) {
    settings.compare_set_overlay = settings.overlay == RegionOverlay::kOff;
    if (settings.compare_set_overlay) settings.overlay = RegionOverlay::kQuantities;
  } else if (std::exchange(settings.compare_set_overlay, false) &&
             settings.overlay == RegionOverlay::kQuantities) {
    settings.overlay = RegionOverlay::kOff;
  }
}

std::string_view changed_setting(const MandelbrotSettings& before, const MandelbrotSettings& after) {
  if (before == after) return {};
  auto names = changed_undo_names(mandelbrot_config_fields(), before.config, after.config);
  // A new method also changes its block shape.
  if (!names.empty() && names.front() == "method") return names.front();
  for (const auto fields : {dwell_colour_fields(), mandelbrot_window_fields()}) {
    const auto more = changed_undo_names(fields, before, after);
    names.insert(names.end(), more.begin(), more.end());
  }
  if (names.empty()) return {};
  // The comparison also switches the overlay.
  if (before.compare != after.compare) return "comparison";
  return names.size() == 1 ? names.front() : "several settings";
}

}  // namespace loom::app
