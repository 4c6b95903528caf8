#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/layout.h"
#include "app/shell/setting_rows.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"

namespace loom::app {

/// State of the panel between frames: the labels and tooltips of the choices of a configuration.
struct MethodPanelState {
  struct Choice {
    std::string label;
    std::string problem;  ///< empty if it can be selected
    std::string hint;
  };
  struct TileSize : Choice {
    std::uint32_t rho_x = 1;
    std::uint32_t rho_y = 1;
  };
  std::optional<FractalConfig> of;  ///< the configuration that these choices belong to
  std::vector<TileSize> tile_sizes;
  std::array<Choice, kMapArithmetics.size()> arithmetics;
  std::array<Choice, kCellStorages.size()> storages;
  std::vector<DeviceCountOption> devices;  ///< choices of the number of devices
  std::size_t devices_available = 0;       ///< number of devices for which these choices hold
  bool simulated = true;                   ///< whether `devices` are simulated devices
  std::string bits;                        ///< bit-packed storage: cells per thread; otherwise empty
  std::string fp16_limits;
  std::string automatic_tiles;
  Area header;        ///< of the section, for tests
  bool open = false;  ///< whether it is unfolded
};

/// Rewrites the choices after the configuration, the devices or the backend have changed.
void update_method_choices(MethodPanelState& state, const FractalConfig& config, const LifeStats& stats);
/// What most users never set: storage, arithmetic, intra-block mapping, tiles per thread block, halo,
/// devices, backend. Folded at first, with a summary.
void method_panel(MethodPanelState& state, LifeEdit& edit, const LifeStats& stats);

/// Areas of the rows of a pane's settings, for tests; empty while they are hidden.
using PaneMethodAreas = std::map<std::string, Area, std::less<>>;

/// The rows of a pane's overriding settings: all method fields of the command line, tile size and backend. A
/// value that is not possible with the others is disabled and shows the reason.
void pane_method_rows(PaneSpec& spec, const FractalConfig& scene, const LifeStats& report,
                      PaneMethodAreas& areas);

}  // namespace loom::app
