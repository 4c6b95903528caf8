#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "app/film/film.h"
#include "app/picture/window/picture_stage.h"
#include "app/shell/documents.h"
#include "app/shell/worker.h"

namespace loom::app::film {

/// Films of what the window shows, made beside the frames: the dialog and the work.
class SaveFilm final : public Documents {
 public:
  /// `places`: those that a flight can go through.
  SaveFilm(std::unique_ptr<picture::PictureStage> stage,
           std::function<std::vector<scene::Bookmark>()> places);

  void begin(ShellEdit& shell) override;
  bool press(const KeyPress& press) override { return keys_.press(press, wished_); }
  std::span<const KeyHelp> keys() const override { return keys_.help(); }
  bool takes(const std::filesystem::path&) const override { return false; }
  void dropped(const std::filesystem::path&) override {}
  void button(float) override {}
  void notice() override {}
  void dialogs() override;
  bool dialog_open() const override { return open_; }
  Progress progress() const override;
  void cancel() override;
  std::string take_message() override { return std::exchange(message_, {}); }
  void add_state(nlohmann::ordered_json& json) override;
  /// Its entry in the menu of files.
  void menu_item();

 private:
  enum class Route { kToHere, kThroughPlaces };
  enum class Doing { kNothing, kCopying, kMaking };
  void open();
  void size_row();
  void length_rows();
  void route_row();
  void buttons();
  FilmWish wish() const;
  void start();
  void take();

  std::unique_ptr<picture::PictureStage> stage_;
  std::function<std::vector<scene::Bookmark>()> all_places_;
  Shortcuts<bool> keys_;
  bool wished_ = false;
  bool begin_ = false;
  bool open_ = false;
  bool of_life_ = true;
  std::vector<ComplexView> stops_;  ///< of the places, when the dialog was opened
  std::string made_by_;             ///< of the name when it was last looked up
  std::string made_by_of_;
  std::string file_;
  std::string suggested_;
  render::Extent size_{1280, 720};
  float seconds_ = 10;
  int frames_per_second_ = 30;
  int generations_ = 1;
  Route route_ = Route::kToHere;
  bool there_already_ = false;
  std::string problem_;
  std::string message_;
  std::string done_;
  std::map<std::string, Area, std::less<>> places_;

  Doing doing_ = Doing::kNothing;
  FilmWish film_;  ///< that is being made
  struct Outcome {
    std::string said;
    std::string problem;
    bool cancelled = false;
  };
  Outcome outcome_;  ///< the worker's while it is busy
  Worker worker_;    ///< last: ends before what it works on goes
};

}  // namespace loom::app::film
