#pragma once

#include <glm/fwd.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/explain/colour_by.h"
#include "app/explain/data_colour.h"
#include "app/explain/unfolding.h"
#include "app/text/text.h"
#include "app/workspaces/life/panes/content_pane.h"

namespace loom::app {

/// A pane that animates the tiles from the launch to their positions in the fractal, one level of lambda at a
/// time, and back.
class UnfoldPane final : public ContentPane {
 public:
  /// Marks the tile of the explained thread. Colours by tile if the colouring is by state.
  void show(const char* id, const PaneSubject& subject, PaneResponse& response) override;
  bool is_animating() const override { return direction_ != 0; }
  void add_state(nlohmann::ordered_json& json, const ThreadExplanation& explanation) const override;

 private:
  /// Progress from 0 (the launch) to 1 (the fractal).
  float share() const { return stages() > 0 ? stage_ / static_cast<float>(stages()) : 1; }
  int stages() const { return unfolding_ ? unfolding_->stages() : 0; }
  void follow(const FractalConfig& config, const explain::Colouring& colouring);
  void fly();
  Text sentence() const;
  /// Describes the animated part of the launch if that is not all of it.
  Text part_words() const;
  void draw_tiles(const ThreadExplanation& explanation) const;
  /// Outlines the replicas that turn between a stage and the next one. `origin` and `side`: position of tile
  /// (0, 0) and size of a tile on the screen.
  void draw_replicas(ImDrawList& list, glm::vec2 origin, float side, int stage, float share) const;

  std::optional<explain::ThreadSpace> threads_;
  std::optional<explain::Unfolding> unfolding_;
  explain::Colouring colouring_;
  std::vector<glm::u8vec3> colours_;  ///< per tile
  Area button_;                       ///< the play button; empty if there is nothing to play
  float stage_ = 0;                   ///< 0 to stages(); fractions are between two stages
  int direction_ = 0;                 ///< +1: plays lambda; -1: plays nu; 0: paused
};

}  // namespace loom::app
