#include "app/document/image/window/save_image.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <glm/common.hpp>

#include "app/document/image/image_file.h"
#include "app/document/scene/scene_bytes.h"
#include "app/files/new_file.h"
#include "app/gui/theme.h"
#include "app/shell/key_match.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/item_area.h"
#include "compute/core/error.h"
#include "render/palette.h"

namespace loom::app::image {
namespace {

constexpr int kLarge = 16384;

/// "3840x2160"; nothing for anything else, or sides outside 1 .. kMostSide.
std::optional<glm::ivec2> read_size(std::string_view text) {
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
  return glm::ivec2{*width, *height};
}

/// Copies a part of an image.
render::RgbImage cut(const render::RgbImage& image, const render::Rect<int>& part) {
  render::RgbImage result{part.size, {}};
  for (int y = part.corner.y; y < part.end().y; ++y) {
    const auto at = image.rgb.begin() + (static_cast<std::ptrdiff_t>(y) * image.size.x + part.corner.x) * 3;
    result.rgb.insert(result.rgb.end(), at, at + static_cast<std::ptrdiff_t>(part.size.x) * 3);
  }
  return result;
}

}  // namespace

SaveImage::SaveImage(scene::SceneSource& source)
    : SaveDialog({.title = "Save image",
                  .key = "F12",
                  .help = "save an image of any size",
                  .what = "image",
                  .verb = "Save",
                  .doing = "drawing",
                  .state = "save_picture"},
                 key(GLFW_KEY_F12), source) {}

std::string SaveImage::on_open() {
  return plain_file_name(workspace().describe()->file_stem()) + ".png";
}

void SaveImage::rows() {
  size_rows();
  over_row();
}

std::string SaveImage::remark() const {
  std::string left_out = overlays_ ? "" : workspace().describe()->overlays_left_out();
  if (!left_out.empty()) left_out += " are overlays and are left out. ";
  return left_out + "Renders in the background. The image contains its scene and can be opened.";
}

std::optional<glm::ivec2> SaveImage::chosen_size() const {
  const glm::ivec2 screen =
      glm::max(to_pixels(workspace().picture_area().size, workspace().picture_scale()), 1);
  switch (size_) {
    case Size::kScreen:
      return screen;
    case Size::kTwice:
      return screen * 2;
    case Size::kFourTimes:
      return screen * 4;
    case Size::k16384:
      return glm::ivec2(kLarge);
    case Size::kOther:
      return read_size(other_size_);
  }
  return std::nullopt;
}

std::string SaveImage::disabled_reason() const {
  const auto size = chosen_size();
  if (!size || size->x > kMostSide || size->y > kMostSide)
    return fmt::format("Type a size as WIDTHxHEIGHT, with sides from 1 to {}", kMostSide);
  return {};
}

void SaveImage::size_rows() {
  struct Choice {
    const char* label;
    Size size;
    const char* hint;
  };
  static constexpr std::array kChoices = {
      Choice{"screen", Size::kScreen, "Size on screen"},
      Choice{"2×", Size::kTwice, "Twice the size on screen"},
      Choice{"4×", Size::kFourTimes, "Four times the size on screen"},
      Choice{"16384²", Size::k16384, "16384 × 16384: every cell of a gasket at level 14"},
      Choice{"other", Size::kOther, "Type the size below"},
  };
  row_label("Size");
  const float width = equal_width(static_cast<int>(kChoices.size()));
  for (const Choice& choice : kChoices) {
    if (&choice != &kChoices.front()) ImGui::SameLine();
    if (choice_button(choice.label, size_ == choice.size, width, {}, choice.hint)) size_ = choice.size;
    areas()[choice.label] = item_area();
  }
  if (size_ == Size::kOther) {
    row_label("");
    ImGui::SetNextItemWidth(remaining_width());
    ImGui::InputText("##size", &other_size_);
    areas()["size"] = item_area();
  }
}

void SaveImage::over_row() {
  row_label("Overlays");
  const float half = equal_width(2);
  const std::string multiple_panes = size_ != Size::kScreen && workspace().has_secondary_panes()
                                         ? "Several panes can only be saved at screen size"
                                         : std::string();
  if (!multiple_panes.empty()) overlays_ = false;
  if (choice_button("on", overlays_, half, multiple_panes,
                    "Includes grids, regions, orbits and the legend. In a larger image they are enlarged, "
                    "and its height follows from its width."))
    overlays_ = true;
  areas()["with"] = item_area();
  ImGui::SameLine();
  if (choice_button("off", !overlays_, remaining_width(), {}, "The picture alone")) overlays_ = false;
  areas()["without"] = item_area();
}

void SaveImage::check() const {
  if (!file().ends_with(".png")) throw InputError("the name does not end with .png; allowed: .png");
}

void SaveImage::start() {
  Job job{.file = file(), .size = *chosen_size(), .overlays = overlays_};
  job.as_on_screen = overlays_ && size_ == Size::kScreen;
  workspace().hide_insets(job.overlays && !job.as_on_screen);
  job_ = std::move(job);
  phase_ = Phase::kWaiting;
}

// Captures the overlays from a frame without the dialog.
void SaveImage::on_frame_rendered(const RenderedFrame& frame) {
  if (phase_ != Phase::kWaiting) return;
  Job& job = *job_;
  if (!std::exchange(job.closed, true)) return;  // this frame still contains the dialog
  if (job.as_on_screen && !frame.is_picture_unobstructed) return;
  job.area = workspace().picture_area();
  job.screen_scale = workspace().picture_scale();
  job.background = ImGui::GetColorU32(theme::colours().background);
  scene::Scene scene = source().describe(true);
  if (job.as_on_screen) {
    const float scale = job.screen_scale;
    const glm::ivec2 size = frame.context.framebuffer_size();
    render::Rect<int> part{to_pixels(frame.picture.corner, scale), to_pixels(frame.picture.size, scale)};
    part.size = glm::min(part.size, size - part.corner);
    if (part.empty()) {
      return abort_save(Message::warning("There is no picture to save because the window is too small"));
    }
    job.screen = cut(render::read_framebuffer(frame.context.framebuffer(), size), part);
  } else if (job.overlays) {
    job.overlay =
        std::make_shared<const Overlay>(*ImGui::GetDrawData(), *ImGui::GetIO().Fonts, frame.picture);
    job.scale = static_cast<float>(job.size.x) / frame.picture.size.x;
    job.size.y = std::clamp(to_pixels(frame.picture.size, job.scale).y, 1, kMostSide);
  }
  workspace().hide_insets(false);
  copy_data(std::move(scene));
}

void SaveImage::begin(ShellEdit& shell) {
  SaveDialog::begin(shell);
  if (phase_ == Phase::kWaiting) shell.commands.close_overlays = true;
}

std::uint64_t SaveImage::run(const Job& job, const scene::Scene& scene, const BackendSelection& backend,
                             ProgressMonitor& watch) {
  // Only the rows report progress; the work before them can only be cancelled.
  const ProgressScope call(&watch, 1);
  const auto written = [&](ImageRows& rows) {
    const std::string stored = scene::bytes_of(scene, &watch);
    std::uint64_t bytes = 0;
    call.part(1, [&] { bytes = write_image(job.file, rows, stored, &watch); });
    return bytes;
  };
  if (job.screen) {
    StoredRows rows(*job.screen);
    return written(rows);
  }
  const auto renderer = [&](glm::ivec2 size, bool coloured) {
    return scene.shown().renderer({.size = size,
                                   .backend = backend,
                                   .palette = scene.palette,
                                   .custom_palettes = scene.custom_palettes,
                                   .coloured = coloured},
                                  &watch);
  };
  if (!job.overlay) return written(renderer(job.size, false)->rows());
  const Area& part = job.overlay->part();
  const Area& area = job.area;
  const render::Rect<int> at{glm::max(to_pixels(area.corner - part.corner, job.scale), 0),
                             glm::max(to_pixels(area.size, job.scale), 1)};
  const auto picture = renderer(at.size, true);
  FramedRows framed(picture->rows(), *job.overlay, job.scale, job.size, at, job.background);
  return written(framed);
}

void SaveImage::on_data_copied(scene::Scene scene) {
  work([job = std::make_shared<const Job>(std::move(*job_)),
        scene = std::make_shared<const scene::Scene>(std::move(scene)),
        backend = source().backend()](ProgressMonitor& watch) {
    return fmt::format(": {}", describe_bytes(run(*job, *scene, backend, watch)));
  });
  job_.reset();
}

void SaveImage::cancel() {
  SaveDialog::cancel();
  if (phase_ != Phase::kWaiting) return;
  phase_ = Phase::kNothing;
  workspace().hide_insets(false);
}

}  // namespace loom::app::image
