#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/report/report_value.h"
#include "app/shell/present.h"
#include "app/shell/workspace.h"
#include "app/widgets/windows.h"
#include "app/workspaces/mandelbrot/picture/overlays.h"
#include "app/workspaces/mandelbrot/scene/dwell_runner.h"
#include "app/workspaces/mandelbrot/scene/pixel_samples.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/mandelbrot/mandelbrot_config.h"

namespace loom::app {

/// The view computed by a method, with an engine and a texture of its own.
class MethodPane {
 public:
  explicit MethodPane(const ShellServices& services)
      : services_(services), presenter_(services.context, services.backend) {}

  /// The request for this method with the settings of the active one.
  static DwellRequest request_for(const DwellRequest& active, MandelbrotMethod method);
  const DwellRunner& runner() const { return runner_; }
  DwellRunner& runner() { return runner_; }
  Presenter& presenter() { return presenter_; }
  const Presenter& presenter() const { return presenter_; }
  /// More samples per pixel, drawn over the picture of the runner, which is idle while they are computed.
  const Supersampler& sampler() const { return sampler_; }
  /// Whether it shows no picture of this request yet, not even a coarse one, and would compute one.
  bool is_behind(const DwellRequest& request) const;
  /// Whether the picture is complete and timed, or was cancelled or failed.
  bool is_done(const DwellRequest& request) const;
  /// Selects the backend. The presenter has the previous one until its running work has ended.
  void use_backend(const BackendSelection& backend);
  /// DwellRunner::advance().
  bool compute(const DwellRequest& request, TaskTimeout timeout);
  /// The work of one frame, with failures as problem(). Returns true if it did some. Throws DeviceFault.
  bool advance(const DwellRequest& request, const BackendSelection& backend, TaskTimeout timeout);
  /// DwellRunner::add_times().
  void add_times(FrameClock& clock) { runner_.add_times(clock, Stage::kPanesStep); }
  /// Computes more samples per pixel, if they are selected.
  void follow_samples(const MandelbrotSettings& settings, const ComplexView& view, glm::ivec2 picture,
                      bool may_begin);
  bool is_sampling() const { return sampler_.working(); }
  void cancel();
  /// Why there is no picture of this method; empty if there is one.
  const std::string& problem() const { return problem_; }
  std::string take_problem() { return std::exchange(problem_, {}); }
  /// Takes whether a new picture was computed, once.
  bool take_new_picture() { return std::exchange(changed_, false); }

  /// Updates the colours if the picture, the colouring or the palette has changed.
  void colour(const MandelbrotSettings& settings);
  /// Copies a new picture into the texture. Returns whether there was one.
  bool transfer();
  bool has_new_picture() const { return new_picture_; }
  /// Draws the picture into `target` at the position of its points in the view.
  void draw(const render::Rect<int>& target, const ViewedPicture& seen);
  /// The rectangle of the displayed picture in pixels of the view. While a new picture is computed, the last
  /// one is drawn at the position of its points in the current view. If none of them is visible, it fills the
  /// whole area.
  render::Rect<int> picture_rect(const ViewedPicture& seen) const;
  /// The marks of its regions; empty without an overlay of regions. `scale`: pixels per unit.
  std::span<const PictureMark> marks(RegionOverlay overlay, std::optional<int> up_to, float scale);
  /// The view in the texture.
  const std::optional<ViewedPicture>& displayed() const { return displayed_; }

 private:
  void sample(const MandelbrotSettings& settings, const ComplexView& view, glm::ivec2 picture,
              bool may_begin);
  /// The engine could not be built.
  bool lacks_engine() const { return !runner_.has_engine() && !problem_.empty(); }
  struct ColourInputs {
    DwellColouring how;
    std::uint64_t palette = 0;
    friend bool operator==(const ColourInputs&, const ColourInputs&) = default;
  };
  ColourInputs inputs(const MandelbrotSettings& settings) const {
    return {settings.dwell_colouring(), presenter_.palette_number()};
  }

  const ShellServices& services_;
  DwellRunner runner_;
  Presenter presenter_;
  RegionMarkCache marks_;
  Supersampler sampler_;
  std::uint64_t colour_number_ = 0;                        ///< changes with the colours
  std::optional<render::ColourRenderer> sample_renderer_;  ///< created with the first picture
  render::ColourTexture sample_texture_;
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
  bool in_space = false;          ///< of samples, not of pixels
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

struct MandelbrotStats;

/// Adds the values that lessons may use, for the picture at full resolution: counted regions, pixels and
/// iterations, measured times, and the cost model while it is shown. A value is a row of one of the tables in
/// mandelbrot_report.cpp.
void add_report(nlohmann::ordered_json& json, const MandelbrotStats& now);

/// Adds the values of one method in a comparison.
void add_report(nlohmann::ordered_json& json, const MethodScore& score);

/// The members of the report that the workspace writes for lessons.
void add_mandelbrot_fields(ReportFields& fields);

}  // namespace loom::app
