#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/picture/window/overlay.h"
#include "app/picture/window/picture_stage.h"
#include "app/shell/documents.h"
#include "app/shell/worker.h"
#include "render/png.h"

namespace loom::app::picture {

/// Pictures of what the window shows, saved as PNG in any size: the dialog, and the work beside the frames.
/// The cells are copied first, so that the window may go on with them.
class SavePicture final : public Documents {
 public:
  explicit SavePicture(std::unique_ptr<PictureStage> stage);

  void begin(ShellEdit& shell) override;
  bool press(const KeyPress& press) override { return keys_.press(press, wished_); }
  std::span<const KeyHelp> keys() const override { return keys_.help(); }
  bool takes(const std::filesystem::path&) const override { return false; }
  void dropped(const std::filesystem::path&) override {}
  void button(float) override {}
  void notice() override {}
  void dialogs() override;
  void drawn(const DrawnFrame& frame) override;
  bool dialog_open() const override { return open_; }
  Progress progress() const override;
  void cancel() override;
  std::string take_message() override { return std::exchange(message_, {}); }
  void add_state(nlohmann::ordered_json& json) override;
  /// Its entry in the menu of files.
  void menu_item();

 private:
  enum class Size { kScreen, kTwice, kFourTimes, k16384, kOther };
  enum class Doing { kNothing, kWaiting, kCopying, kWriting };
  /// What is to be written, once it is known.
  struct Job {
    std::string file;
    render::Extent size;  ///< without overlays; with them only the width counts
    bool overlays = true;
    bool closed = false;        ///< a frame without the dialog has begun
    bool as_on_screen = false;  ///< overlays at the screen's size: what stands in the framebuffer
    std::shared_ptr<const Overlay> overlay = {};
    std::optional<render::RgbImage> screen = {};
    PicturePlace place = {};
    float scale = 1;  ///< pixels of a unit, with overlays
    std::uint32_t ground = 0;
  };

  void open();
  void size_rows();
  void over_row();
  void buttons();
  std::optional<render::Extent> chosen_size() const;
  std::string why_not() const;
  void start();
  void write(scene::Scene scene);
  void take();
  static std::uint64_t run(const Job& job, const scene::Scene& scene, const BackendSelection& backend,
                           Watch& watch);

  std::unique_ptr<PictureStage> stage_;
  Shortcuts<bool> keys_;
  bool wished_ = false;  ///< the dialog is to be opened
  bool begin_ = false;
  bool open_ = false;
  std::string file_;
  std::string suggested_;
  Size size_ = Size::kScreen;
  std::string other_size_ = "3840x2160";
  bool overlays_ = true;
  bool there_already_ = false;
  std::string problem_;
  std::string message_;
  std::string done_;
  std::map<std::string, Area, std::less<>> places_;

  Doing doing_ = Doing::kNothing;
  std::optional<Job> job_;
  std::optional<scene::Scene> scene_;  ///< as the picture shows it, without its cells
  struct Outcome {
    std::string problem;
    std::uint64_t bytes = 0;
    bool cancelled = false;
  };
  Outcome outcome_;  ///< the worker's while it is busy
  Worker worker_;    ///< last: ends before what it works on goes
};

}  // namespace loom::app::picture
