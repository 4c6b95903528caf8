#include "app/workspaces/mandelbrot/mandelbrot_workspace.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>

#include "app/text/format.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/input_text.h"
#include "compute/device/device.h"

namespace loom::app {
namespace {

WorkspaceInfo mandelbrot_info() {
  return {.id = MandelbrotState::kId,
          .label = "Mandelbrot",
          .hint = "The Mandelbrot set by subdivision",
          .gestures = mandelbrot_gestures(),
          .coordinates = {
              .label = "re, im, width",
              .hint = "Centre, width and angle of the view. Enter goes there",
              .paste_hint = "Pastes re, im, width, re + im i, width, or a position of XaoS (.xpf), Kalles "
                            "Fraktaler (.kfr), Fraktaler-3 or Fractint (center-mag). These files can also be "
                            "dropped on the window",
              .save_hint = "Saves the position for Kalles Fraktaler (.kfr) or XaoS (.xpf)"}};
}

}  // namespace

MandelbrotWorkspace::MandelbrotWorkspace(MandelbrotSettings settings, std::optional<ComplexView> view,
                                         const ShellServices& services)
    : Workspace(mandelbrot_info(), services),
      keys_(mandelbrot_shortcuts()),
      settings_(std::move(settings)),
      edits_(services.undo),
      history_(view ? ViewHistory(*view) : ViewHistory()),
      backend_(services.backend),
      pane_(services),
      volume_(services) {
  recording_requested_ = settings_.show_timeline;
  volume_.set_camera(settings_.volume.camera);
}

void MandelbrotWorkspace::begin(ShellEdit& shell) {
  edit_.emplace(MandelbrotEdit{settings_, {}, shell});
  if (const auto restored = edits_.take_restored()) {
    edit_->settings = restored->settings;
    volume_.set_camera(restored->settings.volume.camera);
    edit_->commands.put_back = restored->history;
    if (!restored->history) {
      edit_->commands.go_to = restored->view;
      if (!restored->view) shell.view.fit = true;
    }
  }
  settings_undone_ = edits_.apply(*edit_);
  if (edit_->commands.go_to) shell.view.fit = false;
}

void MandelbrotWorkspace::record_settings(const MandelbrotSettings& before, const MandelbrotSettings& after) {
  const std::string_view what = changed_setting(before, after);
  if (what.empty() || settings_undone_) return;
  const auto put = [](const MandelbrotSettings& settings) {
    return [settings](MandelbrotEdit& edit) { edit.settings = settings; };
  };
  edits_.record({.what = std::string(what)}, put(before), put(after));
}

// Undo and redo fit a fitted view again instead of restoring its coordinates, because the picture may have
// another size.
void MandelbrotWorkspace::record_view(const ViewHistory::Entry& before, const ViewHistory::Entry& after) {
  if (before.view == after.view || settings_undone_) return;
  const auto put = [](const ViewHistory::Entry& entry) {
    return [entry](MandelbrotEdit& edit) {
      edit.shell.view.fit = entry.fitted;
      edit.commands.go_to.reset();
      if (!entry.fitted) edit.commands.go_to = entry.view;
    };
  };
  edits_.record({.what = "view", .view = true}, put(before), put(after));
}

void MandelbrotWorkspace::controls() {
  const MandelbrotStats now = stats();
  mandelbrot_basics(panel_, *edit_, now);
  mandelbrot_method(panel_, *edit_, now);
  mandelbrot_workload(*edit_, now);
  mandelbrot_view(panel_, *edit_, now, palette_editor_);
}

Area MandelbrotWorkspace::panels(const Layout& layout) {
  const MandelbrotStats now = stats();
  Area picture = layout.picture;
  picture.size.y -= mandelbrot_caption(picture, edit_->settings, now, layout.lecture);
  panes_.clear();
  if (edit_->settings.show_timeline && !in_space()) {
    const Area strip = timeline_.split(picture);
    timeline_.follow(pane_.runner().recorded());
    timeline_.show(strip, *edit_,
                   {.request = pane_.runner().request(),
                    .backend_name = pane_.runner().backend_name(),
                    .recording = recording_requested_ || pane_.runner().recording()});
  }
  formula_.update(edit_->settings);
  if (edit_->commands.focus_formula || edit_->shell.commands.focus_editor) formula_.focus();
  if (Message one = formula_.take_message(); !one.empty()) message_ = std::move(one);
  if (edit_->settings.show_formula) {
    constexpr float kShare = 0.45f;
    Area editor = picture;
    editor.size.x = std::floor(picture.size.x * kShare);
    picture.corner.x += editor.size.x;
    picture.size.x -= editor.size.x;
    formula_.show(editor, edit_->settings, stepped_pixels());
  }
  if (!edit_->settings.compare || (!comparison_ && !in_space())) return picture;
  layout_comparison(picture, ImGui::GetFontSize(), panes_);
  const MethodScores scores = in_space() ? volume_.scores() : comparison_->scores(pane_.runner());
  comparison_headers(*edit_, scores, services_.backend.device, panes_);
  comparison_scores(scores, services_.backend.device, panes_);
  return pane_area(edit_->settings.config.method);
}

// To the right of the point under the cursor.
std::array<glm::dvec2, 32> MandelbrotWorkspace::stepped_pixels() const {
  std::array<glm::dvec2, 32> points;
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] =
        cursor_.last() + turned({static_cast<double>(i) * view().width / picture_.x, 0}, view().angle);
  }
  return points;
}

void MandelbrotWorkspace::dock(const DockSpace& room) {
  const MandelbrotStats now = stats();
  if (room.details && dock_section("Cost model", edit_->settings.show_model, room))
    cost_model_panel(cost_model_panel_, *edit_, now);
  if (!room.metrics) return;
  if ((comparison_ || (in_space() && edit_->settings.compare)) && !has_score_room(panes_)) {
    comparison_section(in_space() ? volume_.scores() : comparison_->scores(pane_.runner()),
                       services_.backend.device);
  }
  if (dock_section("Metrics", edit_->shell.settings.show_timing, room)) mandelbrot_metrics(*edit_, now);
}

void MandelbrotWorkspace::go_to_tour_stop(std::size_t stop) {
  const TourStop& tour = built_in_tour()[stop];
  MandelbrotConfig& config = edit_->settings.config;
  config.set = {};
  if (config.precision != Precision::kAuto) config.precision = tour.precision;
  edit_->settings.dwell_by_depth = !tour.dwell_limit;
  if (tour.dwell_limit) config.dwell_limit = *tour.dwell_limit;
  go_to(tour.view);
  tour_index_ = stop;
  tour_view_ = view();
  tour_arrived_ = ImGui::GetTime();
  if (tour_plays_)
    message_ = Message::success(fmt::format("{}. {}{} Esc or Space pauses", stop + 1, tour.name,
                                            tour.note.empty() ? "." : ": " + tour.note));
}

// From a stop, or from the first one, to the next a while after its picture is complete. Another view pauses.
void MandelbrotWorkspace::play_tour() {
  constexpr double kStay = 5;  // seconds
  const bool at_stop = tour_index_ && view() == tour_view_;
  const std::size_t stops = built_in_tour().size();
  if (edit_->commands.play_tour) {
    tour_plays_ = !tour_plays_;
    if (tour_plays_ && (!at_stop || *tour_index_ + 1 == stops)) return go_to_tour_stop(0);
    tour_arrived_ = ImGui::GetTime();
  }
  if (!tour_plays_) return;
  tour_plays_ = at_stop;
  if (!is_complete()) tour_arrived_ = ImGui::GetTime();
  if (ImGui::GetTime() - tour_arrived_ < kStay) return;
  if (at_stop && *tour_index_ + 1 < stops) return go_to_tour_stop(*tour_index_ + 1);
  tour_plays_ = false;
}

// A precision that cannot show the view becomes automatic.
void MandelbrotWorkspace::go_to(const ComplexView& view) {
  MandelbrotConfig& config = edit_->settings.config;
  if (!fits_precision(view, picture_, config.precision)) config.precision = Precision::kAuto;
  precision_ = limiting_precision(config);
  history_.go(clamped(view, picture_, precision_));
}

CommandSource MandelbrotWorkspace::commands() {
  CommandSource source = keys_.source(edit_ ? &*edit_ : nullptr);
  source.press = [this](const KeyPress& pressed) { return press(pressed); };
  return source;
}

// Changes the set by the command and the mouse. Another formula is shown whole, and so is a Julia set;
// leaving it restores the view of the parameter plane.
void MandelbrotWorkspace::update_set(MandelbrotEdit& edit) {
  EscapeTimeSet& set = edit.settings.config.set;
  const bool opens_point = mouse_.clicked() == ImGuiMouseButton_Right;
  const glm::dvec2 point = cursor_.last();
  if (edit.shell.commands.dismiss || set.julia) julia_pinned_ = false;
  if (mouse_.clicked() == ImGuiMouseButton_Left && !julia_inset().empty() && !set.julia &&
      std::hypot(point.x, point.y) <= 2) {
    julia_pinned_ = true;
    julia_point_ = {point.x, point.y};
  }
  if (edit.commands.toggle_julia || mouse_.inset_clicked() || opens_point) {
    if (set.julia) {
      set.julia.reset();
    } else if (mouse_.inset_clicked() || (!opens_point && (julia_pinned_ || !cursor_.hovered()))) {
      set.julia = julia_point_;
    } else if (std::hypot(point.x, point.y) <= 2) {
      set.julia = JuliaPoint{point.x, point.y};
    } else {
      message_ = Message::hint("Points at a distance above 2 from 0 have no Julia set here");
    }
  }
  if (const auto& at = mouse_.inset_drag(); at && set.julia) {
    const render::Rect<int> inset = julia_inset();
    glm::dvec2 c =
        point_at(JuliaInset::view_of(inset_set(), inset.size), inset.size, *at - glm::dvec2(inset.corner));
    if (const double length = std::hypot(c.x, c.y); length > 2) c *= 2 / length * (1 - 1e-9);
    set.julia = JuliaPoint{c.x, c.y};
  }
  if (!set.perturbs() && is_perturbed(edit.settings.config.precision))
    edit.settings.config.precision = Precision::kAuto;
  const EscapeTimeSet& old = settings_.config.set;
  const bool same_formula = set.formula == old.formula && set.power == old.power;
  if (same_formula && set.julia.has_value() == old.julia.has_value()) return;
  const auto plane_view = std::exchange(plane_view_, std::nullopt);
  if (set.julia && same_formula) plane_view_ = history_.entry();
  history_.keep_fitted();
  if (edit.commands.go_to || edit.commands.put_back || edit.shell.view.fit) return;
  if (plane_view && same_formula && !plane_view->fitted) {
    history_.go(plane_view->view);
  } else {
    history_.fit(picture_, set);
  }
}

// Any key stops the autopilot; its own key does nothing else then.
bool MandelbrotWorkspace::press(const KeyPress& press) {
  const bool stops = autopilot_.running();
  stop_autopilot("a key was pressed");
  const bool pauses = !press.ctrl && (press.key == GLFW_KEY_ESCAPE || press.key == GLFW_KEY_SPACE);
  if (pauses && std::exchange(tour_plays_, false)) {
    message_ = Message::success("The tour pauses. Play continues it");
    return true;
  }
  if (formula_.press(press, edit_->settings)) return true;
  const bool used = keys_.press(press, *edit_);
  if (stops) edit_->commands.toggle_autopilot = false;
  return used || stops;
}

void MandelbrotWorkspace::update(const Area& area, float scale) {
  area_ = area;
  scale_ = scale;
  if (area.empty()) return;
  MandelbrotEdit& edit = *edit_;
  const glm::ivec2 picture = glm::clamp(to_pixels(area.size, scale), 1, kMaxPixels);
  if (picture != picture_) history_.resize(picture, settings_.config.set);
  picture_ = picture;
  if (edit.settings.volume.shown) {
    volume_.update(edit, area, scale, panes_);
    if (palette_editor_.active()) palette_editor_.show(edit.shell, edit.settings.palette, nullptr);
    volume_legend(legend_, area_, edit.settings, stats(), pane_.presenter().palette());
    return;
  }
  const ViewHistory::Entry looked_at = history_.entry();
  nothing_button_ = {};
  const Text nothing = nothing_to_see();
  if (nothing.empty() && is_complete() && seen_ != view()) seen_ = view();
  if (!nothing.empty()) {
    // A view that the wheel passed was replaced in its step by this one: then it is the step before.
    const std::size_t least = history_.views_behind() > 0 ? 1 : 0;
    nothing_button_ =
        nothing_here(area, nothing, edit, seen_ ? std::max(history_.steps_back_to(*seen_), least) : 0);
  } else if (is_outdated() && !pane_.runner().is_refused()) {
    nothing_button_ = incomplete_here(area, edit);
  }
  update_set(edit);

  MandelbrotConfig& config = edit.settings.config;
  const ViewCommands& commands = edit.shell.view;
  const MandelbrotCommands& own = edit.commands;
  for (int i = 0; i < own.next_precision; ++i) {
    do config.precision = next_choice(kPrecisions, config.precision);
    while (!fits_precision(view(), picture_, config.precision) ||
           (is_perturbed(config.precision) && !config.set.perturbs()));
  }
  precision_ = limiting_precision(config);

  if (own.put_back) {
    history_ = *own.put_back;
    history_.resize(picture_,
                    config.set);  // the history may belong to a picture of another size, or to none yet
  }
  for (int i = 0; i < -own.history; ++i) {
    if (!history_.back()) message_ = Message::hint("There is no previous view");
  }
  for (int i = 0; i < own.history; ++i) {
    if (!history_.forward()) message_ = Message::hint("There is no next view");
  }
  if (own.tour != 0) {
    const auto stops = static_cast<int>(built_in_tour().size());
    const int from = tour_index_ ? static_cast<int>(*tour_index_) : own.tour > 0 ? -1 : 0;
    go_to_tour_stop(static_cast<std::size_t>(((from + own.tour) % stops + stops) % stops));
  }
  if (own.tour_stop) go_to_tour_stop(*own.tour_stop);
  play_tour();
  if (own.go_to) go_to(own.go_to->fitted_to_aspect(static_cast<double>(picture_.x) / picture_.y, view()));
  if (own.toggle_automatic) edit.settings.automatic = !automatic();
  if (own.apply_cut) {
    config.g = own.apply_cut->g;
    config.r = own.apply_cut->r;
    config.b = own.apply_cut->b;
    edit.settings.automatic = false;
  }
  if (own.clear_times) pane_.runner().clear_times();
  if (commands.fit) history_.fit(picture_, config.set);
  move_cursor();
  const glm::dvec2 size(picture_);
  if (commands.zoom != 0) {
    const glm::dvec2 fixed = key_cursor_.shown() ? *hovered_pixel() : size / 2.0;
    history_.go(zoomed(view(), picture_, fixed, std::pow(kZoomStep, commands.zoom), precision_));
  }
  if (own.turn != 0) history_.go(turned(view(), own.turn));
  if (const glm::dvec2 part = pan_fraction(commands); part != glm::dvec2(0))
    history_.go(panned(view(), picture_, -part * size, precision_));
  if (commands.arm_box_zoom) mouse_.arm_box_zoom();
  if (edit.shell.commands.dismiss) mouse_.cancel();
  const bool zooms_in = update_mouse(area, scale) || commands.zoom > 0 || autopilot_.running();
  if (zooms_in && is_narrowest(view(), picture_, precision_)) {
    const std::string why = fmt::format("the zoom ends at a width of {}, the smallest one of {} precision{}",
                                        shortened_decimal(decimal_of(view()).width, 3), name_of(precision_),
                                        config.set.perturbs() ? "" : ": " + perturbation_problem(config.set));
    message_ = Message::hint(capitalized(why));
    stop_autopilot(why);
  }
  if (own.toggle_autopilot) {
    const bool stops = autopilot_.running();
    stop_autopilot("it was switched off");
    if (!stops) autopilot_.start();
  }
  constexpr double kLongestFrame = 0.1;  // no jump after a pause
  const double seconds = std::min(static_cast<double>(ImGui::GetIO().DeltaTime), kLongestFrame);
  std::string_view stopped;
  if (const auto next = autopilot_.advance(view(), picture_, pane_.runner(), seconds, precision_, stopped))
    history_.go(*next, std::exchange(autopilot_moved_, true));
  if (!stopped.empty()) show_autopilot_end(stopped);
  if (autopilot_.running() && !autopilot_from_) autopilot_from_ = looked_at;
  // A view from the history may have been created with a higher precision or in a smaller picture.
  if (!fits_precision(view(), picture_, precision_)) {
    config.precision = Precision::kAuto;
    precision_ = limiting_precision(config);
    history_.replace_present(clamped(view(), picture_, precision_));
  }
  if (edit.settings.dwell_by_depth) config.dwell_limit = depth_dwell_limit(view());

  // A flight of the autopilot is one step.
  if (!autopilot_.running()) {
    record_view(autopilot_from_.value_or(looked_at), history_.entry());
    autopilot_from_.reset();
    autopilot_moved_ = false;
  }
  if (palette_editor_.active())
    palette_editor_.show(edit.shell, edit.settings.palette,
                         edit.settings.dwell_colouring().has_cycle() ? &edit.settings.cycle : nullptr);

  if (own.play_levels) levels_.toggle_playing();
  if (own.step_level != 0) levels_.step(own.step_level);
  if (own.all_levels) levels_.show_all();
  const bool steps = own.play_levels || own.step_level != 0;
  if (steps && edit.settings.overlay == RegionOverlay::kOff) {
    edit.settings.overlay = RegionOverlay::kQuantities;
  }
  const auto& report = pane_.runner().report();
  levels_.update(ImGui::GetTime(), report ? static_cast<int>(report->levels.size()) : 0);
  const render::Rect<int> inset = julia_inset();
  mandelbrot_legend(legend_, area_,
                    {area_.corner + glm::vec2(inset.corner) / scale_, glm::vec2(inset.size) / scale_},
                    edit.settings, stats(), pane_.presenter().palette());
}

void MandelbrotWorkspace::apply() {
  // Opening the timeline starts a recording if there is none.
  const bool opened = edit_->settings.show_timeline && !settings_.show_timeline;
  // Clamping to the available devices is not a user action and must not be undoable.
  std::string told = clamp_devices(edit_->settings, services_.devices.size(), services_.backend.device);
  if (!told.empty()) {
    clamp_devices(settings_, services_.devices.size(), services_.backend.device);
    message_ = Message::warning(std::move(told));
  }
  // Nor is a dwell limit that follows the view.
  if (settings_.dwell_by_depth && edit_->settings.dwell_by_depth)
    settings_.config.dwell_limit = edit_->settings.config.dwell_limit;
  record_settings(settings_, edit_->settings);
  settings_ = edit_->settings;
  commands_ = edit_->commands;
  update_comparison();
  if (commands_.record_timeline || (opened && !timeline_.view().recorded())) recording_requested_ = true;
  if (!settings_.show_timeline) recording_requested_ = false;
  if (commands_.paste_view) paste_view();
  if (commands_.compute_again) pane_.runner().try_again();
  if (commands_.check) check_requested_ = true;
  if (commands_.measure_exhaustive) exhaustive_timing_requested_ = true;
  pane_.presenter().set_palette(palette_or_first(edit_->shell.settings.custom_palettes, settings_.palette));
  // Typed numbers that are not valid give way to those of the view.
  if (edit_->shell.view.fit || edit_->shell.commands.dismiss) panel_.place.shown.reset();
  if (edit_->shell.commands.cancel) cancel();
}

void MandelbrotWorkspace::stop_autopilot(std::string_view why) {
  if (!autopilot_.running()) return;
  autopilot_.stop();
  show_autopilot_end(why);
}

void MandelbrotWorkspace::show_autopilot_end(std::string_view why) {
  message_ = Message::success(
      fmt::format("Autopilot stopped at width {}: {}", shortened_decimal(decimal_of(view()).width, 3), why));
}

void MandelbrotWorkspace::cancel() {
  check_requested_ = exhaustive_timing_requested_ = recording_requested_ = false;
  pane_.cancel();
  volume_.cancel();
  if (comparison_) comparison_->cancel();
  if (landscape_.running()) landscape_.stop();
  plan_.cancel();
  minibrot_.cancel();
  stop_autopilot("it was cancelled");
}

void MandelbrotWorkspace::finish() {
  poll_landscape(kNoTimeout);
  plan_.poll(kNoTimeout);
}

bool MandelbrotWorkspace::automatic() const {
  return settings_.automatic.value_or(!services_.backend.device.on_host);
}

// With the fastest optimisations except mirroring at the real axis: every region must be computed to be
// shown, and timings must not depend on whether the view contains the axis.
MandelbrotConfig MandelbrotWorkspace::computed_config() const {
  MandelbrotConfig config = config_for(settings_, view(), picture_);
  if (config.set.formula != Formula::kCustom) config.set.custom = {};  // changes nothing
  config.optimisations = {};
  config.optimisations.mirror = false;
  return config;
}

// With a region overlay or the timeline, excludes the exhaustive method, which has no regions.
AutoTuner::TuningProblem MandelbrotWorkspace::tuning_problem() const {
  const MandelbrotConfig config = computed_config();
  return {.config = config,
          .view = mandelbrot_view(view(), picture_, config.precision),
          .backend = {backend_.device, {}, backend_.others},
          .may_be_exhaustive = !needs_regions(settings_.overlay) && !settings_.show_timeline};
}

// Searches only while nothing else runs, because concurrent work distorts the timings of both.
void MandelbrotWorkspace::search_plan(bool is_idle) {
  if (!automatic()) {
    plan_.cancel();
    plan_.poll(TaskTimeout{0});
    return;
  }
  const AutoTuner::TuningProblem wanted = tuning_problem();
  if (is_idle || plan_.searching()) plan_.request(wanted);
  plan_.poll(services_.waits ? kNoTimeout : TaskTimeout{0});
}

void MandelbrotWorkspace::poll_landscape(TaskTimeout timeout) {
  show_error(landscape_.poll(timeout));
}

// The only place where results change settings: the method that replaces DP, and the plan that was found.
void MandelbrotWorkspace::apply_results() {
  if (!pane_.runner().dp_fallback_reason().empty() && settings_.config.method == MandelbrotMethod::kDp)
    set_method(settings_.config, MandelbrotMethod::kAsk);
  if (!automatic()) return;
  if (const AutoTuner::TuningResult* const found = plan_.result_for(tuning_problem()))
    settings_.config = with_plan(settings_.config, found->plan);
}

// Goes to the minibrot that was found, unless the user has gone elsewhere.
void MandelbrotWorkspace::search_minibrot() {
  if (commands_.find_minibrot && !settings_.config.set.is_mandelbrot()) {
    message_ = Message::hint("Minibrots are found in the Mandelbrot set only");
  } else if (commands_.find_minibrot) {
    minibrot_.start(view(), picture_, computed_config().dwell_limit);
    minibrot_from_ = view();
  }
  if (minibrot_.running() && view() != minibrot_from_) minibrot_.cancel();
  const auto outcome = minibrot_.poll(services_.waits ? kNoTimeout : TaskTimeout{0});
  if (!outcome || outcome->cancelled) return;
  if (!outcome->problem.empty()) {
    message_ = Message::error(outcome->problem);
  } else if (!*outcome->result) {
    message_ = Message::hint(
        fmt::format("There is no minibrot with a period up to {} in this view", minibrot_.max_period()));
  } else if (const Minibrot& found = *minibrot_.found(); log2_width(found.view) > log2_width(view()) + 0.01) {
    message_ = Message::hint(fmt::format(
        "The minibrot of lowest period here (period {}) is wider than the view. Zoom in to find smaller ones",
        found.period));
  } else {
    look_at(found.view, std::nullopt, std::nullopt);
  }
}

}  // namespace loom::app
