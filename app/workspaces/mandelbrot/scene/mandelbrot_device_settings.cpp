#include "app/workspaces/mandelbrot/scene/mandelbrot_device_settings.h"

#include <fmt/format.h>

#include "app/shell/devices_row.h"

namespace loom::app {

std::string clamp_devices(MandelbrotSettings& settings, std::size_t there, const Device& device) {
  std::string message;
  if (settings.devices > there) {
    message = fmt::format("The scene needs {}; this machine has {}", devices_text(settings.devices, device),
                          there == 1 ? devices_text(1, device) : fmt::format("{}", there));
    settings.devices = static_cast<std::uint32_t>(there);
  }
  if (settings.overlay == RegionOverlay::kDevices && settings.devices == 1)
    settings.overlay = RegionOverlay::kOff;
  return message;
}

}  // namespace loom::app
