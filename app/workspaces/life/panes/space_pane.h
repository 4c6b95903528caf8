#pragma once

#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>

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

}  // namespace loom::app
