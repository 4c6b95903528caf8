#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"

#include <fmt/format.h>

#include <utility>

#include "app/settings/field_changes.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_setting_fields.h"
#include "compute/core/error.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

namespace loom::app {

std::string_view name_of(RegionOverlay overlay) {
  static constexpr std::array<std::string_view, 5> kNames = {"off", "levels", "kinds", "waits", "devices"};
  return kNames[static_cast<std::size_t>(overlay)];
}

void validate_in_window(const MandelbrotConfig& config) {
  validate(config);
  if (config.precision != Precision::kFloat && config.precision != Precision::kDouble) {
    throw InputError(fmt::format("precision {} is not allowed in the window; allowed: float, double",
                                 name_of(config.precision)));
  }
  if (fits_narrow(config)) return;
  throw InputError(fmt::format("dwell limit {} is not allowed in the window; allowed: 1 to {}",
                               config.dwell_limit, kMaxNarrowLimit));
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
