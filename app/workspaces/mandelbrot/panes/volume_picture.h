#pragma once

#include <imgui.h>

#include <array>
#include <glm/vec2.hpp>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "app/shell/workspace.h"
#include "app/widgets/picture.h"
#include "app/workspaces/mandelbrot/panes/volume_pane.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"

namespace loom::app {

/// The set in space: its panes by method, the camera and the mouse. The camera only draws; it looks at the
/// same points when another part of the set is computed.
class VolumePicture {
 public:
  explicit VolumePicture(const ShellServices& services) : services_(services) {}

  const SolidCamera& camera() const { return camera_; }
  /// Of a restored state.
  void set_camera(const SolidCamera& camera);
  /// Applies mouse input and view commands to camera, cut plane and computed part. `panes`: areas by method;
  /// empty without a comparison.
  void update(MandelbrotEdit& edit, const Area& area, float scale, const std::vector<PaneArea>& panes);
  /// The work of one frame. Throws DeviceFault.
  void compute(const MandelbrotSettings& settings, const MandelbrotCommands& commands, FrameClock& clock);
  void show(const MandelbrotSettings& settings, const render::Palette& palette, FrameClock& clock,
            float scale);
  void cancel();
  Message take_message() { return std::exchange(message_, {}); }

  /// The pane of the active method; null before the first frame.
  const VolumePane* active() const { return panes_[active_].get(); }
  std::size_t views_behind() const { return behind_.size(); }
  /// Whether the picture shows a small enough part of the cube to compute that part alone.
  bool may_refine() const { return visible_side() < kRefinedSide; }
  MethodScores scores() const;
  /// Whether the active pane is complete, or cannot be; there is none without room for a picture.
  bool is_done() const {
    return picture_ == glm::ivec2{1, 1} ||
           (panes_[active_] && (panes_[active_]->is_whole() || !panes_[active_]->problem().empty()));
  }
  /// Whether a pane of a comparison is not complete yet.
  bool is_pending() const;
  bool is_moving() const { return moves_; }
  Progress progress() const;
  double pixel_ms() const;
  void add_state(nlohmann::ordered_json& own) const;

 private:
  struct View {
    VolumeBox box;
    SolidCamera camera;
  };
  static constexpr float kRefinedSide = 0.8f;  ///< of the cube

  void follow_box(const VolumeConfig& config);
  /// The side of a cube around what the picture shows, in sides of the present one.
  float visible_side() const;
  /// Moves the target to the point of the surface under a pixel, without a change of the picture.
  void aim_at(const VolumeSettings& settings, glm::vec2 pixel);
  void refine(VolumeSettings& settings);
  int divisor() const;
  template <typename Use>
  void each_pane(const Use& use) const {
    for (const auto& pane : panes_) {
      if (pane) use(*pane);
    }
  }

  const ShellServices& services_;
  std::array<std::unique_ptr<VolumePane>, kMandelbrotMethods.size()> panes_;  ///< by MandelbrotMethod
  std::size_t active_ = 0;
  SolidCamera camera_ = default_volume_camera();
  SolidCamera camera_before_ = camera_;  ///< of the last frame
  std::optional<VolumeConfig> config_;   ///< of the last frame
  bool restored_ = false;                ///< the camera is that of a state, which nothing fits
  std::vector<View> behind_;             ///< parts that were computed before, for Back
  CameraMouse mouse_;
  bool moves_ = false;
  std::vector<Area> areas_;  ///< of the pictures, by method; one without a comparison
  glm::ivec2 picture_{1, 1};
  std::optional<render::SolidRenderer> renderer_;
  render::Palette palette_;
  VolumeColouring coloured_by_ = VolumeColouring::kDwell;
  glm::u8vec3 background_{0};
  Message message_;
};

}  // namespace loom::app
