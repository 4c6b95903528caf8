#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "compute/device/device.h"
#include "compute/geometry/nbb_fractal.h"

namespace loom::app {

/// The device in an engine's backend name: "NVIDIA H200" of "cuda: NVIDIA H200".
inline std::string device_text(std::string_view backend_name) {
  const auto colon = backend_name.find(": ");
  return std::string(colon == std::string_view::npos ? backend_name : backend_name.substr(colon + 2));
}

/// Adds the backend, its devices and the number of processes of a run to its JSON.
template <typename Run>
void add_devices(nlohmann::ordered_json& json, const Run& run) {
  json["backend"] = name_of(run.backend.device.kind);
  json["backend_reason"] = run.backend.reason;
  json["device"] = run.device;
  json["devices"] = nullptr;
  if (!run.devices.empty()) json["devices"] = run.devices;
  json["ranks"] = run.ranks;
}

/// rho_y of the tile with the width `tile_size`, at a level.
inline std::uint32_t tile_height(const NbbFractal& fractal, int level, std::uint32_t tile_size) {
  std::uint32_t height = 1;
  for (std::uint32_t width = 1, j = 1; width < tile_size; ++j) {
    const Generator& generator = fractal.generator(level, static_cast<int>(j));
    width *= generator.s_x;
    height *= generator.s_y;
  }
  return height;
}

}  // namespace loom::app
