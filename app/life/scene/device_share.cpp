#include "app/life/scene/device_share.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/teach/bit_words.h"
#include "compute/split/sharing.h"

namespace loom::app {

bool wants_several(const LifeSettings& settings) {
  return settings.devices > 1 || std::ranges::any_of(settings.beside, [](const PaneWish& wish) {
           return wish.shows == PaneShows::kCells && wish.devices > 1;
         });
}

std::string_view why_not_coloured(const LifeSettings& settings, teach::ColourBy by) {
  if (by == teach::ColourBy::kState) return {};
  if (by == teach::ColourBy::kDevice)
    return wants_several(settings) ? std::string_view() : "All cells are on one device";
  if (!teach::has_blocks(settings.config)) return teach::kOnlyOfBytes;
  if (by == teach::ColourBy::kWorker && !settings.colouring.workers)
    return "No launch of this method was captured. Press Q, or Capture again in its pane";
  return {};
}

std::string why_not_devices(const FractalConfig& config, std::size_t devices, std::size_t there,
                            BackendKind kind) {
  if (devices <= 1) return {};
  if (config.method.map != MapKind::kCompact) return "Several devices require the compact map (3)";
  if (devices > there) return why_not_there(devices, there, kind, "cells");
  return why_not_shared(config, devices);
}

std::string keep_devices_valid(LifeSettings& settings, std::size_t there, BackendKind kind) {
  std::string message;
  if (settings.devices > there) {
    message = fmt::format("The scene needs {}; this machine has {}", devices_in_words(settings.devices, kind),
                          there == 1 ? devices_in_words(1, kind) : fmt::format("{}", there));
    settings.devices = static_cast<std::uint32_t>(there);
  }
  while (settings.devices > 1 && !why_not_devices(settings.config, settings.devices, there, kind).empty())
    --settings.devices;
  if (settings.colouring.by == teach::ColourBy::kDevice && !wants_several(settings))
    settings.colouring.by = teach::ColourBy::kState;
  return message;
}

}  // namespace loom::app
