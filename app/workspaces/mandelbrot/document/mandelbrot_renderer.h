#pragma once

#include "app/workspaces/mandelbrot/document/dwell_rows.h"
#include "app/workspaces/mandelbrot/document/mandelbrot_state.h"
#include "app/workspaces/mandelbrot/document/zoom_path.h"

namespace loom::app {

/// Draws a view of the Mandelbrot set with an engine of its own.
class MandelbrotRenderer final : public scene::StateRenderer {
 public:
  /// Throws MachineError.
  MandelbrotRenderer(const MandelbrotState& state, const scene::RenderRequest& request);
  image::ImageRows& rows() override { return rows_; }
  void show_frame(int frame, int frames, ProgressMonitor* watch) override;

 private:
  DwellRows rows_;
  ZoomPath path_;
  bool orbit_prepared_ = false;
};

}  // namespace loom::app
