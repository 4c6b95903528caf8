#pragma once

#include <imgui.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/layout.h"
#include "app/mandelbrot/scene/dwell_runner.h"
#include "app/mandelbrot/picture/mandelbrot_mouse.h"
#include "app/mandelbrot/scene/mandelbrot_facts.h"
#include "app/mandelbrot/picture/julia_inset.h"
#include "app/mandelbrot/scene/landscape.h"
#include "app/mandelbrot/scene/level_steps.h"
#include "app/mandelbrot/panels/mandelbrot_timing.h"
#include "app/mandelbrot/scene/view_history.h"
#include "app/mandelbrot/scene/mandelbrot_settings.h"
#include "app/shell/present.h"
#include "compute/cpu/mandelbrot/smooth_image.h"
#include "render/gl/gpu_timer.h"

namespace loom::app {

/// The Mandelbrot workspace: what the application hands a frame to while it is shown. Nothing of it computes
/// while it is not.
class MandelbrotWorkspace {
 public:
  /// `view`, where given, is what is shown first.
  explicit MandelbrotWorkspace(std::optional<ComplexView> view = {});

  /// The panels of the controls' column.
  void controls(MandelbrotEdit& edit, const MandelbrotFacts& now);
  /// What stands on the picture; returns how much the caption takes from its bottom.
  float panels(const Area& picture, MandelbrotEdit& edit, const MandelbrotFacts& now, const render::Palette& palette);
  MandelbrotFacts report(const BackendSelection& backend, const CudaStatus& cuda, double frames_per_second,
                        bool model) const;

  /// Mouse, keys and commands change the view; what does not go with it is put right in `edit`.
  void update(const Area& picture, float scale, MandelbrotEdit& edit);
  /// Computes what the settings want and this frame has time for. Returns what went wrong, empty where
  /// nothing did. Throws DeviceFault.
  std::string compute(Settings& settings, const MandelbrotCommands& commands, const BackendSelection& backend);
  /// The dwells into the texture, and onto the screen.
  void show(Presenter& presenter, const render::Rect& target, const MandelbrotSettings& settings);
  void draw_overlays(ImDrawList& list, const Area& picture, float scale, const MandelbrotSettings& settings);

  const ComplexView& view() const { return history_.present(); }
  const ViewHistory& history() const { return history_; }
  const DwellRunner& runner() const { return runner_; }
  const MandelbrotTimes& stages() const { return stages_; }
  const Landscape& landscape() const { return landscape_; }
  const MandelbrotMouse& mouse() const { return mouse_; }
  const std::string& backend_name() const { return backend_name_; }

 private:
  void visit(std::size_t stop, MandelbrotEdit& edit);
  void add_model(MandelbrotFacts& now) const;
  void hover(bool regions);
  void colour(Presenter& presenter, const MandelbrotSettings& settings);

  ViewHistory history_;
  bool view_given_;
  render::Extent picture_{1, 1};
  MandelbrotMouse mouse_;
  DwellRunner runner_;
  LevelSteps levels_;
  std::string backend_name_;
  Precision precision_ = Precision::kFloat;

  bool new_picture_ = false;  ///< computed, and not yet in the texture
  DwellHistogram histogram_;
  SmoothImage smooth_;
  std::optional<Colouring> coloured_as_;  ///< what the texture and the colours hold
  InteriorColour coloured_interior_ = InteriorColour::kPalette;
  const render::Palette* coloured_with_ = nullptr;
  std::vector<render::Rgb> colours_;
  JuliaInset julia_;
  Landscape landscape_;
  ComplexView landscape_of_;
  render::GpuTimer draw_timer_;
  MandelbrotTimes stages_;

  std::optional<HoveredPoint> hovered_;
  bool hovered_once_ = false;
  ComplexPoint last_point_;  ///< under the cursor when it was last over the picture; the middle before that
  std::optional<std::size_t> tour_at_;
  ComplexView tour_view_;
  MandelbrotTimingState timing_;
};

}  // namespace loom::app
