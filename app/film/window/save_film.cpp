#include "app/film/window/save_film.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/files/new_file.h"
#include "app/shell/key_match.h"
#include "app/widgets/choice.h"
#include "app/widgets/item_area.h"

namespace loom::app::film {
namespace {

constexpr float kMostSeconds = 600;
constexpr int kMostGenerations = 1000;

}  // namespace

SaveFilm::SaveFilm(std::unique_ptr<picture::PictureStage> stage,
                   std::function<std::vector<scene::Bookmark>()> places)
    : SaveDialog({.title = "Export video",
                  .key = "Ctrl Shift F",
                  .help = "export a video",
                  .what = "video",
                  .verb = "Export",
                  .doing = "exporting",
                  .state = "save_film"},
                 with_ctrl_shift('f'), std::move(stage)),
      all_places_(std::move(places)) {}

std::string SaveFilm::opens() {
  const scene::Scene scene = stage().exact_scene();
  of_life_ = scene.workspace == 0;
  stops_.clear();
  for (const scene::Bookmark& place : all_places_()) {
    if (place.dwells) stops_.push_back(place.dwells->view);
  }
  made_by_of_.clear();
  return plain_file_name(of_life_ ? scene.life.config.fractal.name() : "mandelbrot") + ".mp4";
}

void SaveFilm::rows() {
  size_row();
  length_rows();
  route_row();
  // Looks for ffmpeg: not in every frame.
  if (made_by_of_ == file()) return;
  made_by_of_ = file();
  made_by_ = made_by(file());
}

std::string SaveFilm::name_hint() const {
  return "The name ends with .mp4, .webm, or .png for numbered images";
}

std::string SaveFilm::remark() const {
  return fmt::format("{} frames, output: {}. No overlays. Renders in the background, you can keep working.",
                     wish().frames, made_by_);
}

void SaveFilm::size_row() {
  struct Choice {
    const char* label;
    render::Extent size;
  };
  static constexpr std::array kChoices = {Choice{"720p", {1280, 720}}, Choice{"1080p", {1920, 1080}},
                                          Choice{"2160p", {3840, 2160}}, Choice{"square", {1080, 1080}}};
  row_label("Size");
  const float width = part_of_line(static_cast<int>(kChoices.size()));
  for (const Choice& choice : kChoices) {
    if (&choice != &kChoices.front()) ImGui::SameLine();
    const std::string hint = fmt::format("{} × {} pixels", choice.size.width, choice.size.height);
    if (choice_button(choice.label, size_ == choice.size, width, {}, hint)) size_ = choice.size;
    places()[choice.label] = item_area();
  }
}

void SaveFilm::length_rows() {
  row_label("Seconds");
  ImGui::SetNextItemWidth(rest_of_line());
  ImGui::SliderFloat("##seconds", &seconds_, 0.5f, 60, "%.1f");
  seconds_ = std::clamp(seconds_, 0.1f, kMostSeconds);
  places()["seconds"] = item_area();
  tooltip("Ctrl + click to type a number");
  row_label("Frames/s");
  ImGui::SetNextItemWidth(rest_of_line());
  ImGui::SliderInt("##rate", &frames_per_second_, 5, 60);
  frames_per_second_ = std::clamp(frames_per_second_, 1, kMostFramesPerSecond);
  places()["rate"] = item_area();
  if (!of_life_) return;
  row_label("Step size");
  ImGui::SetNextItemWidth(rest_of_line());
  ImGui::SliderInt("##generations", &generations_, 1, 64,
                   generations_ == 1 ? "%d generation/frame" : "%d generations/frame");
  generations_ = std::clamp(generations_, 1, kMostGenerations);
  places()["generations"] = item_area();
}

void SaveFilm::route_row() {
  if (of_life_) return;
  row_label("Flight");
  if (choice_button("to here", route_ == Route::kToHere, part_of_line(2), {},
                    "Flies from the whole set to this view"))
    route_ = Route::kToHere;
  places()["to here"] = item_area();
  ImGui::SameLine();
  const std::string hint =
      fmt::format("Flies from this view through {} bookmarks, in their order", stops_.size());
  const char* const none = stops_.empty() ? "There is no bookmark in the Mandelbrot set yet (Ctrl D)" : "";
  if (choice_button("bookmarks", route_ == Route::kThroughPlaces, rest_of_line(), none, hint))
    route_ = Route::kThroughPlaces;
  places()["through places"] = item_area();
  if (stops_.empty()) route_ = Route::kToHere;
}

FilmWish SaveFilm::wish() const {
  FilmWish film{.file = file(), .format = {size_, frames_per_second_}};
  film.frames = std::max(1, static_cast<int>(std::lround(seconds_ * static_cast<float>(frames_per_second_))));
  film.generations = static_cast<std::uint32_t>(generations_);
  return film;
}

void SaveFilm::check() const {
  film::check(wish());
}

void SaveFilm::start() {
  film_ = wish();
  film_.scene = stage().exact_scene();
  film_.backend = stage().backend();
  if (!of_life_) {
    const ComplexView here = *film_.scene.mandelbrot_view;
    film_.stops = {route_ == Route::kToHere ? default_view(film_.format.size) : here};
    if (route_ == Route::kToHere) film_.stops.push_back(here);
    if (route_ == Route::kThroughPlaces) film_.stops.insert(film_.stops.end(), stops_.begin(), stops_.end());
  }
  copy_cells();
}

void SaveFilm::copied(FieldCells cells) {
  film_.scene.cells = std::move(cells);
  work([film = std::make_shared<const FilmWish>(std::move(film_))](Watch& watch) {
    const std::string said = make_film(*film, &watch);
    return said.empty() ? said : " as " + said;
  });
}

}  // namespace loom::app::film
