#include "app/document/video/window/save_video.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/files/new_file.h"
#include "app/shell/key_match.h"
#include "app/widgets/choice.h"
#include "app/widgets/item_area.h"

namespace loom::app::video {
namespace {

constexpr float kMaxSeconds = 600;
constexpr int kMaxGenerations = 1000;

}  // namespace

SaveVideo::SaveVideo(std::unique_ptr<picture::ImageHost> host,
                     std::function<std::vector<scene::Bookmark>()> areas)
    : SaveDialog({.title = "Export video",
                  .key = "Ctrl Shift F",
                  .help = "export a video",
                  .what = "video",
                  .verb = "Export",
                  .doing = "exporting",
                  .state = "save_film"},
                 with_ctrl_shift('f'), std::move(host)),
      all_bookmarks_(std::move(areas)) {}

std::string SaveVideo::on_open() {
  const scene::Scene scene = host().exact_scene();
  of_life_ = scene.workspace == 0;
  keyframes_.clear();
  for (const scene::Bookmark& place : all_bookmarks_()) {
    if (place.dwells) keyframes_.push_back(place.dwells->view);
  }
  encoder_file_.clear();
  return plain_file_name(of_life_ ? scene.life.config.fractal.name() : "mandelbrot") + ".mp4";
}

void SaveVideo::rows() {
  size_row();
  length_rows();
  route_row();
  // Avoids a search for ffmpeg in every frame.
  if (encoder_file_ == file()) return;
  encoder_file_ = file();
  encoder_name_ = encoder_name(file());
}

std::string SaveVideo::name_hint() const {
  return "The name ends with .mp4, .webm, or .png for numbered images";
}

std::string SaveVideo::remark() const {
  return fmt::format("{} frames, output: {}. No overlays. Renders in the background, you can keep working.",
                     spec().frames, encoder_name_);
}

void SaveVideo::size_row() {
  struct Choice {
    const char* label;
    render::Extent size;
  };
  static constexpr std::array kChoices = {Choice{"720p", {1280, 720}}, Choice{"1080p", {1920, 1080}},
                                          Choice{"2160p", {3840, 2160}}, Choice{"square", {1080, 1080}}};
  row_label("Size");
  const float width = equal_width(static_cast<int>(kChoices.size()));
  for (const Choice& choice : kChoices) {
    if (&choice != &kChoices.front()) ImGui::SameLine();
    const std::string hint = fmt::format("{} × {} pixels", choice.size.width, choice.size.height);
    if (choice_button(choice.label, size_ == choice.size, width, {}, hint)) size_ = choice.size;
    areas()[choice.label] = item_area();
  }
}

void SaveVideo::length_rows() {
  row_label("Seconds");
  ImGui::SetNextItemWidth(remaining_width());
  ImGui::SliderFloat("##seconds", &seconds_, 0.5f, 60, "%.1f");
  seconds_ = std::clamp(seconds_, 0.1f, kMaxSeconds);
  areas()["seconds"] = item_area();
  tooltip("Ctrl + click to type a number");
  row_label("Frames/s");
  ImGui::SetNextItemWidth(remaining_width());
  ImGui::SliderInt("##rate", &frames_per_second_, 5, 60);
  frames_per_second_ = std::clamp(frames_per_second_, 1, kMaxFramesPerSecond);
  areas()["rate"] = item_area();
  if (!of_life_) return;
  row_label("Step size");
  ImGui::SetNextItemWidth(remaining_width());
  ImGui::SliderInt("##generations", &generations_, 1, 64,
                   generations_ == 1 ? "%d generation/frame" : "%d generations/frame");
  generations_ = std::clamp(generations_, 1, kMaxGenerations);
  areas()["generations"] = item_area();
}

void SaveVideo::route_row() {
  if (of_life_) return;
  row_label("Flight");
  if (choice_button("to here", route_ == Route::kToHere, equal_width(2), {},
                    "Flies from the whole set to this view"))
    route_ = Route::kToHere;
  areas()["to here"] = item_area();
  ImGui::SameLine();
  const std::string hint =
      fmt::format("Flies from this view through {} bookmarks, in their order", keyframes_.size());
  const char* const none =
      keyframes_.empty() ? "There is no bookmark in the Mandelbrot set yet (Ctrl D)" : "";
  if (choice_button("bookmarks", route_ == Route::kThroughBookmarks, remaining_width(), none, hint))
    route_ = Route::kThroughBookmarks;
  areas()["through places"] = item_area();
  if (keyframes_.empty()) route_ = Route::kToHere;
}

VideoSpec SaveVideo::spec() const {
  VideoSpec video{.file = file(), .format = {size_, frames_per_second_}};
  video.frames =
      std::max(1, static_cast<int>(std::lround(seconds_ * static_cast<float>(frames_per_second_))));
  video.generations = static_cast<std::uint32_t>(generations_);
  return video;
}

void SaveVideo::check() const {
  video::check(spec());
}

void SaveVideo::start() {
  video_ = spec();
  video_.scene = host().exact_scene();
  video_.backend = host().backend();
  if (!of_life_) {
    const ComplexView here = *video_.scene.mandelbrot_view;
    video_.keyframes = {route_ == Route::kToHere ? default_view(video_.format.size) : here};
    if (route_ == Route::kToHere) video_.keyframes.push_back(here);
    if (route_ == Route::kThroughBookmarks)
      video_.keyframes.insert(video_.keyframes.end(), keyframes_.begin(), keyframes_.end());
  }
  copy_cells();
}

void SaveVideo::on_cells_copied(FieldCells cells) {
  video_.scene.cells = std::move(cells);
  work([video = std::make_shared<const VideoSpec>(std::move(video_))](ProgressMonitor& watch) {
    const std::string saved_text = write_video(*video, &watch);
    return saved_text.empty() ? saved_text : " as " + saved_text;
  });
}

}  // namespace loom::app::video
