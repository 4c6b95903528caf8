#pragma once

#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/shell/present.h"
#include "app/shell/workspace.h"
#include "app/workspaces/mandelbrot/picture/region_marks.h"
#include "app/workspaces/mandelbrot/picture/supersampled_picture.h"
#include "app/workspaces/mandelbrot/scene/dwell_runner.h"

namespace loom::app {

/// A pane of the comparison that is not the active one: the view computed by another method, with an engine
/// and a texture of its own.
class MethodPane {
 public:
  explicit MethodPane(const ShellServices& services)
      : services_(services), presenter_(services.context, services.backend) {}

  /// The request for this method with the settings of the active one.
  static DwellRequest request_for(const DwellRequest& active, MandelbrotMethod method);
  const DwellRunner& runner() const { return runner_; }
  /// Whether it shows no picture of this request yet, not even a coarse one, and would compute one.
  bool is_behind(const DwellRequest& request) const;
  /// Whether the picture is complete and timed, or was cancelled or failed.
  bool is_done(const DwellRequest& request) const;
  /// The work of one frame. Returns true if it did some. Throws DeviceFault.
  bool advance(const DwellRequest& request, const BackendSelection& backend, TaskTimeout timeout);
  /// DwellRunner::add_times().
  void add_times(FrameClock& clock) { runner_.add_times(clock, Stage::kPanesStep); }
  /// Computes more samples per pixel, if they are selected.
  void follow_samples(const MandelbrotSettings& settings, const ComplexView& view, glm::ivec2 picture,
                      bool may_begin);
  bool is_sampling() const { return sampled_.working(); }
  int samples_per_axis() const { return sampled_.samples_per_axis(); }
  void cancel();
  /// Why there is no picture of this method; empty if there is one.
  const std::string& problem() const { return problem_; }
  /// Takes whether a new picture was computed, once.
  bool take_new_picture() { return std::exchange(changed_, false); }

  /// Draws the picture into `target` at the position of its points in the view.
  void draw(const render::Rect<int>& target, const ViewedPicture& seen, const MandelbrotSettings& settings,
            const render::Palette& palette);
  /// The rectangle of the displayed picture in pixels of the view.
  render::Rect<int> picture_rect(const ViewedPicture& seen) const;
  /// The marks of its regions; empty without an overlay of regions. `scale`: pixels per unit.
  std::span<const PictureMark> marks(RegionOverlay overlay, std::optional<int> up_to, float scale);
  glm::ivec2 displayed_size() const { return displayed_ ? displayed_->size : glm::ivec2(0); }

 private:
  /// The engine could not be built.
  bool lacks_engine() const { return !runner_.has_engine() && !problem_.empty(); }
  struct ColourInputs {
    DwellColouring how;
    std::uint64_t palette = 0;
    friend bool operator==(const ColourInputs&, const ColourInputs&) = default;
  };
  const ShellServices& services_;
  DwellRunner runner_;
  Presenter presenter_;
  RegionMarkCache marks_;
  SupersampledPicture sampled_;
  std::string problem_;
  bool changed_ = false;
  bool new_picture_ = false;  ///< computed, not in the texture yet
  std::optional<ViewedPicture> displayed_;
  std::optional<ColourInputs> coloured_;  ///< what the colours were computed for
  DwellColours colours_;
};

}  // namespace loom::app
