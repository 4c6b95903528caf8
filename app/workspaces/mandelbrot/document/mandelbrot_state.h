#pragma once

#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/image/image.h"
#include "app/document/scene/workspace_state.h"
#include "app/workspaces/mandelbrot/scene/complex_view.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/pixel_samples.h"
#include "compute/device/device.h"
#include "compute/solid/volume_engine.h"

namespace loom::app {

/// What a scene stores of the Mandelbrot workspace.
struct MandelbrotState final : scene::WorkspaceState {
  static constexpr std::string_view kId = "mandelbrot";

  MandelbrotSettings settings = {};
  std::optional<ComplexView> view = {};             ///< empty: the default view
  std::shared_ptr<const ViewHistory> history = {};  ///< restores all views; not stored in files

  MandelbrotState() = default;
  explicit MandelbrotState(MandelbrotSettings of_settings, std::optional<ComplexView> of_view = {})
      : settings(std::move(of_settings)), view(of_view) {}

  scene::Json to_json(const scene::WriteContext& context) const override;
  std::string description() const override;
  std::string file_stem() const override {
    return settings.volume.shown ? std::string(name_of(settings.volume.config.set)) : "mandelbrot";
  }
  bool has_turntable() const override { return settings.volume.shown; }
  std::vector<scene::Json> flight(glm::ivec2 size) const override;
  std::unique_ptr<scene::StateRenderer> renderer(const scene::RenderRequest& request,
                                                 ProgressMonitor* watch = nullptr) const override;

  static scene::StatePtr read(const JsonReader& json, const scene::ReadContext& context);
  static scene::Json read_place(const JsonReader& json);
  static std::string describe_place(const scene::Json& place);
};

/// The place of a bookmark, or a keyframe of a video.
struct MandelbrotPlace {
  ComplexView view;
  std::optional<std::uint32_t> dwell_limit = {};
  EscapeTimeSet set = {};
};
/// Throws InputError.
MandelbrotPlace read_mandelbrot_place(const JsonReader& json);
scene::Json to_json(const MandelbrotPlace& place);

/// Why no command describes a scene with a custom formula.
inline constexpr std::string_view kNoFormulaOption =
    "No option describes the code of a formula; allowed: to save it, and the option --formula-file";
/// A set in space as JSON, in scenes and as a place; the reader throws InputError.
scene::Json volume_json(const VolumeSettings& settings);
VolumeSettings read_volume(const JsonReader& json);
/// "Mandelbulb, power 8", "quaternion Julia set".
std::string volume_text(const VolumeSettings& settings);
/// The subcommand that computes the samples of a set in space and draws them from the camera; `on_host`: not
/// on a CUDA device. Throws InputError that names what no option can express.
std::string volume_command(const MandelbrotState& state, glm::ivec2 picture, bool on_host);
/// The picture of samples that an engine has, the mean of 2 x 2 rays per pixel. The engine must outlive it.
class VolumeRows final : public image::ImageRows {
 public:
  VolumeRows(VolumeEngine& engine, const VolumeSettings& settings, glm::ivec2 size,
             const render::Palette& palette)
      : engine_(engine),
        settings_(settings),
        size_(size),
        colours_(volume_colours(palette, settings.colouring, palette.outside)),
        camera_(settings.camera) {}
  void look_from(const SolidCamera& camera) { camera_ = camera; }
  glm::ivec2 size() const override { return size_; }
  void rows(int first, int count, std::vector<std::uint8_t>& rgb, ProgressMonitor* watch) override;

 private:
  VolumeEngine& engine_;
  VolumeSettings settings_;
  glm::ivec2 size_;
  render::SolidColours colours_;
  SolidCamera camera_;
};
/// Draws a set in space with an engine of its own. Throws MachineError.
std::unique_ptr<scene::StateRenderer> make_volume_renderer(const MandelbrotState& state,
                                                           const scene::RenderRequest& request,
                                                           ProgressMonitor* watch);

/// A view of the Mandelbrot set without overlays, as the idle window shows it, computed in tiles by the
/// selected method. Colours are derived from the same view at no more than kColourSampleSide pixels in width
/// and height, so that images of all sizes have the same colours.
class MandelbrotRows final : public image::ImageRows {
 public:
  static constexpr int kColourSampleSide = 1024;

  /// The width of the view is that of the image. Precisions that are not sufficient are replaced by kAuto.
  /// Throws MachineError.
  MandelbrotRows(const MandelbrotSettings& settings, const ComplexView& view, glm::ivec2 size,
                 const render::Palette& palette, const BackendSelection& backend);
  /// Changes the view; the size stays.
  void look_at(const ComplexView& view);

  /// Computes the reference orbit of a view, if it needs one, so that it serves views around it. Throws
  /// OperationCancelled, MachineError.
  void prepare(const ComplexView& view, ProgressMonitor* watch);

  glm::ivec2 size() const override { return size_; }
  void rows(int first, int count, std::vector<std::uint8_t>& rgb, ProgressMonitor* watch) override;

 private:
  void find_colours(ProgressMonitor* watch);
  void tile(const render::Rect<int>& tile, std::uint8_t* into, ProgressMonitor* watch);

  MandelbrotSettings settings_;
  ComplexView view_;
  glm::ivec2 size_{0};
  render::Palette palette_;
  std::unique_ptr<MandelbrotEngine> engine_;
  bool coloured_ = false;    ///< the colours belong to this view
  MandelbrotConfig config_;  ///< of this view
  DwellColours colours_;
  PictureMean mean_;              ///< mean of a tile
  std::vector<glm::u8vec3> row_;  ///< a row of the tile
};

/// A flight through a sequence of views of the Mandelbrot set.
class ZoomPath {
 public:
  /// Requires at least one view; a single one does not move. Throws InputError for none.
  explicit ZoomPath(std::vector<ComplexView> keyframes);
  /// The view at `time` from 0 (first keyframe) to 1 (last keyframe). Each leg starts and ends slowly.
  /// Between two keyframes the width changes exponentially, and the centre moves so that the point which both
  /// views show at the same position stays there. The time of a leg is proportional to its zoom and movement.
  ComplexView at(double time) const;
  /// The keyframe with the smallest width.
  const ComplexView& deepest() const;
  std::size_t keyframes() const { return keyframes_.size(); }

 private:
  std::vector<ComplexView> keyframes_;
  std::vector<double> begins_;  ///< start time of each leg, 0 to 1
};

/// Draws a view of the Mandelbrot set with an engine of its own.
class MandelbrotRenderer final : public scene::StateRenderer {
 public:
  /// Throws MachineError.
  MandelbrotRenderer(const MandelbrotState& state, const scene::RenderRequest& request);
  image::ImageRows& rows() override { return rows_; }
  void show_frame(int frame, int frames, ProgressMonitor* watch) override;

 private:
  MandelbrotRows rows_;
  ZoomPath path_;
  bool orbit_prepared_ = false;
};

}  // namespace loom::app
