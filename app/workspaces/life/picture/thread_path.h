#pragma once

#include <imgui.h>

#include <array>
#include <cstddef>
#include <glm/vec2.hpp>
#include <optional>

#include "app/explain/unfolding.h"
#include "app/workspaces/life/picture/picture_mouse.h"
#include "app/workspaces/life/scene/thread_explanation.h"
#include "compute/engine/fractal_config.h"

namespace loom::app {

/// The way of the explained thread from its tile index over tile and cell to its byte, as an arrow that
/// travels when a thread is pinned.
class ThreadPath {
 public:
  static constexpr double kSeconds = 1.5;

  /// A stage of the way.
  enum class Stage { kOmega, kTile, kCell, kByte };
  static constexpr std::array kStages = {Stage::kOmega, Stage::kTile, Stage::kCell, Stage::kByte};

  /// Starts to travel when another thread is pinned, if `on`; a hovered thread has its whole way at once.
  void follow(const ThreadExplanation& explanation, bool is_pinned, bool on, double seconds);
  bool is_traveling() const { return seconds_ < kSeconds; }
  /// The share of the way to `stage` that is done, from the stage before it: 0 to 1.
  float share_to(Stage stage) const;

  /// Draws an arrow from point to point: the places of the thread in the launch, of its cell and of its byte,
  /// as far as panes show them.
  void draw(ImDrawList& list, const std::optional<glm::vec2>& launch, const std::optional<glm::vec2>& cell,
            const std::optional<glm::vec2>& byte) const;

 private:
  std::optional<Coord64> point_;
  double seconds_ = kSeconds;
};

/// The stages as a line of boxes with arrows between them, in the current window.
void thread_path_row(const ThreadPath& path, const ThreadExplanation::Thread& thread);

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
