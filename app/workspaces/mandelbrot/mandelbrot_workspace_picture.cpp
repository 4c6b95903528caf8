// The picture of the Mandelbrot workspace: what computes and draws it, its overlays, and the comparison of
// methods.

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/gui/theme.h"
#include "app/text/text.h"
#include "app/widgets/picture.h"
#include "app/workspaces/mandelbrot/mandelbrot_workspace.h"
#include "app/workspaces/mandelbrot/panes/method_comparison.h"
#include "app/workspaces/mandelbrot/picture/overlays.h"
#include "compute/core/error.h"
#include "compute/device/device.h"

namespace loom::app {

void MandelbrotWorkspace::choose_devices() {
  const std::size_t count = settings_.devices;
  if (is_distributed_over(backend_, services_.backend, services_.devices, count)) return;
  backend_ = distribute_over(services_.backend, services_.devices, count);
}

void MandelbrotWorkspace::compute(FrameClock& clock) {
  apply();
  const auto timeout = services_.waits ? kNoTimeout : kFrameWait;
  if (picture_ == glm::ivec2{1, 1}) return;  // no layout yet
  if (settings_.volume.shown) return compute_volume(clock);
  if (!settings_.config.set.may_run()) return clock.lap(Stage::kOther);  // the last picture stays
  try {
    choose_devices();
    pane_.use_backend(backend_);
    // Do not compute in every frame during a search, because a search requires that nothing else runs.
    const bool finds_plan = plan_.searching() || (automatic() && plan_.needs_search(tuning_problem()));
    const DwellRequest request{.config = computed_config(),
                               .view = view(),
                               .picture = picture_,
                               .every_frame = settings_.measure && !landscape_.running() && !finds_plan &&
                                              !(comparison_ && comparison_->busy()),
                               .regions = needs_regions(settings_.overlay) || settings_.show_timeline,
                               .smooth = is_continuous(settings_.colouring)};
    // Background work runs between the timed runs, once the picture has full resolution.
    const bool whole = compute_active(request, timeout);
    if (comparison_) compute_comparison(request, timeout);
    if (commands_.measure_landscape) {
      if (landscape_.running()) {
        landscape_.stop();
      } else {
        landscape_.start(computed_config(), view(), picture_, backend_);
        landscape_of_ = view();
      }
    }
    poll_landscape(TaskTimeout{0});
    const bool is_idle = whole && pane_.runner().is_idle() && !pane_.has_new_picture() &&
                         !landscape_.running() && (!comparison_ || comparison_->is_done(request));
    search_minibrot();
    search_plan(is_idle);
    apply_results();
    update_comparison();
    pane_.follow_samples(settings_, view(), picture_,
                         is_idle && !plan_.searching() && !(comparison_ && comparison_->is_sampling()));
    if (comparison_) {
      comparison_->follow_samples(settings_, view(), picture_,
                                  is_idle && !plan_.searching() && !pane_.is_sampling());
    }
    show_error(pane_.take_problem());
    const bool in_background = pane_.runner().busy() || (comparison_ && comparison_->busy());
    if (in_background || landscape_.running() || plan_.searching()) clock.discard_sample();
  } catch (const DeviceFault&) {
    throw;
  } catch (const MachineError& error) {
    message_ = Message::error(error.what());
  } catch (const std::bad_alloc&) {
    message_ = Message::error("out of memory for the picture");
  }
  cursor_.look(hovered_pixel(), view(), picture_, pane_.runner());
  if (!settings_.config.set.julia) {
    const glm::dvec2 before{julia_point_.re, julia_point_.im};
    const bool is_here = shows_point(view(), picture_, before);
    julia_pinned_ = julia_pinned_ && is_here;
    const glm::dvec2 at = julia_pinned_       ? before
                          : cursor_.hovered() ? cursor_.hovered()->point
                          : is_here           ? before
                                              : view().centre;
    if (std::hypot(at.x, at.y) <= 2) julia_point_ = {at.x, at.y};
  }
  if (pane_.runner().is_refused() && pane_.displayed() && pane_.displayed()->size == picture_)
    history_.replace_present(pane_.displayed()->view);
  show_error(pane_.runner().problem());
  pane_.runner().clear_problem();
  pane_.runner().add_times(clock, Stage::kStep);
  if (comparison_) comparison_->add_times(clock);
  clock.lap(Stage::kOther);
}

void MandelbrotWorkspace::compute_volume(FrameClock& clock) {
  try {
    volume_.compute(settings_, commands_, clock);
  } catch (const DeviceFault&) {
    throw;
  } catch (const MachineError& error) {
    message_ = Message::error(error.what());
  }
  if (Message one = volume_.take_message(); !one.empty()) message_ = std::move(one);
  clock.lap(Stage::kOther);
}

// Returns whether the picture of the request is complete. With a comparison, all methods first compute a
// coarse picture, and never two at the same time.
bool MandelbrotWorkspace::compute_active(const DwellRequest& request, TaskTimeout timeout) {
  const bool current = pane_.runner().has_picture() && request.same_picture(pane_.runner().request());
  const bool whole = current && pane_.runner().divisor() == 1;
  if (comparison_ && !pane_.runner().busy() &&
      (comparison_->busy() || (current && comparison_->is_behind(request))))
    return whole;
  if (whole && !pane_.runner().busy() && !pane_.has_new_picture()) run_background_work(timeout);
  if (!pane_.compute(request, timeout)) return whole;
  cursor_.picture_changed();
  if (pane_.take_new_picture() && comparison_) comparison_->active_changed();
  divergence_.forget();
  divergence_drawn_ = false;
  return whole;
}

// Starts at most one pending task per frame.
void MandelbrotWorkspace::run_background_work(TaskTimeout timeout) {
  if (std::exchange(check_requested_, false)) {
    pane_.runner().check(timeout);
  } else if (std::exchange(exhaustive_timing_requested_, false)) {
    pane_.runner().measure_exhaustive(timeout);
  } else if (std::exchange(recording_requested_, false)) {
    pane_.runner().record_timeline(timeout);
  }
}

void MandelbrotWorkspace::show(FrameClock& clock, ImDrawList& overlay_list) {
  if (area_.empty()) return;
  if (settings_.volume.shown) {
    volume_.show(settings_, pane_.presenter().palette(), clock, scale_);
    return clock.lap(Stage::kDraw);
  }
  const Area area = pane_area(settings_.config.method);
  const render::Rect<int> target{to_pixels(area.corner, scale_), picture_};
  pane_.colour(settings_);
  clock.lap(Stage::kResolve);
  if (pane_.transfer()) {
    if (const auto copied = pane_.presenter().take_copy_milliseconds())
      clock.add_concurrent(Stage::kGpuTransfer, *copied);
  }
  clock.lap(Stage::kTransfer);
  draw_timer_.begin();
  pane_.draw(target, {view(), picture_});
  draw_other_panes();
  if (const render::Rect<int> inset = julia_inset(); !inset.empty()) {
    julia_.update(inset_set(), inset.size, services_.backend, services_.waits);
    show_error(julia_.take_problem());
    julia_.draw(pane_.presenter().framebuffer(), {target.corner + inset.corner, inset.size},
                pane_.presenter().palette());
  }
  draw_timer_.end();
  const auto gpu = draw_timer_.take();
  if (gpu && !draw_timer_.waits()) clock.add_concurrent(Stage::kGpuPicture, *gpu);
  clock.lap(Stage::kDraw);
  overlays(overlay_list);
}

render::Rect<int> MandelbrotWorkspace::julia_inset() const {
  // Its computation would disturb the times that are compared.
  if (!settings_.julia || comparison_ || !settings_.config.set.may_run() ||
      (edit_ && edit_->shell.commands.hide_insets))
    return {};
  const float font_pixels = ImGui::GetFontSize() * std::max(ImGui::GetIO().DisplayFramebufferScale.x, 1.0f);
  return JuliaInset::place_in(picture_, font_pixels);
}

// The set in the inset: that of the point under the cursor, or the parameter plane of a Julia set.
EscapeTimeSet MandelbrotWorkspace::inset_set() const {
  EscapeTimeSet set = settings_.config.set;
  if (set.julia) {
    set.julia.reset();
  } else {
    set.julia = julia_point_;
  }
  return set;
}

void MandelbrotWorkspace::overlays(ImDrawList& list) {
  const Area area = pane_area(settings_.config.method);
  const float scale = scale_;
  const MandelbrotSettings& settings = settings_;
  const render::Rect<int> inset = julia_inset();
  const auto on_screen = [&](const render::Rect<int>& pixels) {
    return Area{area.corner + glm::vec2(pixels.corner) / scale, glm::vec2(pixels.size) / scale};
  };
  const Area julia = on_screen(inset);
  const glm::vec2 end = area.end();
  list.PushClipRect(area.corner, end);
  // Overlays of the displayed picture are drawn at its position.
  const std::optional<ViewedPicture>& displayed = pane_.displayed();
  const render::Rect<int> place = pane_.picture_rect({view(), picture_});
  const Area marked = on_screen(place);
  const float marks_scale = scale * static_cast<float>(displayed ? displayed->size.x : picture_.x) /
                            static_cast<float>(place.size.x);
  if (settings.overlay == RegionOverlay::kDivergence) {
    measure_divergence();
    if (!divergence_.counts()) divergence_drawn_ = false;
    if (divergence_.counts() && !std::exchange(divergence_drawn_, true))
      upload_divergence(*divergence_.counts(), divergence_texture_);
  }
  const std::span<const PictureMark> marks = pane_.marks(settings.overlay, levels_.shown(), scale);
  // Overlays of the picture are not turned with it while another one is computed.
  const bool is_turning = displayed && degrees_between({view(), picture_}, *displayed) != 0;
  if (settings.overlay != RegionOverlay::kOff && !is_turning) {
    // Clip the overlay around the Julia set inset, which is already drawn.
    const auto draw_in = [&](glm::vec2 low, glm::vec2 high) {
      list.PushClipRect(low, high, true);
      if (settings.overlay == RegionOverlay::kDevices) {
        draw_devices(list, marked, marks_scale * static_cast<float>(std::max(pane_.runner().divisor(), 1)),
                     pane_.runner().parts());
      } else if (settings.overlay != RegionOverlay::kDivergence) {
        draw_marks(list, marked, marks_scale, marks);
      } else if (divergence_.counts()) {
        draw_divergence(list, marked, marks_scale, *divergence_.counts(), divergence_texture_);
      }
      list.PopClipRect();
    };
    const float split = julia.empty() ? end.y : julia.corner.y;
    draw_in(area.corner, {end.x, split});
    if (split < end.y) draw_in({julia.end().x, split}, end);
  }
  if (settings.show_timeline && timeline_.level() && !is_turning) {
    level_marks_.request(pane_.runner().regions(), pane_.runner().regions_number(),
                         {.only = timeline_.level(), .scale = scale});
    draw_marks(list, marked, marks_scale, level_marks_.marks());
    draw_text_line(list, area, unmarked_reason(pane_.runner().regions(), *timeline_.level()));
  } else {
    level_marks_.forget();
  }
  if (const auto& check = pane_.runner().checked(); check && !is_turning)
    draw_differences(list, marked, marks_scale, check->differences);
  // Beyond double, all other points of the orbit are far outside.
  if (settings.orbit && !view().decimal && cursor_.hovered() &&
      (key_cursor_.shown() || mouse_area_.corner == area.corner)) {
    draw_orbit(list, area, scale, view(), picture_, settings.config.set, cursor_.hovered()->point,
               settings.config.dwell_limit);
  }
  if (!julia.empty()) {
    const std::optional<JuliaPoint>& shown = settings.config.set.julia;
    std::optional<glm::vec2> ring;
    if (shown) {
      const glm::dvec2 pixel =
          pixel_of(JuliaInset::view_of(inset_set(), inset.size), inset.size, {shown->re, shown->im});
      ring = julia.corner + glm::vec2(pixel) / scale;
    }
    draw_julia_frame(list, julia, shown.value_or(julia_point_), ring, julia_pinned_);
    if (julia_pinned_) {
      const glm::dvec2 pixel = pixel_of(view(), picture_, {julia_point_.re, julia_point_.im});
      draw_point_ring(list, area.corner + glm::vec2(pixel) / scale);
    }
  }
  if (key_cursor_.shown()) {
    const glm::vec2 middle = area.corner + glm::vec2(*hovered_pixel()) / scale;
    draw_picture_cursor(list, middle, 1 / scale, false);
  }
  list.PopClipRect();
  other_overlays(list);
  list.PushClipRect(mouse_area_.corner, mouse_area_.end());
  mouse_.draw(list);
  list.PopClipRect();
}

bool MandelbrotWorkspace::is_complete() const {
  return pane_.runner().has_picture() && pane_.runner().divisor() == 1 && !pane_.runner().busy() &&
         !pane_.has_new_picture() && pane_.runner().request().view == view();
}

// An overlay of regions has something to see where all pixels have one colour.
Text MandelbrotWorkspace::nothing_to_see() const {
  if (is_outside(view(), picture_)) return "Nothing here: the set is outside this view";
  if (!is_complete() || settings_.overlay != RegionOverlay::kOff) return {};
  const ScaledHistogram& histogram = pane_.runner().histogram();
  const auto some = [](std::uint64_t count) { return count > 0; };
  const auto first = std::ranges::find_if(histogram.counts, some);
  if (first == histogram.counts.end() || std::any_of(first + 1, histogram.counts.end(), some)) return {};
  if (first + 1 == histogram.counts.end())
    return format_text("Nothing here: every pixel is at the dwell limit of {}", histogram.scale.limit);
  const auto entry = static_cast<std::uint64_t>(first - histogram.counts.begin());
  return format_text("Nothing here: every pixel has dwell {}",
                     histogram.scale.first + (entry << histogram.scale.shift));
}

// Counts divergence once per picture and only on request, because it reads all dwells.
void MandelbrotWorkspace::measure_divergence() {
  const bool whole = pane_.runner().has_picture() && pane_.runner().divisor() == 1 &&
                     !pane_.runner().busy() && !pane_.has_new_picture();
  if (whole)
    divergence_.request(pane_.runner().engine(), pane_.runner().request().config, pane_.runner().image_size(),
                        pane_.runner().regions());
  divergence_.poll(services_.waits);
}

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
  if (!settings_.compare || settings_.volume.shown) return comparison_.reset();
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
  if (pane_.runner().busy() || landscape_.running() || plan_.searching() || pane_.is_sampling()) return;
  const bool current = pane_.runner().has_picture() && request.same_picture(pane_.runner().request());
  const bool active_done = pane_.runner().is_abandoned() || (current && pane_.runner().is_idle());
  if (comparison_->busy() || active_done || (current && comparison_->is_behind(request)))
    comparison_->advance(request, backend_, timeout);
  if (!pane_.runner().busy()) comparison_->compare(pane_.runner(), request);
}

void MandelbrotWorkspace::draw_other_panes() {
  if (!comparison_ || panes_.empty()) return;
  for (const MandelbrotMethod method : kMandelbrotMethods) {
    MethodPane* const pane = comparison_->pane(method);
    if (pane == nullptr) continue;
    pane->presenter().set_palette(pane_.presenter().palette());
    pane->colour(settings_);
    pane->transfer();
    pane->draw({to_pixels(pane_area(method).corner, scale_), picture_}, {view(), picture_});
  }
}

void MandelbrotWorkspace::other_overlays(ImDrawList& list) {
  if (!comparison_ || panes_.empty()) return;
  for (const MandelbrotMethod method : kMandelbrotMethods) {
    const Area area = pane_area(method);
    list.PushClipRect(area.corner, area.end());
    MethodPane* const other = comparison_->pane(method);
    MethodPane& pane = other != nullptr ? *other : pane_;
    const render::Rect<int> place = pane.picture_rect({view(), picture_});
    const glm::ivec2 size = pane.displayed()   ? pane.displayed()->size
                            : other != nullptr ? glm::ivec2(1)
                                               : picture_;
    const Area marked{area.corner + glm::vec2(place.corner) / scale_, glm::vec2(place.size) / scale_};
    const float scale = scale_ * static_cast<float>(size.x) / static_cast<float>(std::max(place.size.x, 1));
    // While they are turned, no picture has its marks yet.
    const bool is_turning = pane_.displayed() && pane_.displayed()->view.angle != view().angle;
    if (other != nullptr && !is_turning) {
      draw_marks(list, marked, scale, pane.marks(settings_.overlay, levels_.shown(), scale_));
      if (settings_.overlay == RegionOverlay::kDevices) {
        draw_devices(list, marked, scale * static_cast<float>(std::max(pane.runner().divisor(), 1)),
                     pane.runner().parts());
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
  own["verdict"] = comparison_verdict(comparison_->scores(pane_.runner()));
  nlohmann::ordered_json compared;
  for (const MethodScore& score : comparison_->scores(pane_.runner())) {
    nlohmann::ordered_json one;
    add_report(one, score);
    one["runs"] = score.runs;
    one["problem"] = score.problem;
    const MethodPane* const other = comparison_->pane(score.method);
    const MethodPane& pane = other != nullptr ? *other : pane_;
    one["listed_regions"] = pane.runner().regions().size();
    one["points_shown"] = pane.sampler().samples_per_axis();
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
