// The picture of the Mandelbrot workspace: what computes it, its colours, and what draws it.

#include <algorithm>
#include <new>
#include <utility>

#include "app/workspaces/mandelbrot/mandelbrot_workspace.h"
#include "compute/core/error.h"
#include "compute/device/device.h"

namespace loom::app {

void MandelbrotWorkspace::choose_devices() {
  const std::size_t count = settings_.devices;
  if (is_distributed_over(backend_, services_.backend, services_.devices, count)) return;
  backend_ = distribute_over(services_.backend, services_.devices, count);
}

void MandelbrotWorkspace::compute(FrameClock& clock) {
  const auto timeout = services_.waits ? kNoTimeout : kFrameWait;
  if (picture_ == glm::ivec2{1, 1}) return;  // no layout yet
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

void MandelbrotWorkspace::show(FrameClock& clock) {
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
  if (displayed_picture_) {
    const render::Rect<int> place = picture_rect();
    presenter_.draw_dwells(target, {target.corner + place.corner, place.size});
  }
  sampled_.draw(presenter_.framebuffer(), target);
  draw_other_panes();
  if (const render::Rect<int> inset = julia_inset(); !inset.empty()) {
    julia_.update(cursor_.last(), inset.size, services_.backend, services_.waits);
    show_error(julia_.take_problem());
    julia_.draw(presenter_.framebuffer(), {target.corner + inset.corner, inset.size}, presenter_.palette());
  }
  draw_timer_.end();
  const auto gpu = draw_timer_.take();
  if (gpu && !draw_timer_.waits()) clock.add_concurrent(Stage::kGpuPicture, *gpu);
  clock.lap(Stage::kDraw);
}

// While a new picture is computed, the last one is drawn at the position of its points in the current view.
// If none of them is visible, it fills the whole area.
render::Rect<int> MandelbrotWorkspace::picture_rect() const {
  const render::Rect<int> whole{{}, picture_};
  return displayed_picture_ ? place_in({view(), picture_}, *displayed_picture_).value_or(whole) : whole;
}

render::Rect<int> MandelbrotWorkspace::julia_inset() const {
  // Its computation would disturb the times that are compared.
  if (!settings_.julia || inset_hidden_ || comparison_) return {};
  const float font_pixels = ImGui::GetFontSize() * std::max(ImGui::GetIO().DisplayFramebufferScale.x, 1.0f);
  return JuliaInset::place_in(picture_, font_pixels);
}

}  // namespace loom::app
