// The comparison of the methods in the Mandelbrot workspace.

#include <imgui.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/gui/theme.h"
#include "app/workspaces/mandelbrot/mandelbrot_report.h"
#include "app/workspaces/mandelbrot/mandelbrot_workspace.h"
#include "app/workspaces/mandelbrot/picture/overlays.h"

namespace loom::app {
namespace {

/// A cross with a gap at the point under the cursor.
void draw_linked_point(ImDrawList& list, glm::vec2 at) {
  const float arm = ImGui::GetFontSize() * 0.6f;
  const float gap = arm * 0.35f;
  const auto line = [&](glm::vec2 direction) {
    list.AddLine(at + direction * gap, at + direction * arm, theme::overlay(false).edge, 4);
    list.AddLine(at + direction * gap, at + direction * arm, theme::overlay(false).hovered, 2);
  };
  for (const glm::vec2 direction : {glm::vec2{1, 0}, glm::vec2{-1, 0}, glm::vec2{0, 1}, glm::vec2{0, -1}})
    line(direction);
}

}  // namespace

void MandelbrotWorkspace::update_comparison() {
  comparison_pending_ = comparison_pending_ && settings_.compare;
  if (!settings_.compare) return comparison_.reset();
  if (!comparison_) comparison_ = std::make_unique<MethodComparison>(services_);
  comparison_->set_active(settings_.config.method);
}

Area MandelbrotWorkspace::pane_area(MandelbrotMethod method) const {
  return panes_.empty() ? area_ : panes_[MethodComparison::index_of(method)].picture;
}

// All panes show the same view and have the same size, so the mouse moves it in each of them.
bool MandelbrotWorkspace::update_mouse(const Area& area, float scale) {
  if (mouse_.gesture() == MandelbrotMouse::Gesture::kNone) {
    mouse_area_ = area;
    const glm::vec2 mouse = ImGui::GetIO().MousePos;
    for (const PaneArea& pane : panes_) {
      if (pane.picture.contains(mouse)) mouse_area_ = pane.picture;
    }
  }
  const bool zooms_in = mouse_.update(mouse_area_, scale, picture_, julia_inset(), precision_, history_);
  if (!edit_->shell.view.cursor) {
    key_cursor_.hide();
    return zooms_in;
  }
  std::optional<Coord64> under_mouse;
  if (mouse_.pixel()) {
    const glm::u64vec2 pixel(*mouse_.pixel());
    under_mouse = {pixel.x, pixel.y};
  }
  const glm::u64vec2 middle(picture_ / 2);
  key_cursor_.begin(under_mouse, {middle.x, middle.y});
  return zooms_in;
}

// Arrow keys move the cursor by a pixel, and with Shift by kTilePixels.
void MandelbrotWorkspace::move_cursor() {
  ViewCommands& commands = edit_->shell.view;
  if (!commands.cursor || !key_cursor_.unit()) return;
  constexpr std::uint64_t kTilePixels = 16;
  const glm::u64vec2 end(picture_);
  Coord64 to = moved_within(*key_cursor_.unit(), std::exchange(commands.pan, {}), {1, 1}, {end.x, end.y});
  to = moved_within(to, std::exchange(commands.large_pan, {}), {kTilePixels, kTilePixels}, {end.x, end.y});
  if (to == *key_cursor_.unit()) return;
  key_cursor_.move_to(to);
}

// The pixel under the mouse, or at the cursor while keys move it.
std::optional<glm::dvec2> MandelbrotWorkspace::hovered_pixel() const {
  const auto at = key_cursor_.shown();
  return at ? std::optional(glm::dvec2(at->x, at->y) + 0.5) : mouse_.pixel();
}

// One engine at a time.
void MandelbrotWorkspace::compute_comparison(const DwellRequest& request, TaskTimeout timeout) {
  comparison_pending_ = !comparison_->is_done(request);
  if (runner_.busy() || landscape_.running() || plan_.searching() || sampled_.working()) return;
  const bool current = runner_.has_picture() && request.same_picture(runner_.request());
  const bool active_done = runner_.is_abandoned() || (current && runner_.is_idle());
  if (comparison_->busy() || active_done || (current && comparison_->is_behind(request)))
    comparison_->advance(request, backend_, timeout);
  if (!runner_.busy()) comparison_->compare(runner_, request);
}

void MandelbrotWorkspace::draw_other_panes() {
  if (!comparison_ || panes_.empty()) return;
  for (const MandelbrotMethod method : kMandelbrotMethods) {
    MethodPane* const pane = comparison_->pane(method);
    if (pane == nullptr) continue;
    pane->draw({to_pixels(pane_area(method).corner, scale_), picture_}, {view(), picture_}, settings_,
               presenter_.palette());
  }
}

void MandelbrotWorkspace::other_overlays(ImDrawList& list) {
  if (!comparison_ || panes_.empty()) return;
  for (const MandelbrotMethod method : kMandelbrotMethods) {
    const Area area = pane_area(method);
    list.PushClipRect(area.corner, area.end());
    MethodPane* const pane = comparison_->pane(method);
    render::Rect<int> place = picture_rect();
    glm::ivec2 size = displayed_picture_ ? displayed_picture_->size : picture_;
    if (pane != nullptr) {
      place = pane->picture_rect({view(), picture_});
      size = glm::max(pane->displayed_size(), glm::ivec2(1));
    }
    const Area marked{area.corner + glm::vec2(place.corner) / scale_, glm::vec2(place.size) / scale_};
    const float scale = scale_ * static_cast<float>(size.x) / static_cast<float>(std::max(place.size.x, 1));
    // While they are turned, no picture has its marks yet.
    const bool is_turning = displayed_picture_ && displayed_picture_->view.angle != view().angle;
    if (pane != nullptr && !is_turning) {
      draw_marks(list, marked, scale, pane->marks(settings_.overlay, levels_.shown(), scale_));
      if (settings_.overlay == RegionOverlay::kDevices) {
        draw_devices(list, marked, scale * static_cast<float>(std::max(pane->runner().divisor(), 1)),
                     pane->runner().parts());
      }
    }
    if (const auto& counted = comparison_->differences(method); counted && !is_turning)
      draw_differences(list, marked, scale, *counted);
    if (const auto pixel = hovered_pixel()) draw_linked_point(list, area.corner + glm::vec2(*pixel) / scale_);
    list.PopClipRect();
  }
}

void MandelbrotWorkspace::add_comparison_state(nlohmann::ordered_json& own) const {
  own["compared"] = own["verdict"] = nullptr;
  if (!comparison_) return;
  own["verdict"] = comparison_verdict(comparison_->scores(runner_));
  nlohmann::ordered_json compared;
  for (const MethodScore& score : comparison_->scores(runner_)) {
    nlohmann::ordered_json one;
    add_report(one, score);
    one["runs"] = score.runs;
    one["problem"] = score.problem;
    MethodPane* const pane = comparison_->pane(score.method);
    const DwellRunner& runner = pane != nullptr ? pane->runner() : runner_;
    one["listed_regions"] = runner.regions().size();
    one["points_shown"] = pane != nullptr ? pane->samples_per_axis() : sampled_.samples_per_axis();
    one["header"] = one["picture"] = nullptr;
    if (!panes_.empty()) {
      one["header"] = numbers_of(panes_[MethodComparison::index_of(score.method)].header);
      one["picture"] = numbers_of(pane_area(score.method));
    }
    compared[std::string(name_of(score.method))] = std::move(one);
  }
  own["compared"] = std::move(compared);
}

}  // namespace loom::app
