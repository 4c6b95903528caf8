#include "app/film/window/save_film.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/files/output_file.h"
#include "app/gui/theme.h"
#include "app/shell/key_match.h"
#include "app/widgets/choice.h"
#include "app/widgets/item_area.h"
#include "compute/core/error.h"

namespace loom::app::film {
namespace {

constexpr const char* kTitle = "Make a film";
constexpr float kDialogWidth = 32;  // font sizes
constexpr float kMostSeconds = 600;
constexpr int kMostGenerations = 1000;

Match with_ctrl_shift(int code) {
  return [=](const KeyPress& press) { return press.ctrl && press.shift && press.key == code; };
}

}  // namespace

SaveFilm::SaveFilm(std::unique_ptr<picture::PictureStage> stage,
                   std::function<std::vector<scene::Bookmark>()> places)
    : stage_(std::move(stage)), all_places_(std::move(places)) {
  keys_.add("Ctrl Shift F", "make a film", with_ctrl_shift('f'), [](bool& wished) { wished = true; });
}

void SaveFilm::menu_item() {
  if (ImGui::MenuItem("Make a film ...", "Ctrl Shift F")) wished_ = true;
  places_["item"] = item_area();
}

void SaveFilm::open() {
  begin_ = true;
  problem_.clear();
  there_already_ = false;
  const scene::Scene scene = stage_->exact_scene();
  of_life_ = scene.workspace == 0;
  stops_.clear();
  for (const scene::Bookmark& place : all_places_()) {
    if (place.dwells) stops_.push_back(place.dwells->view);
  }
  const std::string name = (of_life_ ? scene.life.config.fractal.name() : std::string("mandelbrot")) + ".mp4";
  if (file_.empty() || file_ == suggested_) file_ = name;
  suggested_ = name;
  made_by_of_.clear();
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
    places_[choice.label] = item_area();
  }
}

void SaveFilm::length_rows() {
  row_label("Seconds");
  ImGui::SetNextItemWidth(rest_of_line());
  ImGui::SliderFloat("##seconds", &seconds_, 0.5f, 60, "%.1f");
  seconds_ = std::clamp(seconds_, 0.1f, kMostSeconds);
  places_["seconds"] = item_area();
  tooltip("Ctrl and click to type a number");
  row_label("Frames/s");
  ImGui::SetNextItemWidth(rest_of_line());
  ImGui::SliderInt("##rate", &frames_per_second_, 5, 60);
  frames_per_second_ = std::clamp(frames_per_second_, 1, kMostFramesPerSecond);
  places_["rate"] = item_area();
  if (!of_life_) return;
  row_label("A frame is");
  ImGui::SetNextItemWidth(rest_of_line());
  ImGui::SliderInt("##generations", &generations_, 1, 64,
                   generations_ == 1 ? "%d generation" : "%d generations");
  generations_ = std::clamp(generations_, 1, kMostGenerations);
  places_["generations"] = item_area();
}

void SaveFilm::route_row() {
  if (of_life_) return;
  row_label("Flight");
  if (choice_button("to here", route_ == Route::kToHere, part_of_line(2), {},
                    "From the whole set to this view"))
    route_ = Route::kToHere;
  places_["to here"] = item_area();
  ImGui::SameLine();
  const std::string hint =
      fmt::format("From this view through {} of your places, in their order", stops_.size());
  const char* const none = stops_.empty() ? "No place of the Mandelbrot set is kept yet (Ctrl D)" : "";
  if (choice_button("through places", route_ == Route::kThroughPlaces, rest_of_line(), none, hint))
    route_ = Route::kThroughPlaces;
  places_["through places"] = item_area();
  if (stops_.empty()) route_ = Route::kToHere;
}

FilmWish SaveFilm::wish() const {
  FilmWish film{.file = file_, .format = {size_, frames_per_second_}};
  film.frames = std::max(1, static_cast<int>(std::lround(seconds_ * static_cast<float>(frames_per_second_))));
  film.generations = static_cast<std::uint32_t>(generations_);
  return film;
}

void SaveFilm::buttons() {
  const std::string why_not = doing_ != Doing::kNothing ? "A film is being made"
                              : file_.empty()           ? "Type a file name first"
                                                        : "";
  if (choice_button(there_already_ ? "Replace" : "Make", false, part_of_line(2), why_not)) start();
  places_["make"] = item_area();
  ImGui::SameLine();
  if (choice_button("Close (Esc)", false, rest_of_line())) ImGui::CloseCurrentPopup();
  places_["close"] = item_area();
}

void SaveFilm::dialogs() {
  if (!begin_ && !open_) return;
  places_.clear();
  if (std::exchange(begin_, false)) ImGui::OpenPopup(kTitle);
  const ImVec2 centre = ImGui::GetMainViewport()->GetCenter();
  ImGui::SetNextWindowPos({centre.x, centre.y * 0.4f}, ImGuiCond_Always, {0.5f, 0});
  const float room = ImGui::GetIO().DisplaySize.x * 0.94f;
  ImGui::SetNextWindowSize({std::min(kDialogWidth * ImGui::GetFontSize(), room), 0});
  open_ = ImGui::BeginPopupModal(kTitle, nullptr, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize);
  if (!open_) return;
  theme::push_on_raised();
  size_row();
  length_rows();
  route_row();
  row_label("File");
  ImGui::SetNextItemWidth(rest_of_line());
  if (ImGui::InputText("##file", &file_)) there_already_ = false;
  places_["file"] = item_area();
  tooltip("Ends with .mp4, .webm, or .png for numbered pictures");
  if (made_by_of_ != file_) {
    made_by_of_ = file_;
    made_by_ = made_by(file_);
  }
  buttons();
  if (!problem_.empty()) warning(problem_);
  note(fmt::format("{} frames, by {}. The scene alone, nothing over it; the window goes on meanwhile.",
                   wish().frames, made_by_));
  theme::pop_on_raised();
  if (ImGui::IsWindowAppearing()) places_.clear();  // its size is found in the first frame
  ImGui::EndPopup();
}

void SaveFilm::start() {
  problem_.clear();
  FilmWish film = wish();
  try {
    check(film);
    check_may_replace(film.file, there_already_, "Replace");
    check_can_be_written("Film", film.file);
  } catch (const std::runtime_error& error) {
    problem_ = error.what();
    std::error_code ignored;
    there_already_ = std::filesystem::is_regular_file(film.file, ignored);
    return;
  }
  there_already_ = false;
  film.scene = stage_->exact_scene();
  film.backend = stage_->backend();
  if (!of_life_) {
    const ComplexView here = *film.scene.mandelbrot_view;
    film.stops = {route_ == Route::kToHere ? default_view(film.format.size) : here};
    if (route_ == Route::kToHere) film.stops.push_back(here);
    if (route_ == Route::kThroughPlaces) film.stops.insert(film.stops.end(), stops_.begin(), stops_.end());
  }
  film_ = std::move(film);
  stage_->scenes().ask_for_cells();
  doing_ = Doing::kCopying;
  ImGui::CloseCurrentPopup();
}

void SaveFilm::begin(ShellEdit&) {
  take();
  if (std::exchange(wished_, false)) open();
  if (doing_ != Doing::kCopying) return;
  scene::SceneStage& scenes = stage_->scenes();
  auto cells = scenes.advance();
  if (!cells) {
    if (scenes.asked()) return;
    doing_ = Doing::kNothing;
    message_ = "cancelled: no film was made";
    return;
  }
  film_.scene.cells = std::move(*cells);
  doing_ = Doing::kMaking;
  outcome_ = {};
  worker_.start([this, film = std::make_shared<const FilmWish>(std::move(film_))](Watch& watch) {
    try {
      outcome_.said = make_film(*film, &watch);
    } catch (const Cancelled&) {
      outcome_.cancelled = true;
    } catch (const std::bad_alloc&) {
      outcome_.problem = "out of memory while the film was made";
    } catch (const std::runtime_error& error) {
      outcome_.problem = error.what();
    }
  });
}

void SaveFilm::take() {
  if (doing_ != Doing::kMaking || !worker_.has_ended()) return;
  doing_ = Doing::kNothing;
  if (outcome_.cancelled) {
    message_ = fmt::format("cancelled: no film {}", file_);
  } else if (!outcome_.problem.empty()) {
    message_ = outcome_.problem;
  } else {
    done_ = "saved " + file_ + (outcome_.said.empty() ? "" : " as " + outcome_.said);
    message_ = done_;
  }
}

Progress SaveFilm::progress() const {
  if (doing_ == Doing::kNothing) return {};
  const std::string name = std::filesystem::path(file_).filename().string();
  if (doing_ == Doing::kCopying) return {"copying the cells for " + name, 0};
  return {"filming " + name, worker_.watch().share()};
}

void SaveFilm::cancel() {
  if (doing_ == Doing::kMaking) worker_.watch().cancel();
}

void SaveFilm::add_state(nlohmann::ordered_json& json) {
  nlohmann::ordered_json own{{"open", open_},
                             {"file", file_},
                             {"problem", problem_},
                             {"done", done_},
                             {"places", nlohmann::ordered_json::object()}};
  for (const auto& [name, place] : places_) own["places"][name] = numbers_of(place);
  json["save_film"] = std::move(own);
}

}  // namespace loom::app::film
