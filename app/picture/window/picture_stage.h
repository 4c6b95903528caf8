#pragma once

#include "app/gui/layout.h"
#include "app/scene/window/scene_stage.h"
#include "compute/backend/engine_factory.h"
#include "render/extent.h"

namespace loom::app::picture {

/// Where the shown workspace has its picture.
struct PicturePlace {
  Area area;             ///< of the scene's pane, in ImGui's units
  float scale = 1;       ///< pixels of a unit
  bool several = false;  ///< there are panes beside it
};

/// The program as pictures of it see it.
class PictureStage {
 public:
  virtual ~PictureStage() = default;
  virtual scene::SceneStage& scenes() = 0;
  virtual PicturePlace place() const = 0;
  /// The scene with its views said exactly, a fitted one too, so that pictures of other sizes show the same.
  virtual scene::Scene exact_scene() const = 0;
  virtual BackendSelection backend() const = 0;
  /// Whether the frames from now on leave out pictures within the picture, which larger ones do not have.
  virtual void leave_out_insets(bool leave_out) = 0;
};

}  // namespace loom::app::picture
