#include "app/workspaces/life/scene/life_device_settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/explain/bit_storage_text.h"
#include "compute/distributed/partitioning.h"

namespace loom::app {

bool uses_several_devices(const LifeSettings& settings) {
  return settings.devices > 1 || std::ranges::any_of(settings.secondary_panes, [](const PaneSpec& spec) {
           return spec.shows == PaneContent::kCells && spec.devices > 1;
         });
}

std::string_view no_colouring_reason(const LifeSettings& settings, explain::ColourBy by) {
  if (by == explain::ColourBy::kState) return {};
  if (by == explain::ColourBy::kDevice)
    return uses_several_devices(settings) ? std::string_view() : "All cells are on one device";
  if (!explain::has_tiles(settings.config)) return explain::kByteStorageOnly;
  if (by == explain::ColourBy::kOrientation && settings.config.fractal.kind() != LevelKind::kTurned)
    return "No replica of this fractal is turned";
  if (by == explain::ColourBy::kWorker && !settings.colouring.workers)
    return "No launch of this method was captured. Press Q, or Capture again in its pane";
  return {};
}

std::string no_devices_reason(const FractalConfig& config, std::size_t devices, std::size_t there,
                              const Device& device) {
  if (devices <= 1) return {};
  if (config.method.map != MapKind::kCompact) return "Several devices require the compact map (3)";
  if (devices > there) return missing_devices_reason(devices, there, device);
  return partition_problem(config, devices);
}

std::string clamp_devices(LifeSettings& settings, std::size_t there, const Device& device) {
  std::string message;
  if (settings.devices > there) {
    message = fmt::format("The scene needs {}; this machine has {}", devices_text(settings.devices, device),
                          there == 1 ? devices_text(1, device) : fmt::format("{}", there));
    settings.devices = static_cast<std::uint32_t>(there);
  }
  while (settings.devices > 1 && !no_devices_reason(settings.config, settings.devices, there, device).empty())
    --settings.devices;
  if (settings.colouring.by == explain::ColourBy::kDevice && !uses_several_devices(settings))
    settings.colouring.by = explain::ColourBy::kState;
  return message;
}

}  // namespace loom::app
