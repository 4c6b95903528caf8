#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/layout.h"
#include "app/life/scene/life_facts.h"
#include "app/life/scene/life_settings.h"
#include "app/shell/devices_row.h"

namespace loom::app {

/// What the panel remembers between frames: what it says of a configuration's choices.
struct ThreadMapPanelState {
  struct Choice {
    std::string label;
    std::string why_not;  ///< empty: it can be chosen
    std::string hint;
  };
  struct Block : Choice {
    std::uint32_t rho_x = 1;
    std::uint32_t rho_y = 1;
  };
  std::optional<FractalConfig> of;  ///< the configuration that all of it is about
  std::vector<Block> blocks;
  std::array<Choice, kMapArithmetics.size()> arithmetics;
  std::array<Choice, kCellStorages.size()> storages;
  std::vector<DeviceCount> devices;            ///< to share cells out to
  std::size_t there = 0;                       ///< devices that these choices are about
  BackendKind devices_on = BackendKind::kCpu;  ///< likewise
  std::string bits;                            ///< of cells held as bits: what a thread has
  std::string fp16_limits;
  std::string automatic_tiles;
};

/// Which thread map, block size, halo and backend; and what a thread does under the map.
void thread_map_panel(ThreadMapPanelState& state, LifeEdit& edit, const LifeFacts& report);

}  // namespace loom::app
