#include "app/workspaces/solid/solid_workspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/gui/theme.h"
#include "app/palette/custom_palettes.h"
#include "app/settings/field_json.h"
#include "app/workspaces/solid/scene/solid_settings.h"
#include "compute/core/error.h"
#include "compute/map/map_method.h"

namespace loom::app {
namespace {

/// The time of a picture while it changes; a coarser one takes less.
constexpr double kMovingMs = 25;
constexpr int kCoarsest = 8;

WorkspaceInfo solid_info() {
  return {.id = SolidState::kId,
          .label = "3-D",
          .hint = "Life on three-dimensional fractals",
          .gestures = solid_gestures(),
          .coordinates = {.label = "camera",
                          .hint = "The camera as JSON. Enter goes there",
                          .paste_hint = "Pastes a camera that was copied here"}};
}

}  // namespace

SolidWorkspace::SolidWorkspace(const SolidSettings& settings, const ShellServices& services)
    : Workspace(solid_info(), services),
      keys_(solid_shortcuts()),
      settings_(settings),
      edits_(services.undo),
      cells_(settings.start) {
  set_colours();
  update_panes(settings_.config.method.map);
}

void SolidWorkspace::set_colours() {
  renderer_.set_colours(solid_colours(palette_, coloured_by_, background_));
}

void SolidWorkspace::begin(ShellEdit& shell) {
  edit_.emplace(SolidSceneEdit{settings_, {}, shell});
  if (const auto restored = edits_.take_restored()) {
    edit_->settings = restored->settings;
    camera_ = restored->camera;
    cells_ = restored->cells;
    restored_ = true;
  }
  undone_ = edits_.apply(*edit_);
}

void SolidWorkspace::cancel() {
  cancelled_ = active().busy();
  for (const auto& pane : panes_) {
    if (pane) pane->cancel();
  }
}

void SolidWorkspace::dock(const DockSpace& room) {
  if (room.details && dock_section("Thread", edit_->settings.show_thread, room))
    solid_thread_panel(*edit_, selected_thread());
  if (!room.metrics) return;
  if (settings_.compare && !has_score_room(pane_areas_)) map_scores(scores(), selected_, {});
  if (dock_section("Metrics", edit_->shell.settings.show_timing, room))
    solid_metrics(*edit_, active().state(), services_.times, services_.backend.device.on_host);
}

Area SolidWorkspace::panels(const Layout& layout) {
  draw_fractal();
  Area picture = layout.picture;
  picture.size.y -= solid_caption(picture, *edit_, selected_thread(), active().divisor());
  pane_areas_.clear();
  if (settings_.compare && edit_->settings.compare) {
    layout_maps(picture, ImGui::GetFontSize(), pane_areas_);
    const MapScores all = scores();
    map_headers(*edit_, all, pane_areas_);
    if (has_score_room(pane_areas_)) map_scores(all, selected_, pane_areas_);
    picture = pane_area(edit_->settings.config.method.map);
  }
  solid_legend(legend_, picture, *edit_, palette_, active().state());
  return picture;
}

void SolidWorkspace::draw_fractal() {
  SolidSettings& settings = edit_->settings;
  if (edit_->commands.draw_fractal) editor_.open(settings.config.fractal);
  if (!editor_.active()) return;
  if (const auto drawn = editor_.show(palette_, settings.work.rule)) use(*drawn, settings);
}

void SolidWorkspace::use(const SolidFile& file, SolidSettings& settings) {
  set_fractal(settings.config, file.fractal);
  settings.from_file = file;
  if (file.rule) settings.work.rule = *file.rule;
}

bool SolidWorkspace::open_file(const std::filesystem::path& file, FileKind kind) {
  if (kind != FileKind::kSolidFractal) return false;
  request([fractal = read_solid_file(file).value()](SolidSceneEdit& edit) { use(fractal, edit.settings); });
  return true;
}

void SolidWorkspace::update(const Area& area, float scale) {
  area_ = area;
  scale_ = scale;
  if (area.empty()) return;
  picture_ = glm::clamp(to_pixels(area.size, scale), 1, kMaxPixels);
  const ViewCommands& view = edit_->shell.view;
  if (view.fit) camera_ = {.perspective = camera_.perspective};
  if (view.zoom != 0) {
    camera_.zoom(static_cast<float>(std::pow(kZoomStep, view.zoom)), glm::vec2(picture_) / 2.0f, picture_);
  }
  if (view.pan != glm::ivec2(0))
    camera_.pan(-glm::vec2(view.pan) * static_cast<float>(kPanStep) * glm::vec2(picture_), picture_);
  if (edit_->commands.go_to) camera_ = *edit_->commands.go_to;
  update_mouse();
}

void SolidWorkspace::record(const SolidSettings& before, const SolidSettings& after) {
  const std::string_view what = changed_setting(before, after);
  if (what.empty() || undone_) return;
  const auto put = [](const SolidSettings& settings) {
    return [settings](SolidSceneEdit& edit) {
      const bool playing = edit.settings.playing;
      edit.settings = settings;
      edit.settings.playing = playing;
    };
  };
  edits_.record({.what = std::string(what)}, put(before), put(after));
}

void SolidWorkspace::apply() {
  try {
    validate(edit_->settings.config);
  } catch (const InputError& error) {
    message_ = Message::error(error.what());
    edit_->settings.config = settings_.config;
  }
  if (edit_->commands.problem != nullptr) message_ = Message::hint(edit_->commands.problem);
  const bool new_field = !is_same_field(settings_.config, edit_->settings.config);
  if (restored_)
    steps_ = 0;
  else
    change_cells(new_field);
  select();
  if (!std::exchange(restored_, false)) record(settings_, edit_->settings);
  steps_ += edit_->commands.step;
  const MapKind map_before = settings_.config.method.map;
  settings_ = edit_->settings;
  const render::Palette& palette =
      palette_or_first(edit_->shell.settings.custom_palettes, edit_->shell.settings.palette);
  const glm::u8vec3 background = theme::surroundings(palette.outside);
  if (palette != palette_ || coloured_by_ != settings_.look.colouring || background != background_) {
    palette_ = palette;
    coloured_by_ = settings_.look.colouring;
    background_ = background;
    set_colours();
  }
  update_panes(map_before);
  if (edit_->shell.commands.cancel) cancel();
}

// Another field begins with its random start; but if the previous one never came to run, the cells that run
// are those of the selected field.
void SolidWorkspace::change_cells(bool new_field) {
  if (edit_->commands.cells.is_known()) cells_ = edit_->commands.cells;
  if (!new_field && !edit_->commands.restart) return;
  const RayEngine& runs = active().state();
  const bool returns = new_field && runs.has_engine() && runs.cells().is_known() &&
                       is_same_field(runs.config(), edit_->settings.config);
  cells_ = returns && !edit_->commands.restart ? runs.cells() : CellSourceOf<3>(edit_->settings.start);
  steps_ = 0;
}

void SolidWorkspace::update_panes(MapKind map_before) {
  auto& shown = panes_[index_of(settings_.config.method.map)];
  if (!shown) shown = std::move(panes_[index_of(map_before)]);
  for (auto& pane : panes_) {
    const bool needed = settings_.compare || &pane == &shown;
    if (needed && !pane) pane = std::make_unique<RayPane>(services_.context, first_device(services_.backend));
    // The active pane may be copying its cells.
    if (needed || !pane || (!pane->busy() && shown->busy())) continue;
    pane->cancel();
    pane.reset();
  }
}

bool SolidWorkspace::busy() const {
  return std::ranges::any_of(panes_, [](const auto& pane) { return pane && pane->busy(); });
}

bool SolidWorkspace::picture_changes() const {
  return settings_.playing || steps_ > 0 || !active().has_cells_of(wanted_) || mouse_.drags();
}

// All panes have the same resolution.
int SolidWorkspace::divisor() const {
  if (services_.waits) return 1;
  double of_pixel = 0;
  for (const auto& pane : panes_) {
    if (pane) of_pixel += pane->state().pixel_ms();
  }
  const double whole = static_cast<double>(picture_.x) * picture_.y * of_pixel;
  int divisor = 1;
  while (divisor < kCoarsest && whole / (divisor * divisor) > kMovingMs) ++divisor;
  return divisor;
}

// Assignments keep the memory of names and cells: a frame does not allocate.
void SolidWorkspace::update_request() {
  wanted_.config = settings_.config;
  if (!wanted_.backend.same_device(services_.backend) || wanted_.backend.reason.empty())
    wanted_.backend = first_device(services_.backend);
  wanted_.cells = cells_;
  wanted_.look = settings_.look;
  wanted_.camera = camera_;
  wanted_.size = picture_;
  wanted_.count = !settings_.playing || active().state().count_is_due();
  // Coarse while it changes, then fine.
  wanted_.divisor = picture_changes() || !active().shows(wanted_, false) ? divisor() : 1;
}

// The other panes follow the active one, and have their finest picture and their counts after it.
const RayRequest& SolidWorkspace::request_of(MapKind map) const {
  if (map == settings_.config.method.map) return wanted_;
  other_ = wanted_;
  other_.config = compared_config(wanted_.config, map);
  other_.divisor = active().shows(wanted_, wanted_.divisor == 1) ? wanted_.divisor : divisor();
  other_.count = !settings_.playing && active().state().census() != nullptr;
  return other_;
}

bool SolidWorkspace::all_have_cells() const {
  return std::ranges::all_of(kMapKinds, [&](MapKind map) {
    const auto& pane = panes_[index_of(map)];
    if (!pane) return true;
    const RayRequest& wanted = request_of(map);
    return pane->has_cells_of(wanted) || (pane.get() != &active() && !pane->problem_of(wanted).empty());
  });
}

// The cells that a cancelled request left are the wanted ones from now on.
void SolidWorkspace::take(const RayEngine::Outcome* outcome) {
  if (outcome == nullptr) return;
  const bool cancelled = std::exchange(cancelled_, false) && outcome->cancelled;
  if (!outcome->problem.empty()) message_ = Message::error(outcome->problem);
  if (!cancelled) return;
  if (const std::string_view problem = active().problem_of(outcome->request); !problem.empty())
    message_ = Message::warning(std::string(problem));
  const CellSourceOf<3>& cells = active().state().cells();
  if (cells.is_known() && is_same_field(outcome->request.config, active().state().config())) cells_ = cells;
  steps_ = 0;
}

void SolidWorkspace::compute(FrameClock& clock) {
  apply();
  if (picture_ == glm::ivec2{1, 1}) return;  // no layout yet
  const auto timeout = services_.waits ? kNoTimeout : kFrameWait;
  update_request();
  take(active().follow(wanted_, timeout, clock, Stage::kStep));
  for (const MapKind map : kMapKinds) {
    if (RayPane* const pane = panes_[index_of(map)].get(); pane != nullptr && pane != &active())
      pane->follow(request_of(map), timeout, clock, Stage::kPanesStep);
  }
  if (!busy()) {
    // Every pane makes each generation.
    update_request();
    if ((settings_.playing || steps_ > 0) && all_have_cells() && active().problem_of(wanted_).empty()) {
      cells_.run(1, settings_.work);
      steps_ -= std::min(steps_, 1u);
      update_request();
    }
    RayPane* source = nullptr;
    for (const auto& pane : panes_) {
      if (pane && pane.get() != &active() && pane->state().has_engine() && pane->state().cells() == cells_ &&
          is_same_field(wanted_.config, pane->state().config()))
        source = pane.get();
    }
    take(active().advance(wanted_, source, timeout, clock, Stage::kStep));
  }
  advance_others(clock, timeout);
  if (!busy()) pick();
  locate_threads();
  clock.lap(Stage::kOther);
}

void SolidWorkspace::advance_others(FrameClock& clock, TaskTimeout timeout) {
  comparison_pending_ = false;
  update_request();
  const bool has_cells = active().has_cells_of(wanted_);
  for (const MapKind map : kMapKinds) {
    RayPane* const pane = panes_[index_of(map)].get();
    if (pane == nullptr || pane == &active()) continue;
    const RayRequest& wanted = request_of(map);
    if (!busy() && has_cells) pane->advance(wanted, &active(), timeout, clock, Stage::kPanesStep);
    other_.divisor = 1;
    comparison_pending_ = comparison_pending_ || !pane->is_done(other_);
  }
}

void SolidWorkspace::show(FrameClock& clock, ImDrawList& overlay_list) {
  if (area_.empty()) return;
  const render::Rect<int> target{to_pixels(area_.corner, scale_), picture_};
  if (const auto copied = active().take_copy_milliseconds())
    clock.add_concurrent(Stage::kGpuTransfer, *copied);
  active().draw(renderer_, target);
  for (const MapKind map : kMapKinds) {
    const RayPane* const pane = panes_[index_of(map)].get();
    if (pane != nullptr && pane != &active() && !pane_areas_.empty())
      pane->draw(renderer_, {to_pixels(pane_area(map).corner, scale_), picture_});
  }
  clock.lap(Stage::kDraw);
  overlays(overlay_list);
}

WorkspaceStatus SolidWorkspace::status() const {
  Progress progress;
  for (const auto& pane : panes_) {
    if (pane && pane->busy()) progress = pane->progress();
  }
  return {.backend = services_.backend,
          .backend_name = active().state().backend_name(),
          .picture_path = active().path(),
          .progress = std::move(progress),
          .is_animating = (settings_.playing && active().problem_of(wanted_).empty()) || comparison_pending_,
          .has_secondary_panes = settings_.compare,
          .pixel_ms = active().state().pixel_ms()};
}

void SolidWorkspace::finish() {
  FrameClock unused;
  for (const auto& pane : panes_) {
    if (!pane) continue;
    const auto* const outcome = pane->follow(wanted_, kNoTimeout, unused, Stage::kStep);
    if (pane.get() == &active()) take(outcome);
  }
}

void SolidWorkspace::add_state(nlohmann::ordered_json& json) {
  nlohmann::ordered_json own;
  const SolidConfig& config = settings_.config;
  own["fractal"] = config.fractal.name();
  add_fields(own, method_fields(), config.method, &FieldInfo::in_scene);
  add_fields(own, solid_fields(), settings_);
  for (const char* const of_next_start : {"seed", "density"}) own.erase(of_next_start);
  add_solid_report(own, active().state());
  own["trace_ms"] = active().state().trace_ms();
  own["divisor"] = active().divisor();
  update_request();
  own["whole"] = active().shows(wanted_, true);
  own["camera"] = to_json(camera_);
  own["legend"] = legend_.state();
  add_comparison_state(own);
  own["draw"] = editor_.state();
  if (editor_.is_open()) own["draw"]["replicas"] = editor_.draft().offsets().size();
  json["solid"] = std::move(own);
}

scene::StatePtr SolidWorkspace::state(StateNeed) {
  if (edits_.restored()) return edits_.restored();
  auto state = std::make_shared<SolidState>();
  state->settings = settings_;
  state->settings.start = cells_.start();
  state->camera = camera_;
  state->cells = cells_;
  return state;
}

Place SolidWorkspace::place() const {
  const scene::Json camera = to_json(camera_);
  const std::string text = camera.dump();
  return {camera,
          fmt::format("{}, level {}, distance {:.3g}", settings_.config.fractal.name(),
                      settings_.config.level, camera_.distance),
          text, text};
}

void SolidWorkspace::go_to_place(const scene::Json& place) {
  const SolidCamera camera = read_camera(JsonReader(place, "place"));
  request([camera](SolidSceneEdit& edit) { edit.commands.go_to = camera; });
}

std::string SolidWorkspace::go_to_coordinates(const std::string& text) {
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (json.is_discarded())
    throw InputError("this is not a camera; allowed: the JSON text of Copy coordinates in this workspace");
  go_to_place(json);
  return {};
}

}  // namespace loom::app
