#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/document/image/window/save_dialog.h"
#include "app/document/video/video.h"

namespace loom::app::video {

/// The dialog that exports a video of the scene in the background.
class SaveVideo final : public picture::SaveDialog {
 public:
  /// `bookmarks` returns the bookmarks for flights.
  SaveVideo(std::unique_ptr<picture::ImageHost> host,
            std::function<std::vector<scene::Bookmark>()> bookmarks);

 private:
  enum class Route { kToHere, kThroughBookmarks };
  std::string on_open() override;
  void rows() override;
  std::string name_hint() const override;
  std::string remark() const override;
  void check() const override;
  void start() override;
  void on_cells_copied(FieldCells cells) override;
  void size_row();
  void length_rows();
  void route_row();
  VideoSpec spec() const;

  std::function<std::vector<scene::Bookmark>()> all_bookmarks_;
  bool of_life_ = true;
  std::vector<ComplexView> keyframes_;  ///< bookmarks when the dialog was opened
  std::string encoder_name_;            ///< for the name at the last lookup
  std::string encoder_file_;
  render::Extent size_{1280, 720};
  float seconds_ = 10;
  int frames_per_second_ = 30;
  int generations_ = 1;
  Route route_ = Route::kToHere;
  VideoSpec video_;  ///< specification of the export while the cells are copied
};

}  // namespace loom::app::video
