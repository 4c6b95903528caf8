#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/workspaces/life/picture/picture_mouse.h"
#include "app/workspaces/life/picture/space_raster.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/thread_explanation.h"

namespace loom::app {

/// A pane that shows the scene's launch as threads or as memory. Needs no engine: it is made from the model.
class SpacePane {
 public:
  explicit SpacePane(explain::Space space) : space_(space) {}

  explain::Space space() const { return space_; }
  PictureMouse mouse;
  render::Camera camera;

  /// Sets configuration, colouring and states; cheap without changes. `states` must outlive the pane.
  void follow(const FractalConfig& config, const explain::Colouring& colouring, const CellStates& states);
  /// Why it shows nothing; empty where it does.
  const std::string& problem() const { return problem_; }
  void place(const Area& area, float scale);
  const Area& area() const { return area_; }
  /// The mouse moves the view. Returns the point of the square whose thread is under the cursor.
  std::optional<Coord64> update();
  /// Makes its picture, for about a frame's share of time or, if `waits`, to the end.
  void paint(bool waits);
  void draw(ImDrawList& list, const ThreadExplanation& explanation) const;
  /// Where the middle of the explained thread's unit is on the screen; nothing where it has none here.
  std::optional<ImVec2> marked_at(const ThreadExplanation& explanation) const;
  /// The visible part of the space; nothing if all of it is visible.
  std::optional<explain::UnitRect> seen() const;
  /// Whether its picture is whole.
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
