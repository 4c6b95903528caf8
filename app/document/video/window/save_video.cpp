#include "app/document/video/window/save_video.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/files/output_file.h"
#include "app/shell/shortcuts.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"

namespace loom::app::video {
namespace {

constexpr float kMaxSeconds = 600;
constexpr int kMaxGenerations = 1000;

}  // namespace

SaveVideo::SaveVideo(scene::SceneSource& source)
    : SaveDialog({.title = "Export video",
                  .key = "Ctrl Shift F",
                  .help = "export a video",
                  .what = "video",
                  .verb = "Export",
                  .doing = "exporting",
                  .state = "save_film"},
                 with_ctrl_shift('f'), source) {}

std::string SaveVideo::on_open() {
  const scene::Scene scene = source().describe(StateNeed::kExactView);
  flies_ = !scene.shown().flight(size_).empty();
  turns_ = scene.shown().has_turntable();
  bookmarked_.clear();
  for (const scene::Bookmark& bookmark : scene.bookmarks) {
    if (bookmark.workspace == scene.workspace) bookmarked_.push_back(bookmark.place);
  }
  encoder_file_.clear();
  has_ffmpeg_ = !find_ffmpeg().empty();
  return plain_file_name(scene.shown().file_stem()) + (has_ffmpeg_ ? ".mp4" : "-video.png");
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
  std::string text =
      fmt::format("{} frames, output: {}. No overlays. Renders in the background, you can keep working.",
                  spec().frames, encoder_name_);
  if (!has_ffmpeg_) text += " For one .mp4 file, install ffmpeg.";
  return text;
}

void SaveVideo::size_row() {
  struct Choice {
    const char* label;
    glm::ivec2 size{0};
  };
  static constexpr std::array kChoices = {Choice{"720p", {1280, 720}}, Choice{"1080p", {1920, 1080}},
                                          Choice{"2160p", {3840, 2160}}, Choice{"square", {1080, 1080}}};
  row_label("Size");
  const float width = equal_width(static_cast<int>(kChoices.size()));
  for (const Choice& choice : kChoices) {
    if (&choice != &kChoices.front()) ImGui::SameLine();
    const std::string hint = fmt::format("{} × {} pixels", choice.size.x, choice.size.y);
    if (choice_button(choice.label, size_ == choice.size, width, {}, hint)) size_ = choice.size;
    areas()[choice.label] = item_area();
  }
}

void SaveVideo::length_rows() {
  row_label("Seconds");
  ImGui::SetNextItemWidth(remaining_width());
  slider("##seconds", &seconds_, 0.5f, 60, "%.1f");
  seconds_ = std::clamp(seconds_, 0.1f, kMaxSeconds);
  areas()["seconds"] = item_area();
  tooltip("Ctrl + click to type a number");
  row_label("Frames/s");
  ImGui::SetNextItemWidth(remaining_width());
  slider("##rate", &frames_per_second_, 5, 60);
  frames_per_second_ = std::clamp(frames_per_second_, 1, kMaxFramesPerSecond);
  areas()["rate"] = item_area();
  if (flies_) return;
  row_label("Step size");
  ImGui::SetNextItemWidth(remaining_width());
  slider("##generations", &generations_, 1, 64,
         generations_ == 1 ? "%d generation/frame" : "%d generations/frame");
  generations_ = std::clamp(generations_, 1, kMaxGenerations);
  areas()["generations"] = item_area();
}

void SaveVideo::route_row() {
  if (!flies_ && !turns_) return;
  row_label(flies_ ? "Flight" : "Camera");
  const char* const own = flies_ ? "to here" : "turntable";
  if (choice_button(own, route_ == Route::kOwn, equal_width(2), {},
                    flies_ ? "Flies from the whole set to this view" : "Goes around the fractal once"))
    route_ = Route::kOwn;
  areas()[own] = item_area();
  ImGui::SameLine();
  const std::string hint =
      fmt::format("Flies from this view through {} bookmarks, in their order", bookmarked_.size());
  const char* const none = bookmarked_.empty() ? "There is no bookmark in this workspace yet (Ctrl D)" : "";
  if (choice_button("bookmarks", route_ == Route::kThroughBookmarks, remaining_width(), none, hint))
    route_ = Route::kThroughBookmarks;
  areas()["through places"] = item_area();
  if (bookmarked_.empty()) route_ = Route::kOwn;
}

VideoSpec SaveVideo::spec() const {
  VideoSpec video{.file = file(), .format = {size_, frames_per_second_}};
  video.frames =
      std::max(1, static_cast<int>(std::lround(seconds_ * static_cast<float>(frames_per_second_))));
  video.generations = static_cast<std::uint32_t>(generations_);
  return video;
}

void SaveVideo::start() {
  video_ = spec();
  video_.backend = source().backend();
  scene::Scene scene = source().describe(StateNeed::kExactView);
  if (flies_) video_.keyframes = scene.shown().flight(video_.format.size);
  if ((flies_ || turns_) && route_ == Route::kThroughBookmarks) {
    video_.keyframes = {flies_ ? video_.keyframes.back() : workspace().place().json};
    video_.keyframes.insert(video_.keyframes.end(), bookmarked_.begin(), bookmarked_.end());
  }
  copy_data(std::move(scene));
}

void SaveVideo::on_data_copied(scene::Scene scene) {
  video_.scene = std::move(scene);
  work([video = std::make_shared<const VideoSpec>(std::move(video_))](ProgressMonitor& watch) {
    const std::string saved_text = write_video(*video, &watch);
    return saved_text.empty() ? saved_text : " as " + saved_text;
  });
}

}  // namespace loom::app::video
