#pragma once

#include <imgui.h>

#include <optional>

#include "app/explain/map_transition.h"
#include "app/workspaces/life/picture/picture_view.h"
#include "app/workspaces/life/scene/tile_grid.h"
#include "compute/engine/fractal_config.h"

namespace loom::app {

/// Plays explain::MapTransition over the picture when the engine's map changes. After that it holds no
/// memory.
class MapMorph {
 public:
  /// Starts when `config` differs from that of the previous call by the map and not by fractal, level or tile
  /// size; a config of another scene ends it. Advances by `seconds`. `on`: the user has not switched it off.
  void follow(const FractalConfig& config, bool on, double seconds);
  bool is_running() const { return transition_.has_value(); }
  /// The share of the time, 0 to 1.
  double share() const { return seconds_ / explain::MapTransition::kSeconds; }
  void draw(ImDrawList& list, const PictureView& view, const TileGrid& space, glm::u8vec3 background) const;

 private:
  std::optional<FractalConfig> config_;
  std::optional<explain::MapTransition> transition_;
  double seconds_ = 0;
};

}  // namespace loom::app
