#pragma once

#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>

#include "app/document/image/window/overlay.h"
#include "app/document/image/window/save_dialog.h"
#include "render/png.h"

namespace loom::app::image {

/// The dialog that saves an image of the window as PNG, at any size.
class SaveImage final : public SaveDialog {
 public:
  explicit SaveImage(scene::SceneSource& source);

  void begin(ShellEdit& shell) override;
  void on_frame_rendered(const RenderedFrame& frame) override;
  void cancel() override;

 private:
  enum class Size { kScreen, kTwice, kFourTimes, k16384, kOther };
  /// The specification of an image, once it is complete.
  struct Job {
    std::string file;
    glm::ivec2 size{0};  ///< with overlays only the width counts
    bool overlays = true;
    bool closed = false;        ///< a frame without the dialog has started
    bool as_on_screen = false;  ///< overlays at screen size: copy the framebuffer
    std::shared_ptr<const Overlay> overlay = {};
    std::optional<render::RgbImage> screen = {};
    Area area = {};          ///< of the picture, in ImGui units
    float screen_scale = 1;  ///< framebuffer pixels per unit
    float scale = 1;         ///< pixels per unit, with overlays
    std::uint32_t background = 0;
  };

  std::string on_open() override;
  void rows() override;
  std::string name_hint() const override { return file(); }
  std::string disabled_reason() const override;
  std::string remark() const override;
  void check() const override;
  void start() override;
  void on_data_copied(scene::Scene scene) override;
  void size_rows();
  void over_row();
  std::optional<glm::ivec2> chosen_size() const;
  static std::uint64_t run(const Job& job, const scene::Scene& scene, const BackendSelection& backend,
                           ProgressMonitor& watch);

  Size size_ = Size::kScreen;
  std::string other_size_ = "3840x2160";
  bool overlays_ = true;
  std::optional<Job> job_;
};

}  // namespace loom::app::image
