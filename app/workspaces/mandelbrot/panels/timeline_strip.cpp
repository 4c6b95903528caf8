#include "app/workspaces/mandelbrot/panels/timeline_strip.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/text/text.h"
#include "app/widgets/choice.h"
#include "app/widgets/pane_window.h"
#include "app/widgets/text.h"

namespace loom::app {
namespace {

// In font sizes.
constexpr float kMinWidth = 18;
constexpr float kMinHeight = 18;
constexpr float kPictureAbove = 0.42f;  ///< fraction of the height that the picture keeps

Text words_of(const DwellRequest& request) {
  const MandelbrotConfig& config = request.config;
  Text words = format_text("{}", name_of(config.method));
  if (config.method != MandelbrotMethod::kExhaustive) words.add("-{}", name_of(config.scheme));
  return words.add(", {} × {}", request.picture.x, request.picture.y);
}

}  // namespace

Area TimelineStrip::split(Area& picture) const {
  const float font = ImGui::GetFontSize();
  if (picture.size.x < kMinWidth * font || picture.size.y < kMinHeight * font) return {};
  Area strip = picture;
  if (picture.size.x >= 1.35f * picture.size.y && picture.size.x >= 2 * kMinWidth * font) {
    picture.size.x = std::floor(picture.size.x / 2);
    strip.corner.x += picture.size.x;
    strip.size.x -= picture.size.x;
  } else {
    picture.size.y = std::floor(picture.size.y * kPictureAbove);
    strip.corner.y += picture.size.y;
    strip.size.y -= picture.size.y;
  }
  return strip;
}

void TimelineStrip::follow(const std::optional<DwellRecording>& recorded) {
  if (!recorded || recorded->number == number_) return;
  number_ = recorded->number;
  of_ = recorded->request;
  backend_name_ = recorded->backend_name;
  view_.take(recorded->timeline, recorded->problem);
}

void TimelineStrip::show(const Area& area, MandelbrotEdit& edit, const Subject& now) {
  level_.reset();
  if (area.empty()) return;
  begin_pane_window("##timeline of dwells", area);
  Text stale;
  if (of_ && (!of_->same_picture(now.request) || backend_name_ != now.backend_name)) {
    stale = format_text("recorded for another method or view: {}", words_of(*of_));
  }
  const bool record = view_.header(
      "Computes the image once more with instrumented copies of the kernels (Q shows or hides this)",
      now.recording);
  if (record) edit.commands.record_timeline = true;
  ImGui::SameLine();
  const float cross = ImGui::GetFrameHeight();
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(remaining_width() - cross, 0.0f));
  if (choice_button("x##timeline", false, cross, {}, "Hide the timeline (Q)")) {
    edit.settings.show_timeline = false;
  }
  if (!stale.empty()) warning(stale);
  if (!view_.problem().empty()) warning(view_.problem());
  if (view_.recorded() && of_) {
    if (stale.empty()) elided_text(words_of(*of_).add(" on {}", backend_name_), remaining_width());
    // The level under the cursor is valid only if the recording matches the current method and view.
    const auto under = view_.show().level;
    if (stale.empty()) level_ = under;
  }
  ImGui::End();
}

}  // namespace loom::app
