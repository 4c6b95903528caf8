#include "app/mandelbrot/scene/picture_share.h"

#include <fmt/format.h>

#include "app/shell/devices_row.h"

namespace loom::app {

std::string keep_devices_valid(MandelbrotSettings& settings, std::size_t there, BackendKind kind) {
  std::string message;
  if (settings.devices > there) {
    message = fmt::format("The scene needs {}; this machine has {}", devices_in_words(settings.devices, kind),
                          there == 1 ? devices_in_words(1, kind) : fmt::format("{}", there));
    settings.devices = static_cast<std::uint32_t>(there);
  }
  if (settings.overlay == RegionOverlay::kDevices && settings.devices == 1)
    settings.overlay = RegionOverlay::kOff;
  return message;
}

}  // namespace loom::app
