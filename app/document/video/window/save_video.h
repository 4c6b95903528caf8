#pragma once

#include <glm/vec2.hpp>
#include <string>

#include "app/document/image/window/save_image.h"
#include "app/document/video/video.h"

namespace loom::app::video {

/// The dialog that exports a video of the scene in the background.
class SaveVideo final : public image::SaveDialog {
 public:
  explicit SaveVideo(scene::SceneSource& source);

 private:
  /// kOwn: to this view, or the turntable.
  enum class Route { kOwn, kThroughBookmarks };
  std::string on_open() override;
  void rows() override;
  std::string name_hint() const override;
  std::string remark() const override;
  void check() const override { video::check(spec()); }
  void start() override;
  void on_data_copied(scene::Scene scene) override;
  void size_row();
  void length_rows();
  void route_row();
  VideoSpec spec() const;

  bool flies_ = false;                   ///< a flight through places; otherwise generations
  bool turns_ = false;                   ///< the camera moves while they go by
  std::vector<scene::Json> bookmarked_;  ///< places of the workspace when the dialog was opened
  bool has_ffmpeg_ = true;               ///< when the dialog opened
  std::string encoder_name_;             ///< for the name at the last lookup
  std::string encoder_file_;
  glm::ivec2 size_{1280, 720};
  float seconds_ = 10;
  int frames_per_second_ = 30;
  int generations_ = 1;
  Route route_ = Route::kOwn;
  VideoSpec video_;  ///< specification of the export while the cells are copied
};

}  // namespace loom::app::video
