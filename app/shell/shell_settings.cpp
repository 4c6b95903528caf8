#include "app/shell/shell_settings.h"

#include <algorithm>
#include <cmath>

namespace loom::app {

void set_ui_pixels(ShellSettings& settings, float pixels) {
  settings.ui_pixels = std::round(std::clamp(pixels, kMinUiPixels, kMaxUiPixels));
}

void toggle_projector(ShellSettings& settings) {
  settings.ui_pixels = settings.ui_pixels == kProjectorUiPixels ? kDefaultUiPixels : kProjectorUiPixels;
}

}  // namespace loom::app
