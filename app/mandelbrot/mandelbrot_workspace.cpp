#include "app/mandelbrot/mandelbrot_workspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "app/mandelbrot/panels/cost_model_panel.h"
#include "app/mandelbrot/panels/mandelbrot_caption.h"
#include "app/mandelbrot/panels/mandelbrot_panel.h"
#include "app/mandelbrot/panels/picture_panel.h"
#include "app/mandelbrot/scene/orbit.h"
#include "app/mandelbrot/scene/picture_share.h"
#include "compute/backend/device_list.h"
#include "compute/backend/mandelbrot_factory.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

/// How long a frame waits for work that goes on beside it.
constexpr DwellRunner::Patience kPatience{2};
constexpr std::uint32_t kTourDwell = 512;
/// A picture as large as any driver's texture; a window that claims more shows a part.
constexpr int kMostPixels = 16384;

render::Extent extent_of(const Area& area, float scale) {
  const auto pixels = [&](float length) {
    return std::clamp(static_cast<int>(std::lround(length * scale)), 1, kMostPixels);
  };
  return {pixels(area.width), pixels(area.height)};
}

float font_pixels() {
  return ImGui::GetFontSize() * std::max(ImGui::GetIO().DisplayFramebufferScale.x, 1.0f);
}

}  // namespace

MandelbrotWorkspace::MandelbrotWorkspace(MandelbrotSettings settings, std::optional<ComplexView> view,
                                         const ShellServices& services)
    : services_(services),
      keys_(mandelbrot_shortcuts()),
      settings_(std::move(settings)),
      history_(view ? ViewHistory(*view) : ViewHistory()),
      view_given_(view.has_value()),
      backend_(services.backend),
      presenter_(services.context, services.backend) {
  to_record_ = settings_.show_timeline;
}

void MandelbrotWorkspace::begin(ShellEdit& shell) {
  edit_.emplace(MandelbrotEdit{settings_, {}, shell});
  if (opened_) {
    edit_->settings = opened_->settings;
    if (opened_->view) edit_->commands.go_to = opened_->view;
    if (!opened_->view) shell.view.fit = true;
    opened_.reset();
  }
  // What was asked for since.
  if (requested_) {
    std::exchange(requested_, nullptr)(*edit_);
    if (edit_->commands.go_to) shell.view.fit = false;
  }
  settings_undone_ = !undone_.empty();
  for (const auto& change : undone_) change(*edit_);
  undone_.clear();
}

void MandelbrotWorkspace::record_settings(const MandelbrotSettings& before, const MandelbrotSettings& after) {
  if (before == after || settings_undone_) return;
  const auto put = [this](const MandelbrotSettings& settings) {
    return [this, settings] {
      undone_.emplace_back([settings](MandelbrotEdit& edit) { edit.settings = settings; });
    };
  };
  services_.undo.record({.what = "Mandelbrot settings", .back = put(before), .again = put(after)},
                        services_.undo.action());
}

// A fitted view is fitted again, and not the crop that it would be in a picture of another size.
void MandelbrotWorkspace::record_view(const ViewHistory::Entry& before, const ViewHistory::Entry& after) {
  if (before.view == after.view || settings_undone_) return;
  const auto put = [this](const ViewHistory::Entry& entry) {
    return [this, entry] {
      undone_.emplace_back([entry](MandelbrotEdit& edit) {
        if (entry.fitted) {
          edit.shell.view.fit = true;
        } else {
          edit.commands.go_to = entry.view;
        }
      });
    };
  };
  services_.undo.record({.what = "view", .view = true, .back = put(before), .again = put(after)},
                        services_.undo.action());
}

void MandelbrotWorkspace::controls() {
  const MandelbrotFacts now = facts();
  mandelbrot_panel(panel_, *edit_, now);
  picture_panel(*edit_, now, palette_editor_);
}

Area MandelbrotWorkspace::panels(const Layout& layout) {
  const MandelbrotFacts now = facts();
  Area picture = layout.picture;
  picture.height -= mandelbrot_caption(picture, edit_->settings, now, presenter_.palette());
  if (edit_->settings.show_timeline) {
    const Area strip = timeline_.split(picture);
    timeline_.follow(runner_.recorded());
    timeline_.show(strip, *edit_,
                   {.wish = runner_.wish(),
                    .backend_name = runner_.backend_name(),
                    .recording = to_record_ || runner_.recording()});
  }
  return picture;
}

void MandelbrotWorkspace::dock(const DockRoom& room) {
  const MandelbrotFacts now = facts();
  if (settings_.show_model) cost_model_panel(*edit_, now, presenter_.palette());
  if (room.figures) mandelbrot_timing(*edit_, now, room);
}

void MandelbrotWorkspace::visit(std::size_t stop) {
  const TourStop& tour = built_in_tour()[stop];
  MandelbrotConfig& config = edit_->settings.config;
  const bool room = has_room(tour.view, picture_, Precision::kFloat);
  config.precision = room ? tour.precision : Precision::kDouble;
  config.dwell_limit = tour.dwell_limit.value_or(kTourDwell);
  precision_ = config.precision;
  history_.go(clamped(tour.view, picture_, precision_));
  tour_at_ = stop;
  tour_view_ = view();
}

void MandelbrotWorkspace::update(const Area& area, float scale) {
  area_ = area;
  scale_ = scale;
  if (area.empty()) return;
  MandelbrotEdit& edit = *edit_;
  const render::Extent picture = extent_of(area, scale);
  if (picture != picture_) history_.resize(picture);
  picture_ = picture;
  const ViewHistory::Entry looked_at = history_.entry();

  MandelbrotConfig& config = edit.settings.config;
  if (std::exchange(view_given_, false) && !has_room(view(), picture_, Precision::kFloat)) {
    config.precision = Precision::kDouble;
  }
  const ViewCommands& commands = edit.shell.view;
  const MandelbrotCommands& own = edit.commands;
  if (own.next_precision % 2 != 0) {
    const bool is_float = config.precision == Precision::kFloat;
    if (is_float || has_room(view(), picture_, Precision::kFloat)) {
      config.precision = is_float ? Precision::kDouble : Precision::kFloat;
    } else {
      message_ = Message::hint("D does nothing: float has too few digits for this depth");
    }
  }
  precision_ = config.precision;

  if (own.put_back) {
    history_ = *own.put_back;
    history_.resize(picture_);  // it may be of another size, or of none yet
  }
  for (int i = 0; i < -own.history; ++i) {
    if (!history_.back()) message_ = Message::hint("There is no previous view");
  }
  for (int i = 0; i < own.history; ++i) {
    if (!history_.forward()) message_ = Message::hint("There is no next view");
  }
  if (own.tour != 0) {
    const auto stops = static_cast<int>(built_in_tour().size());
    const int from = tour_at_ ? static_cast<int>(*tour_at_) : own.tour > 0 ? -1 : 0;
    visit(static_cast<std::size_t>(((from + own.tour) % stops + stops) % stops));
  }
  if (own.tour_stop) visit(*own.tour_stop);
  if (own.go_to) history_.go(clamped(*own.go_to, picture_, precision_));
  if (own.flip_automatic) edit.settings.automatic = !automatic();
  if (own.apply_cut) {
    config.g = own.apply_cut->g;
    config.r = own.apply_cut->r;
    config.b = own.apply_cut->b;
    edit.settings.automatic = false;
  }
  if (own.forget_times) runner_.forget_times();
  if (commands.fit) history_.fit(picture_);
  const double width = picture_.width;
  const double height = picture_.height;
  if (commands.zoom != 0) {
    history_.go(
        zoomed(view(), picture_, width / 2, height / 2, std::pow(kZoomStep, commands.zoom), precision_));
  }
  if (commands.pan_x != 0 || commands.pan_y != 0) {
    history_.go(panned(view(), picture_, -commands.pan_x * kPanStep * width,
                       -commands.pan_y * kPanStep * height, precision_));
  }
  if (commands.arm_box_zoom) mouse_.arm_box_zoom();
  if (edit.shell.commands.dismiss) mouse_.cancel();
  mouse_.update(area, scale, picture_, precision_, history_);
  // A view of the history may have had room in another arithmetic, or in a smaller picture.
  if (!has_room(view(), picture_, precision_)) {
    if (has_room(view(), picture_, Precision::kDouble)) {
      config.precision = precision_ = Precision::kDouble;
    } else {
      history_.go(clamped(view(), picture_, precision_), true);
    }
  }

  record_view(looked_at, history_.entry());
  if (palette_editor_.active())
    palette_editor_.show(edit.shell, edit.settings.palette,
                         edit.settings.colouring == Colouring::kHistogram ? nullptr : &edit.settings.cycle);

  if (own.play_levels) levels_.play_or_stop();
  if (own.step_level != 0) levels_.step(own.step_level);
  if (own.all_levels) levels_.show_all();
  const bool steps = own.play_levels || own.step_level != 0;
  if (steps && edit.settings.overlay == RegionOverlay::kOff) {
    edit.settings.overlay = RegionOverlay::kKinds;
  }
  const auto& report = runner_.report();
  levels_.update(ImGui::GetTime(), report ? static_cast<int>(report->levels.size()) : 0);
}

void MandelbrotWorkspace::apply() {
  // It opens with what there is to see.
  const bool opened = edit_->settings.show_timeline && !settings_.show_timeline;
  // What is not there is no choice of the user's that could be undone.
  std::string told = keep_devices_valid(edit_->settings, services_.devices.size(), services_.backend.kind);
  if (!told.empty()) {
    keep_devices_valid(settings_, services_.devices.size(), services_.backend.kind);
    message_ = Message::warning(std::move(told));
  }
  record_settings(settings_, edit_->settings);
  settings_ = edit_->settings;
  commands_ = edit_->commands;
  if (commands_.record_timeline || (opened && !timeline_.view().recorded())) to_record_ = true;
  if (!settings_.show_timeline) to_record_ = false;
  if (commands_.check) to_check_ = true;
  if (commands_.measure_exhaustive) to_time_exhaustive_ = true;
  presenter_.set_palette(palette_or_first(edit_->shell.settings.own_palettes, settings_.palette));
  if (edit_->shell.commands.cancel) cancel();
}

void MandelbrotWorkspace::cancel() {
  to_check_ = to_time_exhaustive_ = to_record_ = false;
  runner_.cancel();
  sampled_.cancel();
  if (landscape_.running()) landscape_.stop();
  plan_.cancel();
}

bool MandelbrotWorkspace::moves() const {
  return settings_.measure || levels_.playing() || plan_.searching();
}

void MandelbrotWorkspace::finish() {
  landscape_.poll(DwellRunner::kForever);
  plan_.poll(DwellRunner::kForever);
}

bool MandelbrotWorkspace::automatic() const {
  return settings_.automatic.value_or(services_.backend.kind == BackendKind::kCuda);
}

// Where regions are to be seen there are to be some.
AutomaticPlan::For MandelbrotWorkspace::wanted_plan() const {
  return {.config = settings_.config,
          .view = mandelbrot_view(view(), picture_),
          .backend = {backend_.kind, backend_.device, {}, backend_.others},
          .may_be_exhaustive = !needs_regions(settings_.overlay) && !settings_.show_timeline};
}

// Searched while nothing else runs: a search disturbs what is timed, and is disturbed.
void MandelbrotWorkspace::choose_plan(bool rests) {
  if (!automatic()) {
    plan_.cancel();
    plan_.poll(DwellRunner::Patience{0});
    return;
  }
  const AutomaticPlan::For wanted = wanted_plan();
  if (rests || plan_.searching()) plan_.want(wanted);
  plan_.poll(services_.waits ? DwellRunner::kForever : DwellRunner::Patience{0});
  if (const AutomaticPlan::Found* found = plan_.found_for(wanted)) {
    settings_.config = with_plan(settings_.config, found->plan);
  }
}

void MandelbrotWorkspace::share_out() {
  const std::size_t count = settings_.devices;
  if (is_shared_out(backend_, services_.backend, services_.devices, count)) return;
  backend_ = shared_out(services_.backend, services_.devices, count);
}

void MandelbrotWorkspace::compute(FrameClock& clock) {
  const auto patience = services_.waits ? DwellRunner::kForever : kPatience;
  if (picture_ == render::Extent{1, 1}) return;  // not laid out yet
  try {
    share_out();
    runner_.use_backend(backend_);
    presenter_.use_backend(runner_.backend());  // the old one's, while work on that has not ended
    // The fastest, without copying rows across the real axis: every region is to be seen, and a view that
    // happens to lie on the axis is not to be timed differently.
    settings_.config.ideas = fastest_ideas(services_.backend.kind);
    settings_.config.ideas.mirror = false;
    // A plan is searched for while nothing else runs: what is computed in every frame is what was found.
    const bool finds_plan = plan_.searching() || (automatic() && plan_.is_due(wanted_plan()));
    const DwellWish wish{.config = settings_.config,
                         .view = view(),
                         .picture = picture_,
                         .every_frame = settings_.measure && !landscape_.running() && !finds_plan,
                         .regions = needs_regions(settings_.overlay) || settings_.show_timeline,
                         .smooth = settings_.colouring == Colouring::kSmooth};
    // Between the picture's own runs, once it stands whole.
    const bool whole = runner_.has_picture() && runner_.divisor() == 1 && wish.same_picture(runner_.wish());
    if (whole && !runner_.busy() && !new_picture_) work_between(patience);
    if (runner_.advance(wish, patience)) {
      new_picture_ = true;
      cursor_.picture_changed();
      if (runner_.counted_anew()) new_counts_ = true;
      waits_.forget();
      waits_drawn_ = false;
      if (!runner_.worked_beside()) {
        clock.part(Stage::kStep, runner_.last_ms());
        if (runner_.counted_anew())
          clock.part(Stage::kResolve, runner_.histogram_ms() + runner_.smooth_ms().value_or(0));
      }
    }
    if (!runner_.fallen_back().empty() && settings_.config.method == MandelbrotMethod::kDp) {
      set_method(settings_.config, MandelbrotMethod::kAsk);
    }
    if (commands_.measure_landscape) {
      if (landscape_.running()) {
        landscape_.stop();
      } else {
        landscape_.start(settings_.config, view(), picture_, backend_);
        landscape_of_ = view();
      }
    }
    landscape_.poll(DwellRunner::Patience{0});
    const bool rests = whole && runner_.rests() && !new_picture_ && !landscape_.running();
    choose_plan(rests);
    sampled_.follow(
        {.runner = runner_,
         .settings = settings_,
         .view = view(),
         .picture = picture_,
         .backend = services_.backend,
         .colours = coloured() ? std::span<const render::Rgb>(colours_) : std::span<const render::Rgb>(),
         .may_begin = rests && !plan_.searching(),
         .waits = services_.waits});
    if (std::string problem = sampled_.take_problem(); !problem.empty())
      message_ = Message::error(std::move(problem));
    if (runner_.busy() || landscape_.running() || plan_.searching()) clock.leave_out();
  } catch (const DeviceFault&) {
    throw;
  } catch (const MachineError& error) {
    message_ = Message::error(error.what());
  } catch (const std::bad_alloc&) {
    message_ = Message::error("out of memory for the picture");
  }
  cursor_.look(mouse_.pixel(), view(), picture_, runner_);
  if (!runner_.problem().empty()) message_ = Message::error(runner_.problem());
  runner_.forget_problem();
  clock.lap(Stage::kOther);
}

// One thing a frame, of what was asked for.
void MandelbrotWorkspace::work_between(DwellRunner::Patience patience) {
  if (std::exchange(to_check_, false)) {
    runner_.check(patience);
  } else if (std::exchange(to_time_exhaustive_, false)) {
    runner_.measure_exhaustive(patience);
  } else if (std::exchange(to_record_, false)) {
    runner_.record_timeline(patience);
  }
}

MandelbrotWorkspace::Coloured MandelbrotWorkspace::wanted_colours() const {
  return {settings_.dwell_colouring(), presenter_.palette_number()};
}

bool MandelbrotWorkspace::coloured() const {
  return !new_counts_ && coloured_ == wanted_colours();
}

// The colours depend on the picture, on how dwells become colours, and on the palette.
void MandelbrotWorkspace::colour() {
  if (coloured()) return;
  dwell_colours(presenter_.palette(), settings_.dwell_colouring(), runner_.histogram(),
                runner_.wish().config.dwell_limit, colours_);
  sampled_.recoloured();
  presenter_.set_dwell_colours(colours_);
  coloured_ = wanted_colours();
  new_counts_ = false;
}

void MandelbrotWorkspace::show(FrameClock& clock) {
  const auto pixels = [&](float length) { return static_cast<int>(std::lround(length * scale_)); };
  const render::Rect target{pixels(area_.x), pixels(area_.y), picture_.width, picture_.height};
  if (area_.empty()) return;
  if (runner_.has_picture()) colour();
  clock.lap(Stage::kResolve);
  if (new_picture_ && !runner_.busy()) {
    presenter_.transfer(runner_.image(presenter_.wanted_space()));
    if (const auto copied = presenter_.take_copy_milliseconds()) clock.beside(Stage::kGpuTransfer, *copied);
    new_picture_ = false;
    pictured_ = {runner_.wish().view, runner_.wish().picture};
  }
  clock.lap(Stage::kTransfer);
  draw_timer_.begin();
  if (pictured_) {
    const render::Rect place = place_of_picture();
    presenter_.draw_dwells(target, {target.x + place.x, target.y + place.y, place.width, place.height});
  }
  sampled_.draw(presenter_.framebuffer(), target);
  if (const render::Rect inset = julia_inset(); inset.width > 0) {
    julia_.update(cursor_.last(), {inset.width, inset.height}, services_.backend, services_.waits);
    if (std::string problem = julia_.take_problem(); !problem.empty())
      message_ = Message::error(std::move(problem));
    julia_.draw(presenter_.framebuffer(), {target.x + inset.x, target.y + inset.y, inset.width, inset.height},
                presenter_.palette());
  }
  draw_timer_.end();
  const auto gpu = draw_timer_.take();
  if (gpu && !draw_timer_.waits()) clock.beside(Stage::kGpuPicture, *gpu);
  clock.lap(Stage::kDraw);
}

// Until there is a picture of the view, the last one stands where its points are now; where it has none to
// show, all over the place.
render::Rect MandelbrotWorkspace::place_of_picture() const {
  const render::Rect whole{0, 0, picture_.width, picture_.height};
  return pictured_ ? place_in({view(), picture_}, *pictured_).value_or(whole) : whole;
}

render::Rect MandelbrotWorkspace::julia_inset() const {
  if (!settings_.julia || no_inset_) return {};
  return JuliaInset::place_in(picture_, font_pixels());
}

}  // namespace loom::app
