#pragma once

#include "app/gui/layout.h"
#include "app/scene/window/scene_stage.h"
#include "compute/backend/engine_factory.h"
#include "render/extent.h"

namespace loom::app::picture {

/// The area of the picture of the active workspace.
struct PicturePlace {
  Area area;             ///< of the active pane, in ImGui units
  float scale = 1;       ///< framebuffer pixels per unit
  bool several = false;  ///< there are secondary panes
};

/// The interface through which image export accesses the program.
class PictureStage {
 public:
  virtual ~PictureStage() = default;
  virtual scene::SceneStage& scenes() = 0;
  virtual PicturePlace place() const = 0;
  /// The scene with explicit views, even if they are fitted, so that images of other sizes show the same
  /// part.
  virtual scene::Scene exact_scene() const = 0;
  virtual BackendSelection backend() const = 0;
  /// From the next frame on, hides or shows insets, which larger images do not have.
  virtual void leave_out_insets(bool leave_out) = 0;
};

}  // namespace loom::app::picture
