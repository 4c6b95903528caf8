#pragma once

#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>

#include "app/workspaces/life/picture/picture_mouse.h"
#include "app/workspaces/life/picture/space_raster.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/thread_explanation.h"

namespace loom::app {

/// A pane that shows the launch of the scene's method as threads or as memory. Needs no engine.
class SpacePane {
 public:
  explicit SpacePane(explain::Space space) : space_(space) {}

  explain::Space space() const { return space_; }
  PictureMouse mouse;
  render::Camera camera;

  /// Sets configuration, colouring and states; cheap without changes. `states` must outlive the pane.
  void follow(const FractalConfig& config, const explain::Colouring& colouring, const CellStates& states);
  /// Why nothing is shown; empty otherwise.
  const std::string& problem() const { return problem_; }
  void place(const Area& area, float scale);
  const Area& area() const { return area_; }
  /// Handles the mouse, which moves the view. Returns the point of the square whose thread is under the
  /// cursor.
  std::optional<Coord64> update();
  /// Computes the image within a time slice of a frame, or completely if `waits`.
  void paint(bool waits);
  void draw(ImDrawList& list, const ThreadExplanation& explanation) const;
  /// The screen position of the centre of the explained thread's unit; nothing if this space has none.
  std::optional<glm::vec2> marked_at(const ThreadExplanation& explanation) const;
  /// The visible part of the space; nothing if all of it is visible.
  std::optional<explain::UnitRect> seen() const;
  /// True if the image is complete.
  bool finished() const { return !layout_ || raster_.finished(); }

 private:
  const ThreadExplanation::Thread* thread_here(const ThreadExplanation& explanation) const;

  explain::Space space_;
  std::unique_ptr<explain::ThreadSpace> threads_;
  std::optional<explain::SpaceLayout> layout_;
  explain::Colouring colouring_;
  SpaceRaster raster_;
  std::string problem_;
  Area area_;
  float scale_ = 1;
};

}  // namespace loom::app
