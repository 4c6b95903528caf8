#pragma once

#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/explain/colour_by.h"
#include "app/explain/diagram/diagram.h"
#include "app/explain/diagram/steps_diagram.h"
#include "app/explain/unfolding.h"
#include "app/text/text.h"
#include "app/workspaces/life/panes/content_pane.h"
#include "app/workspaces/life/picture/picture_mouse.h"
#include "app/workspaces/life/picture/space_raster.h"

namespace loom::app {

/// A pane that shows the launch of the scene's method as threads or as memory. Needs no engine.
class SpacePane final : public ContentPane {
 public:
  explicit SpacePane(explain::Space space) : space_(space) {}

  bool needs_tiles(const PaneSubject&) const override { return false; }  // its header has the note
  void place(const Area& area, float scale) override;
  std::optional<Coord64> update() override;
  void paint(const FractalConfig& config, const explain::Colouring& colouring, const CellStates& states,
             bool waits) override;
  void draw(ImDrawList& list, const ThreadExplanation& explanation) const override;
  std::optional<glm::vec2> marked_at(explain::Space space,
                                     const ThreadExplanation& explanation) const override;
  std::string problem() const override { return problem_; }
  bool add_to_figure(FigureJob& job) const override;
  void add_state(nlohmann::ordered_json& json, const ThreadExplanation& explanation) const override;

 private:
  void follow(const FractalConfig& config, const explain::Colouring& colouring, const CellStates& states);
  const ThreadExplanation::Thread* thread_here(const ThreadExplanation& explanation) const;

  explain::Space space_;
  PictureMouse mouse_;
  render::Camera camera_;
  std::unique_ptr<explain::ThreadSpace> threads_;
  std::optional<explain::SpaceLayout> layout_;
  explain::Colouring colouring_;
  SpaceRaster raster_;
  std::string problem_;
  float scale_ = 1;
};

/// A pane with the computation of the map for the selected tile, by the selected map arithmetic.
class StepsPane final : public ContentPane {
 public:
  void show(const char* id, const PaneSubject& subject, PaneResponse& response) override;

 private:
  struct Cached {
    FractalConfig config;
    Coord64 tile;
    int neighbour = 0;
    float room = 0;  ///< width, in units of the smallest text size
    int row = -1;    ///< the marked row; -1: none
    diagram::StepsDiagram steps;
  };
  std::optional<Cached> cached_;
  int row_ = -1;  ///< the row that was last under the cursor
};

/// A pane with the memory accesses of the warp of the selected thread, request by request and lane by lane.
class MemoryAccessPane final : public ContentPane {
 public:
  void show(const char* id, const PaneSubject& subject, PaneResponse& response) override;

 private:
  void follow(const ThreadExplanation& explanation);
  struct Cached {
    FractalConfig config;
    Coord64 thread_block;
    std::uint32_t number = 0;
    diagram::Diagram diagram;
  };
  std::optional<Cached> cached_;
  std::optional<FractalConfig> average_of_;
  std::optional<explain::LaunchTraffic> average_;  ///< of the launch of that configuration
};

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
