#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/shell/present.h"
#include "app/shell/workspace.h"
#include "app/widgets/windows.h"
#include "app/workspaces/mandelbrot/picture/overlays.h"
#include "app/workspaces/mandelbrot/picture/supersampled_picture.h"
#include "app/workspaces/mandelbrot/scene/dwell_runner.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/mandelbrot/mandelbrot_config.h"

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

/// Regions on all levels.
std::uint64_t count_regions(const MandelbrotReport& report);

/// One method in a comparison, for one picture.
struct MethodScore {
  MandelbrotMethod method = MandelbrotMethod::kExhaustive;
  std::optional<double> milliseconds = {};  ///< median of the runs at full resolution
  std::size_t runs = 0;
  const MandelbrotReport* report = nullptr;  ///< null before the full resolution
  /// Number of dwells that differ from those of the exhaustive method; empty while not counted.
  std::optional<std::uint64_t> different = {};
  std::string_view problem = {};  ///< why there is no picture
};
using MethodScores = std::array<MethodScore, kMandelbrotMethods.size()>;  ///< by MandelbrotMethod

/// The pixels of the same view whose dwells differ in two engines; `places` has the first `max_places`. Both
/// engines must have finished an image of the same size.
DwellDifferences count_different_dwells(const MandelbrotEngine& engine, const MandelbrotEngine& reference,
                                        std::size_t max_places);

/// Compares the three methods at the same view. The active method is computed by the workspace, the others by
/// panes of this class. Only one engine works at a time, so that times are comparable: first every method
/// computes a coarse picture, then one after the other refines and times its own.
class MethodComparison {
 public:
  explicit MethodComparison(const ShellServices& services) : services_(services) {}

  /// Selects the active method; the pane of that method then computes the previous one.
  void set_active(MandelbrotMethod method);
  /// The pane of a method; null for the active one.
  MethodPane* pane(MandelbrotMethod method) { return panes_[index_of(method)].get(); }
  static std::size_t index_of(MandelbrotMethod method) { return static_cast<std::size_t>(method); }

  bool busy() const;
  /// Whether a pane has no picture of this request yet.
  bool is_behind(const DwellRequest& active) const;
  /// Whether all pictures are complete and timed.
  bool is_done(const DwellRequest& active) const;
  bool is_sampling() const;
  /// Continues with one pane. Throws DeviceFault.
  void advance(const DwellRequest& active, const BackendSelection& backend, TaskTimeout timeout);
  void add_times(FrameClock& clock) {
    each_pane([&](MandelbrotMethod, MethodPane& pane) { pane.add_times(clock); });
  }
  void follow_samples(const MandelbrotSettings& settings, const ComplexView& view, glm::ivec2 picture,
                      bool may_begin);
  void cancel();
  /// The picture of the active method changed.
  void active_changed() { differences_ = {}; }
  /// Counts the dwells that differ from those of the exhaustive method, once all three pictures are complete.
  void compare(const DwellRunner& active, const DwellRequest& request);
  /// The differences of a method; empty while not counted.
  const std::optional<DwellDifferences>& differences(MandelbrotMethod method) const {
    return differences_[index_of(method)];
  }
  MethodScores scores(const DwellRunner& active) const;
  /// Median time of the pane of the exhaustive method, for the picture of `active`; empty without one.
  std::optional<double> exhaustive_ms(const DwellRequest& active) const;
  Progress progress() const;

 private:
  /// Calls use(method, pane) for each pane.
  template <typename Use>
  void each_pane(const Use& use) const {
    for (const MandelbrotMethod method : kMandelbrotMethods) {
      if (panes_[index_of(method)]) use(method, *panes_[index_of(method)]);
    }
  }
  const ShellServices& services_;
  std::optional<MandelbrotMethod> active_;
  std::array<std::unique_ptr<MethodPane>, kMandelbrotMethods.size()> panes_;
  std::array<std::optional<DwellDifferences>, kMandelbrotMethods.size()> differences_;
};

}  // namespace loom::app
