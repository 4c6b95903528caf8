#pragma once

#include "app/document/scene/window/scene_host.h"
#include "app/gui/layout.h"
#include "compute/backend/engine_factory.h"
#include "render/extent.h"

namespace loom::app::picture {

/// The area of the picture of the active workspace.
struct PictureArea {
  Area area;                    ///< of the active pane, in ImGui units
  float scale = 1;              ///< framebuffer pixels per unit
  bool multiple_panes = false;  ///< there are secondary panes
};

/// The interface through which image export accesses the program.
class ImageHost {
 public:
  virtual ~ImageHost() = default;
  virtual scene::SceneHost& scenes() = 0;
  virtual PictureArea place() const = 0;
  /// The scene with explicit views, even if they are fitted, so that images of other sizes show the same
  /// part.
  virtual scene::Scene exact_scene() const = 0;
  virtual BackendSelection backend() const = 0;
  /// From the next frame on, hides or shows insets, which larger images do not have.
  virtual void hide_insets(bool leave_out) = 0;
};

}  // namespace loom::app::picture
