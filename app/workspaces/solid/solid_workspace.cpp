#include "app/workspaces/solid/solid_workspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/gui/theme.h"
#include "app/palette/custom_palettes.h"
#include "app/settings/field_json.h"
#include "app/workspaces/solid/scene/solid_colours.h"
#include "app/workspaces/solid/solid_report.h"
#include "compute/core/error.h"
#include "compute/map/map_method.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

constexpr int kMaxPixels = 16384;
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
      engine_(std::make_unique<SolidRunner>()),
      shown_(services.context, first_device(services.backend)) {
  set_colours();
}

void SolidWorkspace::set_colours() {
  renderer_.set_colours(solid_colours(palette_, coloured_by_, background_));
}

void SolidWorkspace::begin(ShellEdit& shell) {
  edit_.emplace(SolidSceneEdit{settings_, {}, shell});
  if (const auto restored = edits_.take_restored()) {
    edit_->settings = restored->settings;
    camera_ = restored->camera;
    replay_ = restored->runs;
    settings_.start = restored->settings.start;
  }
  undone_ = edits_.apply(*edit_);
}

void SolidWorkspace::cancel() {
  engine_.cancel();
  if (comparison_) comparison_->cancel();
}

SolidStats SolidWorkspace::stats() const {
  return {*engine_, services_.backend, services_.times,
          palette_, shown_.divisor(),  selected_[SolidComparison::index_of(settings_.config.method.map)]};
}

void SolidWorkspace::dock(const DockSpace& room) {
  if (settings_.show_thread) solid_thread_panel(*edit_, stats());
  if (comparison_ && needs_map_score_section(panes_))
    map_score_section(comparison_->scores(*engine_), selected_);
  if (room.metrics) solid_metrics(*edit_, stats(), room);
}

Area SolidWorkspace::panels(const Layout& layout) {
  draw_fractal();
  Area picture = layout.picture;
  picture.size.y -= solid_caption(picture, *edit_, stats());
  panes_.clear();
  if (!comparison_ || !edit_->settings.compare) return picture;
  layout_maps(picture, ImGui::GetFontSize(), panes_);
  const MapScores scores = comparison_->scores(*engine_);
  map_headers(*edit_, scores, panes_);
  map_scores(scores, selected_, panes_);
  return pane_area(edit_->settings.config.method.map);
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
  queue([fractal = read_solid_file(file).value()](SolidSceneEdit& edit) { use(fractal, edit.settings); });
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
  if (edit_->commands.cells) {
    const SolidCellChange& change = *edit_->commands.cells;
    if (change.made == cells_id() && !replay_ && !restart_) {
      pending_.push_back(change.edit);
    } else {
      edit_->settings.start = change.start;
      restart_with(change.history);
    }
  }
  select();
  if (!replay_) record(settings_, edit_->settings);
  restart_ = restart_ || edit_->commands.restart || replay_.has_value();
  steps_ += edit_->commands.step;
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
  update_comparison();
  if (edit_->shell.commands.cancel) cancel();
}

bool SolidWorkspace::picture_changes() const {
  return settings_.playing || steps_ > 0 || !pending_.empty() ||
         (drag_button_ >= 0 && dragged_ != glm::vec2(0));
}

const SolidPictureKey& SolidWorkspace::key() {
  // Assignments keep the memory of names: a frame does not allocate.
  key_.config = settings_.config;
  key_.camera = camera_;
  key_.size = picture_;
  key_.look = settings_.look;
  key_.cells = cells_id();
  return key_;
}

// All panes have the same resolution.
int SolidWorkspace::divisor() const {
  if (services_.waits) return 1;
  const double of_pixel = engine_->pixel_ms() + (comparison_ ? comparison_->pixel_ms() : 0);
  const double whole = static_cast<double>(picture_.x) * picture_.y * of_pixel;
  int divisor = 1;
  while (divisor < kCoarsest && whole / (divisor * divisor) > kMovingMs) ++divisor;
  return divisor;
}

void SolidWorkspace::start(int divisor, bool steps) {
  request_.config = settings_.config;
  if (!request_.backend.same_device(services_.backend) || request_.backend.reason.empty())
    request_.backend = first_device(services_.backend);
  request_.start = settings_.start;
  request_.restart = restart_;
  request_.replay.clear();
  if (replay_) request_.replay = *replay_;
  request_.edits.clear();
  if (!restart_) std::swap(request_.edits, pending_);
  request_.generations = !steps || restart_ || !request_.edits.empty() ? 0
                         : settings_.playing                           ? 1
                                                                       : std::min(steps_, 1u);
  request_.work = settings_.work;
  request_.count = !settings_.playing;
  request_.view = view_of(settings_, camera_, SolidPicture::image_size(picture_, divisor));
  shown_.request(key(), divisor, request_);
  engine_.begin(request_);
}

void SolidWorkspace::restart_with(SolidHistory history) {
  replay_ = std::move(history);
  restart_ = true;
  pending_.clear();
}

void SolidWorkspace::accept(const SolidRunner::Outcome& outcome) {
  const SolidFrame& result = outcome.result;
  if (!outcome.problem.empty()) {
    message_ = Message::error(outcome.problem);
    settings_.playing = false;
    // The previous cells stay.
    settings_.config = engine_->has_cells() ? engine_->config() : default_solid_settings().config;
    restart_ = false;
    replay_.reset();
    steps_ = 0;
    return;
  }
  if (result.restarted) {
    runs_ = outcome.request.restart && !outcome.cancelled ? outcome.request.replay : SolidHistory();
    restart_ = false;
    replay_.reset();
  }
  if (outcome.cancelled) {
    restart_ = false;
    replay_.reset();
  }
  if (result.restarted || result.edited) ++version_;
  if (result.edited) add_edits(runs_, outcome.request.edits);
  add_run(runs_, outcome.request.work.rule, result.generations);
  if (result.generations > 0) last_work_ = outcome.request.work;
  steps_ -= std::min(steps_, result.generations);
  if (result.image.pixels == nullptr || outcome.cancelled) return;
  const auto begin = FrameClock::Clock::now();
  shown_.accept(outcome.request, result.image, cells_id());
  transfer_ms_ = std::chrono::duration<double, std::milli>(FrameClock::Clock::now() - begin).count();
}

void SolidWorkspace::compute(FrameClock& clock) {
  apply();
  if (picture_ == glm::ivec2{1, 1}) return;  // no layout yet
  const auto timeout = services_.waits ? kNoTimeout : kFrameWait;
  if (engine_.busy()) {
    // A finer picture that is no longer wanted must not delay the next one.
    const bool only_finer =
        engine_.request().generations == 0 && !engine_.request().restart && shown_.is_only_finer();
    if (only_finer && !shown_.shows(key(), false)) engine_.cancel();
    if (const auto* const outcome = finish_in_frame(engine_, timeout, clock, Stage::kStep)) accept(*outcome);
  }
  // The panes of a comparison copy the cells of the idle engine, and catch up before it goes on.
  if (!engine_.busy() && (!comparison_ || !comparison_->busy())) {
    const bool steps = (settings_.playing || steps_ > 0) && (!comparison_ || comparison_->in_sync(key()));
    const bool work = restart_ || !pending_.empty() || steps || !shown_.shows(key(), false);
    const bool finer = !work && !picture_changes() && !shown_.shows(key(), true);
    const bool counts = !settings_.playing && engine_->has_cells() && !engine_->census();
    if (work || finer || counts) {
      start(finer || counts ? 1 : divisor(), steps);
      if (const auto* const outcome = finish_in_frame(engine_, timeout, clock, Stage::kStep))
        accept(*outcome);
    }
  }
  compute_comparison(clock, timeout);
  if (!engine_.busy() && (!comparison_ || !comparison_->busy())) pick();
  locate_threads();
  clock.part(Stage::kTransfer, std::exchange(transfer_ms_, 0));
  clock.lap(Stage::kOther);
}

void SolidWorkspace::show(FrameClock& clock, ImDrawList& overlay_list) {
  if (area_.empty()) return;
  const render::Rect<int> target{to_pixels(area_.corner, scale_), picture_};
  if (const auto copied = shown_.take_copy_milliseconds()) clock.add_concurrent(Stage::kGpuTransfer, *copied);
  shown_.draw(renderer_, target);
  if (comparison_ && !panes_.empty()) {
    for (const MapKind map : kMapKinds) {
      if (const MapPane* const pane = comparison_->pane(map))
        pane->draw(renderer_, {to_pixels(pane_area(map).corner, scale_), picture_});
    }
  }
  clock.lap(Stage::kDraw);
  overlays(overlay_list);
}

WorkspaceStatus SolidWorkspace::status() const {
  return {.backend = services_.backend,
          .backend_name = engine_->backend_name(),
          .picture_path = shown_.path(),
          .progress = comparison_ && comparison_->busy() ? comparison_->progress() : engine_.progress(),
          .is_animating = settings_.playing || comparison_pending_,
          .has_secondary_panes = settings_.compare};
}

void SolidWorkspace::finish() {
  if (const auto* const outcome = engine_.finish(kNoTimeout)) accept(*outcome);
  if (comparison_) comparison_->finish();
}

void SolidWorkspace::add_state(nlohmann::ordered_json& json) {
  nlohmann::ordered_json own;
  const SolidConfig& config = settings_.config;
  own["fractal"] = config.fractal.name();
  own["level"] = config.level;
  own["block"] = config.tile_size;
  add_fields(own, method_fields(), config.method, &FieldInfo::in_scene);
  own["rule"] = to_string(settings_.work.rule);
  own["playing"] = settings_.playing;
  const SolidLook& look = settings_.look;
  own["living_only"] = look.living_only;
  own["cut_axis"] = name_of(look.cut_axis);
  own["cut"] = look.cut;
  own["slice"] = look.slice;
  own["colour_by"] = name_of(look.colouring);
  own["empty_tiles"] = look.empty_tiles;
  own["edit_cells"] = settings_.edit_cells;
  own["show_thread"] = settings_.show_thread;
  add_solid_report(own, *engine_);
  own["trace_ms"] = engine_->trace_ms();
  own["divisor"] = shown_.divisor();
  own["whole"] = shown_.shows(key(), true);
  own["camera"] = to_json(camera_);
  add_comparison_state(own);
  own["draw"] = nullptr;
  if (editor_.is_open()) {
    own["draw"] = {{"name", editor_.draft().name},
                   {"replicas", editor_.draft().offsets().size()},
                   {"problem", editor_.problem()},
                   {"told", editor_.file_message()},
                   {"browser", editor_.browser().is_open()}};
    const auto add_places = [&](const auto& areas) {
      for (const auto& [name, place] : areas)
        own["draw"]["places"][name] = {place.corner.x, place.corner.y, place.size.x, place.size.y};
    };
    add_places(editor_.areas());
    add_places(editor_.browser().areas());
  }
  json["solid"] = std::move(own);
}

scene::StatePtr SolidWorkspace::state(StateNeed) {
  if (edits_.restored()) return edits_.restored();
  auto state = std::make_shared<SolidState>();
  state->settings = settings_;
  state->camera = camera_;
  state->runs = replay_ ? *replay_ : runs_;
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
  queue([camera](SolidSceneEdit& edit) { edit.commands.go_to = camera; });
}

std::string SolidWorkspace::go_to_coordinates(const std::string& text) {
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (json.is_discarded())
    throw InputError("this is not a camera; allowed: the JSON text of Copy coordinates in this workspace");
  go_to_place(json);
  return {};
}

}  // namespace loom::app
