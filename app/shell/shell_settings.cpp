#include "app/shell/shell_settings.h"

#include <algorithm>
#include <cmath>

namespace loom::app {

void choose_device(ShellSettings& settings, const Device& device) {
  settings.backend = choice_of(device.kind);
  if (settings.backend == BackendChoice::kCuda) settings.device = device.ordinal;
}

void set_ui_pixels(ShellSettings& settings, float pixels) {
  settings.ui_pixels = std::round(std::clamp(pixels, kMinUiPixels, kMaxUiPixels));
}

void show_timing(ShellSettings& settings) {
  if (!settings.show_timing && !settings.chosen_timing) settings.chosen_timing = false;
  settings.show_timing = true;
}

void show_all_figures(ShellSettings& settings) {
  show_timing(settings);
  if (!settings.show_all_metrics && !settings.chosen_all_figures) settings.chosen_all_figures = false;
  settings.show_all_metrics = true;
}

void keep_choice(ShellSettings& settings, const ShellSettings& before) {
  if (settings.show_timing != before.show_timing && settings.chosen_timing == before.chosen_timing)
    settings.chosen_timing.reset();
  if (settings.show_all_metrics != before.show_all_metrics &&
      settings.chosen_all_figures == before.chosen_all_figures)
    settings.chosen_all_figures.reset();
}

void toggle_lecture_mode(ShellSettings& settings) {
  const bool on = !is_lecture_mode(settings);
  settings.ui_pixels = on ? kLectureUiPixels : kDefaultUiPixels;
  settings.show_side_panel = !on;
}

}  // namespace loom::app
