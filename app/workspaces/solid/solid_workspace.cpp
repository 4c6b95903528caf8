#include "app/workspaces/solid/solid_workspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/palette/custom_palettes.h"
#include "app/settings/field_json.h"
#include "app/workspaces/solid/scene/solid_colours.h"
#include "compute/core/error.h"
#include "compute/map/method_fields.h"

namespace loom::app {
namespace {

constexpr int kMaxPixels = 16384;
/// The time of a picture while it changes; a coarser one takes less.
constexpr double kMovingMs = 25;
constexpr int kCoarsest = 8;
constexpr float kZoomPerNotch = 1.2f;

}  // namespace

SolidWorkspace::SolidWorkspace(const SolidSettings& settings, const ShellServices& services)
    : services_(services),
      keys_(solid_shortcuts()),
      settings_(settings),
      edits_(services.undo),
      engine_(std::make_unique<SolidRunner>()) {
  renderer_.set_colours(solid_colours(palette_));
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

SolidStats SolidWorkspace::stats() const {
  return {*engine_, services_.backend, services_.times, palette_, shown_divisor_};
}

void SolidWorkspace::dock(const DockSpace& room) {
  if (room.metrics) solid_metrics(*edit_, stats(), room);
}

Area SolidWorkspace::panels(const Layout& layout) {
  Area picture = layout.picture;
  picture.size.y -= solid_caption(picture, *edit_, stats());
  return picture;
}

void SolidWorkspace::update_mouse() {
  const ImGuiIO& io = ImGui::GetIO();
  const glm::vec2 mouse = (glm::vec2(io.MousePos) - area_.corner) * scale_;
  const bool over = !io.WantCaptureMouse && ImGui::IsMousePosValid() && area_.contains(io.MousePos);
  if (over && io.MouseWheel != 0) {
    if (io.KeyCtrl && edit_->settings.cut_axis != CutAxis::kNone) {
      edit_->settings.cut = std::clamp(edit_->settings.cut + io.MouseWheel * 0.02f, 0.0f, 1.0f);
    } else {
      camera_.zoom(std::pow(kZoomPerNotch, io.MouseWheel), mouse, picture_);
    }
  }
  if (drag_button_ >= 0) {
    const glm::vec2 moved = glm::vec2(io.MouseDelta) * scale_;
    if (pans_) {
      camera_.pan(moved, picture_);
    } else if (moved.x != 0 || moved.y != 0) {
      camera_.orbit(moved / static_cast<float>(picture_.y));
    }
    if (!ImGui::IsMouseDown(drag_button_)) drag_button_ = -1;
    return;
  }
  if (!over) return;
  for (const int button : {ImGuiMouseButton_Left, ImGuiMouseButton_Middle, ImGuiMouseButton_Right}) {
    if (!ImGui::IsMouseClicked(button)) continue;
    drag_button_ = button;
    pans_ = button != ImGuiMouseButton_Left || io.KeyShift;
    return;
  }
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
  if (!replay_) record(settings_, edit_->settings);
  restart_ = restart_ || edit_->commands.restart || replay_.has_value();
  steps_ += edit_->commands.step;
  settings_ = edit_->settings;
  const render::Palette& palette =
      palette_or_first(edit_->shell.settings.custom_palettes, edit_->shell.settings.palette);
  if (palette != palette_) {
    palette_ = palette;
    renderer_.set_colours(solid_colours(palette_));
  }
  if (edit_->shell.commands.cancel) cancel();
}

bool SolidWorkspace::picture_changes() const {
  return settings_.playing || steps_ > 0 || drag_button_ >= 0;
}

// Whether the picture is that of the current settings; `full`: also in full resolution.
bool SolidWorkspace::is_shown(bool full) const {
  if (!shown_ || (full && shown_divisor_ > 1)) return false;
  return shown_->camera == camera_ && shown_->picture == picture_ && shown_->config == settings_.config &&
         shown_->living_only == settings_.living_only && shown_->cut_axis == settings_.cut_axis &&
         shown_->cut == settings_.cut && shown_->generation == engine_->generation();
}

int SolidWorkspace::divisor() const {
  if (services_.waits) return 1;
  const double whole = static_cast<double>(picture_.x) * picture_.y * engine_->pixel_ms();
  int divisor = 1;
  while (divisor < kCoarsest && whole / (divisor * divisor) > kMovingMs) ++divisor;
  return divisor;
}

void SolidWorkspace::start(int divisor) {
  request_.config = settings_.config;
  // Assignments keep the memory of names: a frame does not allocate.
  if (!request_.backend.same_device(services_.backend) || request_.backend.reason.empty())
    request_.backend = first_device(services_.backend);
  request_.start = settings_.start;
  request_.restart = restart_;
  request_.replay.clear();
  if (replay_) request_.replay = *replay_;
  request_.generations = restart_ ? 0 : settings_.playing ? 1 : std::min(steps_, 1u);
  request_.work = settings_.work;
  request_.count = !settings_.playing;
  const glm::ivec2 size = glm::max((picture_ + divisor - 1) / divisor, 1);
  request_.view = view_of(settings_, camera_, size);
  requested_.camera = camera_;
  requested_.picture = picture_;
  requested_.config = settings_.config;
  requested_.living_only = settings_.living_only;
  requested_.cut_axis = settings_.cut_axis;
  requested_.cut = settings_.cut;
  requested_divisor_ = divisor;
  engine_.begin(request_);
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
    runs_ = outcome.request.restart && !outcome.cancelled ? outcome.request.replay : std::vector<SolidRun>();
    restart_ = false;
    replay_.reset();
  }
  if (outcome.cancelled) {
    restart_ = false;
    replay_.reset();
  }
  add_run(runs_, outcome.request.work.rule, result.generations);
  steps_ -= std::min(steps_, result.generations);
  if (result.image.pixels == nullptr || outcome.cancelled) return;
  texture_.resize({result.image.width, result.image.height}, render::TexelFormat::kUint32);
  texture_.upload(result.image.pixels, static_cast<std::size_t>(result.image.width) * sizeof(std::uint32_t));
  shown_ = requested_;
  shown_->generation = engine_->generation();
  shown_divisor_ = requested_divisor_;
}

void SolidWorkspace::compute(FrameClock& clock) {
  if (picture_ == glm::ivec2{1, 1}) return;  // no layout yet
  const auto timeout = services_.waits ? kNoTimeout : kFrameWait;
  if (engine_.busy()) {
    // A finer picture that is no longer wanted must not delay the next one.
    const bool only_finer = engine_.request().generations == 0 && !engine_.request().restart &&
                            requested_divisor_ == 1 && shown_divisor_ > 1;
    if (only_finer && !is_shown(false)) engine_.cancel();
    if (const auto* const outcome = engine_.finish(timeout)) accept(*outcome);
  }
  if (!engine_.busy()) {
    const bool work = restart_ || settings_.playing || steps_ > 0 || !is_shown(false);
    const bool finer = !work && !picture_changes() && !is_shown(true);
    const bool counts = !settings_.playing && engine_->has_cells() && !engine_->population();
    if (work || finer || counts) {
      start(finer || counts ? 1 : divisor());
      if (const auto* const outcome = engine_.finish(timeout)) {
        accept(*outcome);
        if (outcome->result.generations > 0) clock.part(Stage::kStep, engine_->step_ms());
        clock.part(Stage::kResolve, engine_->trace_ms());
      }
    }
  }
  clock.lap(Stage::kOther);
}

void SolidWorkspace::show(FrameClock& clock) {
  if (area_.empty()) return;
  const render::Rect<int> target{to_pixels(area_.corner, scale_), picture_};
  if (shown_) renderer_.draw(texture_, services_.context.framebuffer_size(), target);
  clock.lap(Stage::kDraw);
}

WorkspaceStatus SolidWorkspace::status() const {
  return {services_.backend, engine_->backend_name(), "CPU copy: the image is in host memory",
          engine_.progress()};
}

void SolidWorkspace::finish() {
  if (const auto* const outcome = engine_.finish(kNoTimeout)) accept(*outcome);
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
  own["living_only"] = settings_.living_only;
  own["cut_axis"] = name_of(settings_.cut_axis);
  own["cut"] = settings_.cut;
  own["cells"] = config.fractal.cells(config.level);
  own["generation"] = engine_->generation();
  own["population"] = nullptr;
  if (engine_->population()) own["population"] = *engine_->population();
  own["threads_launched"] = engine_->threads().threads_launched;
  own["threads_active"] = engine_->threads().threads_active;
  own["bytes"] = engine_->allocated_bytes();
  own["step_ms"] = engine_->step_ms();
  own["trace_ms"] = engine_->trace_ms();
  own["divisor"] = shown_divisor_;
  own["whole"] = is_shown(true);
  own["camera"] = to_json(camera_);
  json["solid"] = std::move(own);
}

scene::StatePtr SolidWorkspace::describe(bool) const {
  if (edits_.restored()) return edits_.restored();
  auto state = std::make_shared<SolidState>();
  state->settings = settings_;
  state->camera = camera_;
  state->runs = replay_ ? *replay_ : runs_;
  return state;
}

std::string SolidWorkspace::place_name() const {
  return fmt::format("{}, level {}, distance {:.3g}", settings_.config.fractal.name(), settings_.config.level,
                     camera_.distance);
}

void SolidWorkspace::go_to_place(const scene::Json& place) {
  const SolidCamera camera = read_camera(JsonReader(place, "place"));
  queue([camera](SolidSceneEdit& edit) { edit.commands.go_to = camera; });
}

std::string SolidWorkspace::coordinates() const {
  return to_json(camera_).dump();
}

const CoordinateLabels& SolidWorkspace::coordinate_labels() const {
  static constexpr CoordinateLabels kLabels = {.label = "camera",
                                               .hint = "The camera as JSON. Enter goes there",
                                               .paste_hint = "Pastes a camera that was copied here"};
  return kLabels;
}

std::string SolidWorkspace::go_to_coordinates(const std::string& text) {
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (json.is_discarded())
    throw InputError("this is not a camera; allowed: the JSON text of Copy coordinates in this workspace");
  go_to_place(json);
  return {};
}

}  // namespace loom::app
