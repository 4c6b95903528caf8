#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/film/film.h"
#include "app/picture/window/save_dialog.h"

namespace loom::app::film {

/// The dialog that exports a video of the scene in the background.
class SaveFilm final : public picture::SaveDialog {
 public:
  /// `places` are the bookmarks for flights.
  SaveFilm(std::unique_ptr<picture::PictureStage> stage,
           std::function<std::vector<scene::Bookmark>()> places);

 private:
  enum class Route { kToHere, kThroughPlaces };
  std::string opens() override;
  void rows() override;
  std::string name_hint() const override;
  std::string remark() const override;
  void check() const override;
  void start() override;
  void copied(FieldCells cells) override;
  void size_row();
  void length_rows();
  void route_row();
  FilmWish wish() const;

  std::function<std::vector<scene::Bookmark>()> all_places_;
  bool of_life_ = true;
  std::vector<ComplexView> stops_;  ///< bookmarks when the dialog was opened
  std::string made_by_;             ///< for the name at the last lookup
  std::string made_by_of_;
  render::Extent size_{1280, 720};
  float seconds_ = 10;
  int frames_per_second_ = 30;
  int generations_ = 1;
  Route route_ = Route::kToHere;
  FilmWish film_;  ///< specification, while the cells are copied
};

}  // namespace loom::app::film
