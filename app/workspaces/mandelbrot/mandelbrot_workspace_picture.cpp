#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "app/text/text.h"
#include "app/widgets/picture.h"
#include "app/workspaces/mandelbrot/mandelbrot_workspace.h"
#include "app/workspaces/mandelbrot/picture/overlays.h"
#include "compute/core/error.h"
#include "compute/device/device.h"

// The picture of the Mandelbrot workspace: what computes it, its colours, and what draws it.
// Overlays of the Mandelbrot workspace.

namespace loom::app {

void MandelbrotWorkspace::choose_devices() {
  const std::size_t count = settings_.devices;
  if (is_distributed_over(backend_, services_.backend, services_.devices, count)) return;
  backend_ = distribute_over(services_.backend, services_.devices, count);
}

void MandelbrotWorkspace::compute(FrameClock& clock) {
  apply();
  const auto timeout = services_.waits ? kNoTimeout : kFrameWait;
  if (picture_ == glm::ivec2{1, 1}) return;                              // no layout yet
  if (!settings_.config.set.may_run()) return clock.lap(Stage::kOther);  // the last picture stays
  try {
    choose_devices();
    runner_.use_backend(backend_);
    presenter_.use_backend(runner_.backend());  // the previous backend until its running work has ended
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
    const bool is_idle = whole && runner_.is_idle() && !new_picture_ && !landscape_.running() &&
                         (!comparison_ || comparison_->is_done(request));
    search_minibrot();
    search_plan(is_idle);
    apply_results();
    update_comparison();
    sampled_.follow(
        {.runner = runner_,
         .settings = settings_,
         .view = view(),
         .picture = picture_,
         .backend = services_.backend,
         .colours = coloured() ? colours_.table() : render::DwellTable(),
         .may_begin = is_idle && !plan_.searching() && !(comparison_ && comparison_->is_sampling()),
         .waits = services_.waits});
    if (comparison_) {
      comparison_->follow_samples(settings_, view(), picture_,
                                  is_idle && !plan_.searching() && !sampled_.working());
    }
    show_error(sampled_.take_problem());
    const bool in_background = runner_.busy() || (comparison_ && comparison_->busy());
    if (in_background || landscape_.running() || plan_.searching()) clock.discard_sample();
  } catch (const DeviceFault&) {
    throw;
  } catch (const MachineError& error) {
    message_ = Message::error(error.what());
  } catch (const std::bad_alloc&) {
    message_ = Message::error("out of memory for the picture");
  }
  cursor_.look(hovered_pixel(), view(), picture_, runner_);
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
  if (runner_.is_refused() && displayed_picture_ && displayed_picture_->size == picture_)
    history_.replace_present(displayed_picture_->view);
  show_error(runner_.problem());
  runner_.clear_problem();
  runner_.add_times(clock, Stage::kStep);
  if (comparison_) comparison_->add_times(clock);
  clock.lap(Stage::kOther);
}

// Returns whether the picture of the request is complete. With a comparison, all methods first compute a
// coarse picture, and never two at the same time.
bool MandelbrotWorkspace::compute_active(const DwellRequest& request, TaskTimeout timeout) {
  const bool current = runner_.has_picture() && request.same_picture(runner_.request());
  const bool whole = current && runner_.divisor() == 1;
  if (comparison_ && !runner_.busy() && (comparison_->busy() || (current && comparison_->is_behind(request))))
    return whole;
  if (whole && !runner_.busy() && !new_picture_) run_background_work(timeout);
  if (!runner_.advance(request, timeout)) return whole;
  new_picture_ = true;
  cursor_.picture_changed();
  if (runner_.counted_anew()) {
    new_counts_ = true;
    if (comparison_) comparison_->active_changed();
  }
  divergence_.forget();
  divergence_drawn_ = false;
  return whole;
}

// Starts at most one pending task per frame.
void MandelbrotWorkspace::run_background_work(TaskTimeout timeout) {
  if (std::exchange(check_requested_, false)) {
    runner_.check(timeout);
  } else if (std::exchange(exhaustive_timing_requested_, false)) {
    runner_.measure_exhaustive(timeout);
  } else if (std::exchange(recording_requested_, false)) {
    runner_.record_timeline(timeout);
  }
}

MandelbrotWorkspace::ColourInputs MandelbrotWorkspace::required_colours() const {
  return {settings_.dwell_colouring(), presenter_.palette_number()};
}

bool MandelbrotWorkspace::coloured() const {
  return !new_counts_ && applied_colours_ == required_colours();
}

// Updates the colours if the picture, the colouring or the palette has changed.
void MandelbrotWorkspace::colour() {
  if (coloured()) return;
  dwell_colours(presenter_.palette(), settings_.dwell_colouring(), runner_.histogram(), colours_);
  sampled_.recoloured();
  presenter_.set_dwell_colours(colours_.table());
  applied_colours_ = required_colours();
  new_counts_ = false;
}

void MandelbrotWorkspace::show(FrameClock& clock, ImDrawList& overlay_list) {
  if (area_.empty()) return;
  const Area area = pane_area(settings_.config.method);
  const render::Rect<int> target{to_pixels(area.corner, scale_), picture_};
  if (runner_.has_picture()) colour();
  clock.lap(Stage::kResolve);
  if (new_picture_ && !runner_.busy()) {
    presenter_.transfer(runner_.image(presenter_.preferred_space()));
    if (const auto copied = presenter_.take_copy_milliseconds())
      clock.add_concurrent(Stage::kGpuTransfer, *copied);
    new_picture_ = false;
    displayed_picture_ = {runner_.request().view, runner_.request().picture};
  }
  clock.lap(Stage::kTransfer);
  draw_timer_.begin();
  if (displayed_picture_ && sampled_.samples_per_axis() == 1) {
    const render::Rect<int> place = picture_rect();
    presenter_.draw_dwells(target, {target.corner + place.corner, place.size},
                           degrees_between({view(), picture_}, *displayed_picture_));
  }
  sampled_.draw(presenter_.framebuffer(), target);
  draw_other_panes();
  if (const render::Rect<int> inset = julia_inset(); !inset.empty()) {
    julia_.update(inset_set(), inset.size, services_.backend, services_.waits);
    show_error(julia_.take_problem());
    julia_.draw(presenter_.framebuffer(), {target.corner + inset.corner, inset.size}, presenter_.palette());
  }
  draw_timer_.end();
  const auto gpu = draw_timer_.take();
  if (gpu && !draw_timer_.waits()) clock.add_concurrent(Stage::kGpuPicture, *gpu);
  clock.lap(Stage::kDraw);
  overlays(overlay_list);
}

// While a new picture is computed, the last one is drawn at the position of its points in the current view.
// If none of them is visible, it fills the whole area.
render::Rect<int> MandelbrotWorkspace::picture_rect() const {
  const render::Rect<int> whole{{}, picture_};
  return displayed_picture_ ? place_in({view(), picture_}, *displayed_picture_).value_or(whole) : whole;
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
  const render::Rect<int> place = picture_rect();
  const Area marked = on_screen(place);
  const float marks_scale = scale *
                            static_cast<float>(displayed_picture_ ? displayed_picture_->size.x : picture_.x) /
                            static_cast<float>(place.size.x);
  if (settings.overlay == RegionOverlay::kDivergence) {
    measure_divergence();
    if (!divergence_.counts()) divergence_drawn_ = false;
    if (divergence_.counts() && !std::exchange(divergence_drawn_, true))
      upload_divergence(*divergence_.counts(), divergence_texture_);
  }
  if (settings.overlay == RegionOverlay::kLevels || settings.overlay == RegionOverlay::kQuantities) {
    marks_.request(runner_.regions(), runner_.regions_number(),
                   {.overlay = settings.overlay, .up_to = levels_.shown(), .scale = scale});
  } else {
    marks_.forget();
  }
  // Overlays of the picture are not turned with it while another one is computed.
  const bool is_turning = displayed_picture_ && degrees_between({view(), picture_}, *displayed_picture_) != 0;
  if (settings.overlay != RegionOverlay::kOff && !is_turning) {
    // Clip the overlay around the Julia set inset, which is already drawn.
    const auto draw_in = [&](glm::vec2 low, glm::vec2 high) {
      list.PushClipRect(low, high, true);
      if (settings.overlay == RegionOverlay::kDevices) {
        draw_devices(list, marked, marks_scale * static_cast<float>(std::max(runner_.divisor(), 1)),
                     runner_.parts());
      } else if (settings.overlay != RegionOverlay::kDivergence) {
        draw_marks(list, marked, marks_scale, marks_.marks());
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
    level_marks_.request(runner_.regions(), runner_.regions_number(),
                         {.only = timeline_.level(), .scale = scale});
    draw_marks(list, marked, marks_scale, level_marks_.marks());
    draw_text_line(list, area, unmarked_reason(runner_.regions(), *timeline_.level()));
  } else {
    level_marks_.forget();
  }
  if (const auto& check = runner_.checked(); check && !is_turning)
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

// An overlay of regions has something to see where all pixels have one colour.
Text MandelbrotWorkspace::nothing_to_see() const {
  if (is_outside(view(), picture_)) return "Nothing here: the set is outside this view";
  const bool is_current = runner_.has_picture() && runner_.divisor() == 1 && !runner_.busy() &&
                          !new_picture_ && runner_.request().view == view();
  if (!is_current || settings_.overlay != RegionOverlay::kOff) return {};
  const ScaledHistogram& histogram = runner_.histogram();
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
  const bool whole = runner_.has_picture() && runner_.divisor() == 1 && !runner_.busy() && !new_picture_;
  if (whole)
    divergence_.request(runner_.engine(), runner_.request().config, runner_.image_size(), runner_.regions());
  divergence_.poll(services_.waits);
}

}  // namespace loom::app
