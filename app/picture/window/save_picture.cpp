#include "app/picture/window/save_picture.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/files/output_file.h"
#include "app/gui/theme.h"
#include "app/picture/picture_file.h"
#include "app/picture/scene_picture.h"
#include "app/scene/scene_text.h"
#include "app/shell/key_match.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/item_area.h"
#include "compute/core/error.h"
#include "render/palette.h"

namespace loom::app::picture {
namespace {

constexpr const char* kTitle = "Save picture";
constexpr float kDialogWidth = 32;  // font sizes
constexpr int kLarge = 16384;

int pixels(float length, float scale) {
  return static_cast<int>(std::lround(length * scale));
}

/// "3840x2160"; nothing for anything else, or sides outside 1 .. kMostSide.
std::optional<render::Extent> read_size(std::string_view text) {
  const std::size_t cross = text.find('x');
  if (cross == std::string_view::npos) return std::nullopt;
  const auto side = [](std::string_view digits) -> std::optional<int> {
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || value < 1 || value > kMostSide)
      return std::nullopt;
    return value;
  };
  const auto width = side(text.substr(0, cross));
  const auto height = side(text.substr(cross + 1));
  if (!width || !height) return std::nullopt;
  return render::Extent{*width, *height};
}

/// A part of a picture.
render::RgbImage cut(const render::RgbImage& image, const render::Rect& part) {
  render::RgbImage result{{part.width, part.height}, {}};
  for (int y = part.y; y < part.y + part.height; ++y) {
    const auto at = image.rgb.begin() + (static_cast<std::ptrdiff_t>(y) * image.size.width + part.x) * 3;
    result.rgb.insert(result.rgb.end(), at, at + static_cast<std::ptrdiff_t>(part.width) * 3);
  }
  return result;
}

/// Rows that are there already.
class KeptRows final : public PictureRows {
 public:
  explicit KeptRows(const render::RgbImage& image) : image_(image) {}
  render::Extent size() const override { return image_.size; }
  void rows(int first, int count, std::vector<std::uint8_t>& rgb, Watch*) override {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(image_.size.width) * 3;
    rgb.assign(image_.rgb.begin() + first * row, image_.rgb.begin() + (first + count) * row);
  }

 private:
  const render::RgbImage& image_;
};

}  // namespace

SavePicture::SavePicture(std::unique_ptr<PictureStage> stage) : stage_(std::move(stage)) {
  keys_.add("F12", "save a picture, in any size", key(GLFW_KEY_F12), [](bool& wished) { wished = true; });
}

void SavePicture::menu_item() {
  if (ImGui::MenuItem("Save picture ...", "F12")) wished_ = true;
  places_["item"] = item_area();
}

void SavePicture::open() {
  begin_ = true;
  problem_.clear();
  there_already_ = false;
  const scene::Scene scene = stage_->exact_scene();
  const std::string name =
      scene.workspace == 0
          ? fmt::format("{}-level-{}.png", scene.life.config.fractal.name(), scene.life.config.level)
          : std::string("mandelbrot.png");
  if (file_.empty() || file_ == suggested_) file_ = name;
  suggested_ = name;
}

std::optional<render::Extent> SavePicture::chosen_size() const {
  const PicturePlace place = stage_->place();
  const render::Extent screen{std::max(1, pixels(place.area.width, place.scale)),
                              std::max(1, pixels(place.area.height, place.scale))};
  switch (size_) {
    case Size::kScreen:
      return screen;
    case Size::kTwice:
      return render::Extent{screen.width * 2, screen.height * 2};
    case Size::kFourTimes:
      return render::Extent{screen.width * 4, screen.height * 4};
    case Size::k16384:
      return render::Extent{kLarge, kLarge};
    case Size::kOther:
      return read_size(other_size_);
  }
  return std::nullopt;
}

std::string SavePicture::why_not() const {
  if (doing_ != Doing::kNothing) return "A picture is being written";
  if (file_.empty()) return "Type a file name first";
  const auto size = chosen_size();
  if (!size || size->width > kMostSide || size->height > kMostSide)
    return fmt::format("Type a size: WIDTHxHEIGHT, sides from 1 to {}", kMostSide);
  return {};
}

void SavePicture::size_rows() {
  struct Choice {
    const char* label;
    Size size;
    const char* hint;
  };
  static constexpr std::array kChoices = {
      Choice{"screen", Size::kScreen, "As many pixels as on the screen"},
      Choice{"2×", Size::kTwice, "Twice as wide and high"},
      Choice{"4×", Size::kFourTimes, "Four times as wide and high"},
      Choice{"16384²", Size::k16384, "16384 × 16384: every cell of a gasket at level 14"},
      Choice{"other", Size::kOther, "Type it below"},
  };
  row_label("Size");
  const float width = part_of_line(static_cast<int>(kChoices.size()));
  for (const Choice& choice : kChoices) {
    if (&choice != &kChoices.front()) ImGui::SameLine();
    if (choice_button(choice.label, size_ == choice.size, width, {}, choice.hint)) size_ = choice.size;
    places_[choice.label] = item_area();
  }
  if (size_ == Size::kOther) {
    row_label("");
    ImGui::SetNextItemWidth(rest_of_line());
    ImGui::InputText("##size", &other_size_);
    places_["size"] = item_area();
  }
}

void SavePicture::over_row() {
  row_label("Over it");
  const float half = part_of_line(2);
  const std::string several = size_ != Size::kScreen && stage_->place().several
                                  ? "Of several panes at the screen's size only"
                                  : std::string();
  if (!several.empty()) overlays_ = false;
  if (choice_button("all, and legend", overlays_, half, several,
                    "Grids, regions, orbits and the legend, as on the screen. In a larger picture they grow "
                    "with it, and "
                    "its height follows from its width."))
    overlays_ = true;
  places_["with"] = item_area();
  ImGui::SameLine();
  if (choice_button("nothing", !overlays_, rest_of_line(), {}, "The picture of the scene alone"))
    overlays_ = false;
  places_["without"] = item_area();
}

void SavePicture::buttons() {
  if (choice_button(there_already_ ? "Replace" : "Save", false, part_of_line(2), why_not())) start();
  places_["save"] = item_area();
  ImGui::SameLine();
  if (choice_button("Close (Esc)", false, rest_of_line())) ImGui::CloseCurrentPopup();
  places_["close"] = item_area();
}

void SavePicture::dialogs() {
  if (!begin_ && !open_) return;
  places_.clear();
  if (std::exchange(begin_, false)) ImGui::OpenPopup(kTitle);
  const ImVec2 centre = ImGui::GetMainViewport()->GetCenter();
  ImGui::SetNextWindowPos({centre.x, centre.y * 0.5f}, ImGuiCond_Always, {0.5f, 0});
  const float room = ImGui::GetIO().DisplaySize.x * 0.94f;
  ImGui::SetNextWindowSize({std::min(kDialogWidth * ImGui::GetFontSize(), room), 0});
  open_ = ImGui::BeginPopupModal(kTitle, nullptr, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize);
  if (!open_) return;
  theme::push_on_raised();
  size_rows();
  over_row();
  row_label("File");
  ImGui::SetNextItemWidth(rest_of_line());
  if (ImGui::InputText("##file", &file_)) there_already_ = false;
  places_["file"] = item_area();
  tooltip(file_);
  buttons();
  if (!problem_.empty()) warning(problem_);
  note("It is made beside the frames. The picture carries its scene: opened, it brings the scene back.");
  theme::pop_on_raised();
  if (ImGui::IsWindowAppearing()) places_.clear();  // its size is found in the first frame
  ImGui::EndPopup();
}

void SavePicture::start() {
  problem_.clear();
  try {
    if (!file_.ends_with(".png")) throw InputError("A picture's name ends with .png");
    check_may_replace(file_, there_already_, "Replace");
    check_can_be_written("Save", file_);
  } catch (const std::runtime_error& error) {
    problem_ = error.what();
    std::error_code ignored;
    there_already_ = std::filesystem::is_regular_file(file_, ignored) && file_.ends_with(".png");
    return;
  }
  there_already_ = false;
  Job job{.file = file_, .size = *chosen_size(), .overlays = overlays_};
  job.as_on_screen = overlays_ && size_ == Size::kScreen;
  stage_->leave_out_insets(job.overlays && !job.as_on_screen);
  job_ = std::move(job);
  doing_ = Doing::kWaiting;
  ImGui::CloseCurrentPopup();
}

// What is drawn over the picture is taken from a frame without the dialog.
void SavePicture::drawn(const DrawnFrame& frame) {
  if (doing_ != Doing::kWaiting) return;
  Job& job = *job_;
  if (!std::exchange(job.closed, true)) return;  // the dialog is in this one
  if (job.as_on_screen && !frame.picture_alone) return;
  job.place = stage_->place();
  job.ground = ImGui::GetColorU32(theme::kGround);
  scene_ = stage_->exact_scene();
  if (job.as_on_screen) {
    const float scale = job.place.scale;
    const render::Extent size = frame.context.framebuffer_size();
    render::Rect part{pixels(frame.picture.x, scale), pixels(frame.picture.y, scale),
                      pixels(frame.picture.width, scale), pixels(frame.picture.height, scale)};
    part.width = std::min(part.width, size.width - part.x);
    part.height = std::min(part.height, size.height - part.y);
    if (part.width < 1 || part.height < 1) {
      doing_ = Doing::kNothing;
      message_ = "There is no picture to save: the window is too small";
      return;
    }
    job.screen = cut(render::read_framebuffer(frame.context.framebuffer(), size), part);
  } else if (job.overlays) {
    job.overlay =
        std::make_shared<const Overlay>(*ImGui::GetDrawData(), *ImGui::GetIO().Fonts, frame.picture);
    job.scale = static_cast<float>(job.size.width) / frame.picture.width;
    job.size.height = std::min(kMostSide, std::max(1, pixels(frame.picture.height, job.scale)));
  }
  stage_->leave_out_insets(false);
  stage_->scenes().ask_for_cells();
  doing_ = Doing::kCopying;
}

void SavePicture::begin(ShellEdit& shell) {
  take();
  if (doing_ == Doing::kWaiting) shell.commands.uncover = true;
  if (std::exchange(wished_, false)) open();
  if (doing_ != Doing::kCopying) return;
  scene::SceneStage& scenes = stage_->scenes();
  if (auto cells = scenes.advance()) {
    scene_->cells = std::move(*cells);
    write(std::move(*scene_));
  } else if (!scenes.asked()) {
    doing_ = Doing::kNothing;
    message_ = "cancelled: the picture was not saved";
  }
}

std::uint64_t SavePicture::run(const Job& job, const scene::Scene& scene, const BackendSelection& backend,
                               Watch& watch) {
  if (job.screen) {
    KeptRows rows(*job.screen);
    return write_picture(job.file, rows, scene::text_of(scene), &watch);
  }
  if (scene.workspace == 0) check_fits(scene.life.config, backend);
  const auto written = [&](PictureRows& rows) {
    return write_picture(job.file, rows, scene::text_of(scene), &watch);
  };
  if (!job.overlay) {
    ScenePicture picture(scene, job.size, backend);
    return written(picture.rows());
  }
  const Area& part = job.overlay->part();
  const Area& area = job.place.area;
  const render::Rect at{
      std::max(0, pixels(area.x - part.x, job.scale)), std::max(0, pixels(area.y - part.y, job.scale)),
      std::max(1, pixels(area.width, job.scale)), std::max(1, pixels(area.height, job.scale))};
  ScenePicture picture(scene, {at.width, at.height}, backend);
  FramedRows framed(picture.rows(), *job.overlay, job.scale, job.size, at, job.ground);
  return written(framed);
}

void SavePicture::write(scene::Scene scene) {
  doing_ = Doing::kWriting;
  outcome_ = {};
  worker_.start([this, job = std::make_shared<const Job>(std::move(*job_)),
                 scene = std::make_shared<const scene::Scene>(std::move(scene)),
                 backend = stage_->backend()](Watch& watch) {
    try {
      outcome_.bytes = run(*job, *scene, backend, watch);
    } catch (const Cancelled&) {
      outcome_.cancelled = true;
    } catch (const std::bad_alloc&) {
      outcome_.problem = fmt::format("{}: out of memory while it was made", job->file);
    } catch (const std::runtime_error& error) {
      outcome_.problem = error.what();
    }
  });
}

void SavePicture::take() {
  if (doing_ != Doing::kWriting || !worker_.has_ended()) return;
  doing_ = Doing::kNothing;
  scene_.reset();
  if (outcome_.cancelled) {
    message_ = fmt::format("cancelled: no picture {}", file_);
  } else if (!outcome_.problem.empty()) {
    message_ = outcome_.problem;
  } else {
    done_ = fmt::format("saved {}: {}", file_, with_units(outcome_.bytes));
    message_ = done_;
  }
}

Progress SavePicture::progress() const {
  if (doing_ == Doing::kNothing) return {};
  const std::string name = std::filesystem::path(file_).filename().string();
  if (doing_ != Doing::kWriting) return {"copying the cells for " + name, 0};
  return {"drawing " + name, worker_.watch().share()};
}

void SavePicture::cancel() {
  if (doing_ == Doing::kWriting) worker_.watch().cancel();
  if (doing_ != Doing::kWaiting) return;
  doing_ = Doing::kNothing;
  stage_->leave_out_insets(false);
}

void SavePicture::add_state(nlohmann::ordered_json& json) {
  nlohmann::ordered_json own{{"open", open_},
                             {"file", file_},
                             {"problem", problem_},
                             {"done", done_},
                             {"places", nlohmann::ordered_json::object()}};
  for (const auto& [name, place] : places_) own["places"][name] = numbers_of(place);
  json["save_picture"] = std::move(own);
}

}  // namespace loom::app::picture
