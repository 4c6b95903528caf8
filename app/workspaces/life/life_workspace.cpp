#include "app/workspaces/life/life_workspace.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/settings/field_json.h"
#include "app/widgets/control_marks.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

constexpr float kPanesShare = 0.4f;  ///< height of the panes below the custom map

WorkspaceInfo life_info() {
  return {.id = LifeState::kId,
          .label = "Life",
          .hint = "The game of life on fractals",
          .gestures = life_gestures(),
          .coordinates = {.label = "x, y, x2, y2",
                          .hint = "Visible region of the square, in points. Enter goes there",
                          .paste_hint = "Pastes x, y, x2, y2"}};
}

std::optional<NbbFractal> unless_in_catalog(const NbbFractal& fractal) {
  const auto& all = built_in_fractals();
  if (std::find(all.begin(), all.end(), fractal) != all.end()) return std::nullopt;
  return fractal;
}

}  // namespace

LifeWorkspace::LifeWorkspace(LifeSettings settings, const ShellServices& services)
    : Workspace(life_info(), services),
      keys_(life_shortcuts()),
      settings_(std::move(settings)),
      edits_(services.undo),
      custom_fractal_(unless_in_catalog(settings_.config.fractal)),
      run_(settings_, edits_, message_, services) {
  basics_panel_.rule.text = to_string(settings_.rule);
}

void LifeWorkspace::record_settings(const LifeSettings& before, const LifeSettings& after) {
  const std::string_view what = changed_setting(before, after);
  if (what.empty()) return;
  const auto put = [](const LifeSettings& settings) {
    return [kept = std::make_shared<const LifeSettings>(settings)](LifeEdit& edit) {
      edit.settings = with_undone_fields(life_fields(), edit.settings, *kept);
    };
  };
  edits_.record({.what = std::string(what), .modifies_scene = what != "custom map"}, put(before), put(after));
}

void LifeWorkspace::record_code(const LifeSettings& before, const LifeSettings& after) {
  const std::shared_ptr<const MapCode>& old_code = before.map_code;
  const std::shared_ptr<const MapCode>& new_code = after.map_code;
  if (old_code == new_code || old_code == nullptr || new_code == nullptr ||
      (old_code->text == new_code->text && old_code->exercise == new_code->exercise))
    return;
  const auto put = [](const std::shared_ptr<const MapCode>& code) {
    return [code](LifeEdit& edit) { edit.settings.map_code = code; };
  };
  edits_.record({.what = "map code"}, put(old_code), put(new_code));
}

void LifeWorkspace::record_view(const std::optional<render::Camera::View>& before,
                                const std::optional<render::Camera::View>& after) {
  const auto put = [](const std::optional<render::Camera::View>& view) {
    return [view](LifeEdit& edit) { edit.commands.look_at = view; };
  };
  edits_.record({.what = "view", .view = true}, put(before), put(after));
}

void LifeWorkspace::begin(ShellEdit& shell) {
  // The object is kept, so that its members keep their memory.
  if (!edit_ || &edit_->shell != &shell) edit_.emplace(LifeEdit{settings_, {}, shell});
  edit_->settings = settings_;
  edit_->commands = {};
  if (auto restored = edits_.take_restored()) {
    edit_->settings = restored->settings;
    edit_->commands.restore = std::move(restored);
  }
  edit_->commands.undone = edits_.apply(*edit_);
  if (edit_->commands.undone) show_me_.close();
  std::optional<CellEditor::QueriedCells> queried_cells;
  if (auto states = run_.take_queried_cells())
    queried_cells = {.failed = !*states, .states = std::move(*states)};
  editor_.begin(run_.pane->async_engine->config(), queried_cells);
  if (Message one = editor_.take_message(); !one.empty()) message_ = std::move(one);
  code_.update(edit_->settings, run_.pane->async_engine->backend());
  if (Message one = code_.take_message(); !one.empty()) message_ = std::move(one);
  if (show_me_.is_open()) shell.settings.show_panels = true;
  check_colouring();
  highlighted_.reset();
  stats_.emplace(stats());
}

CommandSource LifeWorkspace::commands() {
  CommandSource source = keys_.source(edit_ ? &*edit_ : nullptr);
  source.press = [this](const KeyPress& pressed) { return press(pressed); };
  return source;
}

bool LifeWorkspace::press(const KeyPress& press) {
  if (show_me_.is_open() && press.key == GLFW_KEY_F9) return true;  // it is a panel
  if (show_me_.press(press, edit_->shell)) return true;
  if (code_.press(press, edit_->settings)) return true;
  // What would change the scene behind the animation waits until it is left.
  if (show_me_.is_open() && !press.ctrl && keys_.find(press) != nullptr) return true;
  // Escape first cancels the pattern to be placed, or the selection.
  if (press.key == GLFW_KEY_ESCAPE && editor_.cancel()) return true;
  return keys_.press(press, *edit_);
}

void LifeWorkspace::toolbar_group(std::size_t group, bool brief) {
  if (show_me_.is_open()) return show_me_.toolbar_group(edit_->shell);
  life_toolbar_group(group, brief, toolbar_, *edit_, *stats_, custom_fractal_ ? &*custom_fractal_ : nullptr);
}

void LifeWorkspace::controls() {
  const LifeStats& now = *stats_;
  update_method_choices(method_panel_, edit_->settings.config, now);
  basics_panel(basics_panel_, method_panel_, *edit_, now);
  method_panel(method_panel_, *edit_, now);
  workload_panel(*edit_, now);
  panes_section(*edit_, now);
  view_panel(view_panel_, *edit_, now);
}

// "Show me" has the room of the scene's controls, and its own group of the toolbar.
PanelNeeds LifeWorkspace::panel_needs() const {
  const bool show_me = show_me_.is_open();
  return {.toolbar = show_me ? ShowMePanel::toolbar_groups() : life_toolbar_groups(false),
          .brief_toolbar = show_me ? ShowMePanel::toolbar_groups() : life_toolbar_groups(true),
          .metrics = !covers_controls(),
          .details = covers_controls() ? nullptr : "Thread",
          .details_open = !covers_controls() && (edit_ ? edit_->settings : settings_).show_thread,
          .covers_controls = covers_controls(),
          .covers_strip = show_me,
          .has_editor = settings_.show_code,
          .marked = marked_area(),
          .legend = legend_.area(),
          .messages_at_top = show_me};
}

Area LifeWorkspace::marked_area() const {
  if (!settings_.pinned || covers_controls()) return {};
  const TiledFractal& tiled = run_.pane->space.tiled();
  const glm::dvec2 rho(tiled.rho_x, tiled.rho_y);
  const glm::dvec2 tile = glm::floor(glm::dvec2(settings_.pinned->x, settings_.pinned->y) / rho) * rho;
  const PictureView view = run_.pane->view();
  const glm::vec2 corner = view.screen(tile);
  return {corner, view.screen(tile + rho) - corner};
}

void LifeWorkspace::dock(const DockSpace& room) {
  const LifeStats& now = *stats_;
  if (room.details && dock_section("Thread", edit_->settings.show_thread, room))
    highlighted_ = thread_panel(thread_panel_, *edit_, now, explanation_, thread_path_);
  const bool has_scores = needs_scoreboard_section(run_.secondary_panes, places_);
  if (!room.metrics && has_scores) strips_.begin_frame({});
  if (!room.metrics) return;
  if (has_scores) scoreboard_section(now, run_.secondary_panes, strips_, compared_cell());
  if (const Pane* const shared = pane_with_devices(*run_.pane, run_.secondary_panes))
    devices_panel(devices_panel_, *edit_, *shared);
  const bool compares_maps = std::ranges::any_of(run_.secondary_panes.all(), [&](const auto& one) {
    return one.pane && one.pane->async_engine->config().method.map != now.config.method.map;
  });
  if (dock_section("Metrics", edit_->shell.settings.show_timing, room))
    metrics_panel(energy_, *edit_, now, compares_maps);
}

Area LifeWorkspace::panels(const Layout& layout) {
  Area picture = layout.picture;
  pattern_commands_.browse(picture, *edit_);
  if (covers_controls()) {
    const float left =
        layout.controls.empty() ? picture.corner.x : std::min(layout.controls.corner.x, picture.corner.x);
    const float right = std::max(layout.controls.end().x, picture.end().x);
    Area area{{left, picture.corner.y}, {right - left, picture.size.y}};
    // What the dock sets, which is not shown.
    strips_.begin_frame({});
    highlighted_.reset();
    if (show_me_.is_open()) {
      show_me_.show(area, layout.lecture, edit_->shell);
      return picture;
    }
    if (!covers_panes()) {
      const float below = std::floor(kPanesShare * area.size.y);
      area.size.y -= below;
      picture = {{left, area.end().y}, {area.size.x, below}};
    }
    code_.show(area, edit_->settings, compared_cell());
    return picture;
  }
  if (layout.dock.empty() && needs_scoreboard_section(run_.secondary_panes, places_)) strips_.begin_frame({});
  // Where the dock does not, as in a lecture, the line below the picture explains the thread.
  const bool in_dock =
      !layout.dock.empty() && edit_->shell.settings.side_tab.value_or(SideTab::kDetails) == SideTab::kDetails;
  const bool of_hovered = !hovered_ || (explanation_.point() && hovered_->cell == *explanation_.point());
  const bool explains = settings_.show_thread && !in_dock && of_hovered && explanation_.thread() &&
                        !is_hidden(Control::kLambda);
  const Pane* under = run_.pane.get();
  bool selects = false;
  run_.for_each_pane([&](const Pane& one) {
    if (hovered_ && one.mouse.hovered()) under = &one;
    selects |= one.mouse.gesture() == PictureMouse::Gesture::kSelect;
  });
  const auto place = hovered_ ? under->space.place_at(static_cast<std::int64_t>(hovered_->cell.x),
                                                      static_cast<std::int64_t>(hovered_->cell.y))
                              : std::nullopt;
  picture.size.y -=
      caption(picture, *stats_, under->async_engine->config(), place, run_.pane->probed.value_or(0),
              explains ? explanation_.thread()->sentence : std::string_view(), layout.lecture, caption_);
  // The edit bar appears after the drag that selects, so that the picture does not move during it.
  if (!selects || !edit_bar_.empty())
    picture.size.y -= edit_bar(picture, editor_, *edit_, *stats_, edit_bar_);
  return picture;
}

// Checks the settings only if one that affects the number of devices has changed.
void LifeWorkspace::choose_devices() {
  LifeSettings& wanted = edit_->settings;
  const bool same =
      !first_frame_ && wanted.devices == settings_.devices && wanted.config == settings_.config &&
      wanted.secondary_panes == settings_.secondary_panes && wanted.colouring.by == settings_.colouring.by &&
      services_.devices.size() == known_devices_;
  known_devices_ = services_.devices.size();
  if (same) return;
  std::string told = clamp_devices(wanted, services_.devices.size(), services_.backend.device);
  if (!told.empty()) message_ = Message::warning(std::move(told));
}

// Whether a valid configuration fits into memory is checked when its engine is built.
void LifeWorkspace::check_config() {
  FractalConfig& config = edit_->settings.config;
  if (config == settings_.config) return;
  try {
    validate(config);
  } catch (const InputError& error) {
    message_ = Message::error(error.what());
    config = settings_.config;
  }
  edit_->commands.new_field = !is_same_field(config, settings_.config);
}

void LifeWorkspace::apply() {
  if (edit_->commands.show_me) {
    try {
      show_me_.open(settings_.config.fractal, edit_->commands.from_start);
    } catch (const InputError& error) {
      message_ = Message::hint(error.what());
    }
  }
  if (edit_->commands.focus_code || edit_->shell.commands.focus_editor) code_.focus();
  pattern_commands_.apply(*edit_, editor_, run_.pane->async_engine);
  choose_devices();
  if (std::string told = fit_rule(edit_->settings); !told.empty())
    message_ = Message::warning(std::move(told));
  if (!edit_->commands.undone) follow_tile_size(edit_->settings, settings_);
  check_config();
  follow_exercise();
  const LifeSettings& wanted = edit_->settings;
  const LifeCommands& commands = edit_->commands;
  const ShellEdit& shell = edit_->shell;
  const bool other_steps = wanted.workload != settings_.workload || wanted.reduction != settings_.reduction ||
                           wanted.generations_per_frame != settings_.generations_per_frame;
  if (!commands.undone && !first_frame_) {
    record_settings(settings_, wanted);
    record_code(settings_, wanted);
  }
  first_frame_ = false;
  settings_ = wanted;
  keep_custom_fractal();
  if (commands.problem != nullptr) message_ = Message::hint(commands.problem);
  if (commands.chosen_level) {
    message_ = Message::success(
        fmt::format("Opened {} at level {}, which runs in real time on any machine. Press > for more.",
                    settings_.config.fractal.name(), *commands.chosen_level));
  }
  run_.apply(commands, palette_or_first(shell.settings.custom_palettes, shell.settings.palette),
             other_steps || shell.commands.reset_times);
  if (shell.commands.cancel) cancel();
}

// An exercise that the user leaves gives back the scene from before it, as lessons do. A scene that another
// one replaces meanwhile is not given back: that of a lesson, a file or an undo step.
void LifeWorkspace::follow_exercise() {
  const LifeSettings& wanted = edit_->settings;
  const LifeCommands& commands = edit_->commands;
  const bool is_in = is_in_exercise(wanted);
  if (is_in == is_in_exercise(settings_)) return;
  const auto before = std::exchange(before_exercise_, nullptr);
  if (commands.restart || commands.restore) return;
  if (is_in) {
    before_exercise_ = std::dynamic_pointer_cast<const LifeState>(state(StateNeed::kQuick));
  } else if (before && !commands.undone && wanted.config == settings_.config) {
    auto state = std::make_shared<LifeState>(*before);
    state->settings.show_code = wanted.show_code;
    state->settings.map_code = wanted.map_code;
    if (commands.panes) set_panes(state->settings, *commands.panes);
    restore(std::move(state));
  }
}

// A fractal that is not in the catalogue stays in the list after it was shown.
void LifeWorkspace::keep_custom_fractal() {
  const NbbFractal& fractal = settings_.config.fractal;
  if (custom_fractal_ == fractal) return;
  if (auto own = unless_in_catalog(fractal)) custom_fractal_ = std::move(own);
}

void LifeWorkspace::cancel() {
  code_.cancel();
  if (run_.cancel()) settings_.playing = false;
}

LifeFrameInput LifeWorkspace::frame() const {
  return {.hovered_cell = hovered_ && hovered_->is_cell ? std::optional(hovered_->cell) : std::nullopt,
          .paused = run_.secondary_panes.pauses_scene() || show_me_.is_open() || settings_.show_code,
          .paused_by_edit = editor_.busy()};
}

void LifeWorkspace::compute(FrameClock& clock) {
  apply();
  run_.compute(frame(), clock, [this] {
    if (figure_request_) write_figure();
  });
  clock.lap(Stage::kOther);
  run_.transfer(clock);
}

void LifeWorkspace::figure_dialog() {
  if (edit_->commands.save_figure) save_figure_.open(*edit_->commands.save_figure);
  if (!save_figure_.active()) return;
  const explain::Colouring by = colouring();
  const auto sources =
      figure_sources({*run_.pane, run_.secondary_panes, explanation_, by, settings_.neighbour});
  if (auto request = save_figure_.show(sources)) figure_request_ = std::move(request);
}

void LifeWorkspace::draw_dialog() {
  if (edit_->commands.draw_fractal) draw_.open(edit_->settings.config.fractal);
  if (!draw_.active()) return;
  if (const auto drawn = draw_.show(edit_->settings.square_points, edit_->settings.rule)) use(*drawn, *edit_);
}

void LifeWorkspace::use(const FractalFile& file, LifeEdit& edit) {
  LifeSettings& settings = edit.settings;
  if (file.rule) settings.from_file = file;
  if (file.fractal != settings.config.fractal)
    edit.commands.chosen_level = set_fractal(settings.config, file.fractal);
  if (file.rule) settings.rule = *file.rule;
}

void LifeWorkspace::write_figure() {
  const auto request = std::exchange(figure_request_, std::nullopt);
  const explain::Colouring by = colouring();
  try {
    save_figure_.write(*request,
                       figure_job({*run_.pane, run_.secondary_panes, explanation_, by, settings_.neighbour},
                                  request->source));
  } catch (const InputError& error) {
    save_figure_.show_problem(error.what());
  }
}

WorkspaceStatus LifeWorkspace::status() const {
  const AsyncEngine<LifeEngine>& async_engine = run_.pane->async_engine;
  Progress progress = async_engine.busy() ? async_engine.progress() : run_.secondary_panes.progress();
  if (run_.maps.busy()) progress = run_.maps.progress();
  if (code_.busy()) progress = code_.progress();
  return {.backend = async_engine->backend(),
          .backend_name = async_engine->backend_name(),
          .picture_path = run_.pane->presenter.path(),
          .progress = std::move(progress),
          .is_animating = is_animating(),
          .has_secondary_panes = !settings_.secondary_panes.empty()};
}

bool LifeWorkspace::is_animating() const {
  if (settings_.show_code) return code_.is_animating() || run_.secondary_panes.is_animating();
  return show_me_.playing() || settings_.playing || map_morph_.is_running() || thread_path_.is_traveling() ||
         run_.secondary_panes.is_animating();
}

}  // namespace loom::app
