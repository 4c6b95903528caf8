#include "app/shell/shell_settings.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace loom::app {

void choose_device(ShellSettings& settings, const Device& device) {
  settings.backend = choice_of(device.kind);
  if (settings.backend == BackendChoice::kCuda) settings.device = device.ordinal;
}

void set_ui_pixels(ShellSettings& settings, float pixels) {
  settings.ui_pixels = std::round(std::clamp(pixels, kMinUiPixels, kMaxUiPixels));
}

std::string_view default_palette(Theme theme) {
  return theme == Theme::kLight ? "paper" : "cividis";
}

void choose_theme(ShellSettings& settings, Theme theme) {
  if (settings.palette == default_palette(settings.theme)) settings.palette = default_palette(theme);
  settings.theme = theme;
}

void show_palette(ShellSettings& settings, const std::string& palette) {
  if (palette == settings.palette) return;
  settings.scene_palette = ScenePalette{palette, own_palette(settings)};
  settings.palette = palette;
}

const std::string& own_palette(const ShellSettings& settings) {
  const auto& scene = settings.scene_palette;
  return scene && scene->shown == settings.palette ? scene->own : settings.palette;
}

void show_timing(ShellSettings& settings) {
  if (!settings.show_timing && !settings.chosen_timing) settings.chosen_timing = false;
  settings.show_timing = true;
}

void open_all_metrics(ShellSettings& settings) {
  show_timing(settings);
  if (!settings.show_all_metrics && !settings.chosen_all_metrics) settings.chosen_all_metrics = false;
  settings.show_all_metrics = true;
}

void keep_choice(ShellSettings& settings, const ShellSettings& before) {
  if (settings.show_timing != before.show_timing && settings.chosen_timing == before.chosen_timing)
    settings.chosen_timing.reset();
  if (settings.show_all_metrics != before.show_all_metrics &&
      settings.chosen_all_metrics == before.chosen_all_metrics)
    settings.chosen_all_metrics.reset();
}

float text_pixels(const ShellSettings& settings, float window_height) {
  if (!is_lecture_mode(settings)) return settings.ui_pixels;
  // In steps of the grid, so that fonts are not drawn anew for each pixel while a window is resized.
  constexpr float kStep = 4;
  const float scaled = settings.ui_pixels * std::max(window_height / kLectureHeight, 1.0f);
  return std::min(std::max(std::floor(scaled / kStep) * kStep, settings.ui_pixels), kMaxUiPixels);
}

void toggle_lecture_mode(ShellSettings& settings) {
  if (const auto before = std::exchange(settings.outside_lecture, std::nullopt)) {
    settings.ui_pixels = before->ui_pixels;
    settings.show_side_panel = before->show_side_panel;
    settings.show_timing = before->show_timing;
    return;
  }
  settings.outside_lecture = {settings.ui_pixels, settings.show_side_panel, settings.show_timing};
  settings.ui_pixels = kLectureUiPixels;
  settings.show_side_panel = settings.show_timing = false;
}

}  // namespace loom::app
