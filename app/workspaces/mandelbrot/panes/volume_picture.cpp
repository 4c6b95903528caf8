#include "app/workspaces/mandelbrot/panes/volume_picture.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <nlohmann/json.hpp>

#include "app/gui/input_queue.h"
#include "app/gui/layout.h"
#include "app/gui/theme.h"
#include "app/settings/field_json.h"
#include "app/workspaces/solid/document/solid_state.h"

namespace loom::app {
namespace {

/// The time of a picture while it changes; a coarser one takes less.
constexpr double kMovingMs = 40;
constexpr int kCoarsest = 8;

/// The centre of a part of space as the camera sees it: x to the right, y down, z away from the viewer.
glm::dvec3 centre_of(const VolumeBox& box) {
  return {(box.low[0] + box.high[0]) / 2, -(box.low[2] + box.high[2]) / 2, (box.low[1] + box.high[1]) / 2};
}

double side_of(const VolumeBox& box) {
  return box.high[0] - box.low[0];
}

VolumeBox cube_at(glm::dvec3 centre, double side) {
  const std::array<double, 3> middle = {centre.x, centre.z, -centre.y};
  VolumeBox box;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    box.low[axis] = middle[axis] - side / 2;
    box.high[axis] = middle[axis] + side / 2;
  }
  return box;
}

glm::vec3 vector_of(const SolidVector& v) {
  return {v.x, v.y, v.z};
}

}  // namespace

void VolumePicture::set_camera(const SolidCamera& camera) {
  camera_ = camera;
  config_.reset();
  behind_.clear();
  restored_ = true;
}

// The points that the camera looks at stay where they are in the picture.
void VolumePicture::follow_box(const VolumeConfig& config) {
  if (config_ && config_->set != config.set) {
    camera_ = default_volume_camera();
    behind_.clear();
  } else if (config_ && config_->box != config.box) {
    const double before = side_of(config_->box);
    const double now = side_of(config.box);
    const glm::dvec3 seen = centre_of(config_->box) + glm::dvec3(camera_.target) * before;
    camera_.target = glm::vec3((seen - centre_of(config.box)) / now);
    camera_.distance *= static_cast<float>(before / now);
  }
  config_ = config;
}

float VolumePicture::visible_side() const {
  constexpr float kOfDistance = 0.72f;  // the field of view of the shorter side
  const float aspect = static_cast<float>(std::max(picture_.x, picture_.y)) /
                       static_cast<float>(std::min(picture_.x, picture_.y));
  return kOfDistance * camera_.distance * std::min(aspect, 1.6f);
}

void VolumePicture::aim_at(const VolumeSettings& settings, glm::vec2 pixel) {
  const VolumePane* const pane = active();
  if (pane == nullptr || !pane->volume() || pane->picture().busy()) return;
  VolumeEngine& volume = *pane->volume();
  const std::uint32_t samples = volume.config().size;
  SolidView view = volume_view(settings, samples, camera_, picture_);
  view.origin = view.origin + (pixel.x * view.right + pixel.y * view.down);
  view.direction = view.direction + (pixel.x * view.turn_right + pixel.y * view.turn_down);
  view.width = view.height = 1;
  SolidImage image;
  volume.draw(view, volume_look(settings, camera_), MemorySpace::kHost, image);
  if ((*image.pixels & kVolumeHit) == 0) return;
  const float depth = static_cast<float>(*image.pixels >> kVolumeDepthShift) / kVolumeMaxDepth;
  const float t = view.nearest + depth * (view.farthest - view.nearest);
  const glm::vec3 point = vector_of(view.origin + t * view.direction) / static_cast<float>(samples) - 0.5f;
  const glm::vec3 forward = camera_.orientation * glm::vec3(0, 0, 1);
  const float way = glm::dot(point - camera_.target, forward);
  if (camera_.perspective && camera_.distance + way < 0.03f) return;
  camera_.target += forward * way;
  if (camera_.perspective) camera_.distance += way;
}

void VolumePicture::refine(VolumeSettings& settings) {
  if (!may_refine()) {
    message_ = Message::hint("Zoom in first: the picture shows the whole cube");
    return;
  }
  aim_at(settings, glm::vec2(picture_) / 2.0f);
  VolumeBox& box = settings.config.box;
  const double side = side_of(box);
  const double refined = side * std::min(visible_side(), kRefinedSide);
  if (!(refined > 1e-12)) {
    message_ = Message::hint("The zoom ends here: double precision is exhausted");
    return;
  }
  behind_.push_back({box, camera_});
  box = cube_at(centre_of(box) + glm::dvec3(camera_.target) * side, refined);
}

void VolumePicture::update(MandelbrotEdit& edit, const Area& area, float scale,
                           const std::vector<PaneArea>& panes) {
  VolumeSettings& settings = edit.settings.volume;
  areas_.clear();
  for (const PaneArea& pane : panes) areas_.push_back(pane.picture);
  if (areas_.empty()) areas_.push_back(area);
  picture_ = glm::clamp(to_pixels(area.size, scale), 1, kMaxPixels);
  const ViewCommands& view = edit.shell.view;
  if (edit.commands.camera) {
    camera_ = *edit.commands.camera;
    config_ = settings.config;
  }
  follow_box(settings.config);
  if (view.fit && !restored_) {
    settings.config.box = {};
    camera_ = default_volume_camera();
    config_ = settings.config;
    behind_.clear();
  }
  restored_ = false;
  if (edit.commands.history < 0 && behind_.empty()) message_ = Message::hint("There is no previous view");
  if (edit.commands.history < 0 && !behind_.empty()) {
    settings.config.box = behind_.back().box;
    camera_ = behind_.back().camera;
    config_ = settings.config;
    behind_.pop_back();
  }
  if (edit.commands.refine) refine(settings);
  if (const auto& cut = edit.commands.apply_cut) {
    settings.config.g = std::min(cut->g, settings.config.size);
    settings.config.r = cut->r;
    settings.config.b = cut->b;
  }
  follow_box(settings.config);
  if (view.zoom != 0) {
    aim_at(settings, glm::vec2(picture_) / 2.0f);
    camera_.zoom(static_cast<float>(std::pow(kZoomStep, view.zoom)), glm::vec2(picture_) / 2.0f, picture_);
  }
  if (view.pan != glm::ivec2(0))
    camera_.pan(-glm::vec2(view.pan) * static_cast<float>(kPanStep) * glm::vec2(picture_), picture_);
  const ImGuiIO& io = ImGui::GetIO();
  const Area* hovered = &areas_.front();
  for (const Area& one : areas_) {
    if (one.contains(io.MousePos)) hovered = &one;
  }
  const bool over = !io.WantCaptureMouse && ImGui::IsMousePosValid() && hovered->contains(io.MousePos);
  const bool moves_cut = io.KeyCtrl && settings.cut_axis != CutAxis::kNone;
  if (over && moves_cut)
    settings.cut = std::clamp(settings.cut + static_cast<double>(io.MouseWheel) * 0.02, 0.0, 1.0);
  if (over && !moves_cut && io.MouseWheel > 0)
    aim_at(settings, (glm::vec2(io.MousePos) - hovered->corner) * scale);
  mouse_.update(camera_, *hovered, picture_, scale, over, !moves_cut);
}

void VolumePicture::compute(const MandelbrotSettings& settings, const MandelbrotCommands& commands,
                            FrameClock& clock) {
  if (picture_ == glm::ivec2{1, 1}) return;  // no layout yet
  const auto active = static_cast<std::size_t>(settings.config.method);
  if (!panes_[active]) panes_[active] = std::move(panes_[active_]);
  active_ = active;
  for (std::size_t i = 0; i < panes_.size(); ++i) {
    if (i != active && !settings.compare) panes_[i].reset();
    if ((i == active || settings.compare) && !panes_[i]) panes_[i] = std::make_unique<VolumePane>(services_);
  }
  if ((commands.check || settings.volume.misses) && panes_[active]->may_check()) panes_[active]->check();
  if (commands.measure_exhaustive) panes_[active]->measure_exhaustive();
  // One engine computes at a time, that of the active method first.
  bool all_done = true;
  const auto advance = [&](std::size_t i) {
    VolumePane& pane = *panes_[i];
    bool may_begin = true;
    each_pane(
        [&](const VolumePane& other) { may_begin = may_begin && (&other == &pane || !other.computing()); });
    VolumeConfig config = settings.volume_config();
    config.method = kMandelbrotMethods[i];
    pane.compute(config, may_begin);
    all_done = all_done && pane.is_done();
    if (std::string problem = pane.take_new_problem(); !problem.empty())
      message_ = Message::error(std::move(problem));
  };
  advance(active);
  for (std::size_t i = 0; i < panes_.size(); ++i) {
    if (i != active && panes_[i]) advance(i);
  }
  if (settings.compare && all_done) {
    each_pane([](VolumePane& pane) {
      if (pane.may_check()) pane.check();
    });
  }
  moves_ = mouse_.drags() || camera_ != camera_before_;
  camera_before_ = camera_;
  const int coarse = divisor();
  for (std::size_t i = 0; i < panes_.size(); ++i) {
    if (panes_[i]) {
      panes_[i]->trace(settings.volume, camera_, picture_, coarse, moves_, clock,
                       i == active ? Stage::kStep : Stage::kPanesStep);
    }
  }
}

// All panes have the same resolution while the picture moves.
int VolumePicture::divisor() const {
  if (services_.waits) return 1;
  const double whole = static_cast<double>(picture_.x) * picture_.y * pixel_ms();
  int divisor = 1;
  while (divisor < kCoarsest && whole / (divisor * divisor) > kMovingMs) ++divisor;
  return divisor;
}

void VolumePicture::show(const MandelbrotSettings& settings, const render::Palette& palette,
                         FrameClock& clock, float scale) {
  const glm::u8vec3 background = theme::surroundings(palette.outside);
  if (!renderer_ || palette_ != palette || coloured_by_ != settings.volume.colouring ||
      background_ != background) {
    if (!renderer_) renderer_.emplace(true);
    palette_ = palette;
    coloured_by_ = settings.volume.colouring;
    background_ = background;
    renderer_->set_colours(volume_colours(palette_, coloured_by_, background_));
  }
  for (std::size_t i = 0; i < panes_.size(); ++i) {
    if (!panes_[i] || areas_.empty()) continue;
    if (i == active_) {
      if (const auto copied = panes_[i]->picture().take_copy_milliseconds())
        clock.add_concurrent(Stage::kGpuTransfer, *copied);
    }
    const Area& area = areas_.size() > i ? areas_[i] : areas_.front();
    if (i == active_ || areas_.size() > i)
      panes_[i]->picture().draw(*renderer_, {to_pixels(area.corner, scale), picture_});
  }
}

void VolumePicture::cancel() {
  each_pane([](VolumePane& pane) { pane.cancel(); });
}

MethodScores VolumePicture::scores() const {
  MethodScores scores;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    MethodScore& score = scores[i];
    score.method = kMandelbrotMethods[i];
    score.in_space = true;
    if (!panes_[i]) continue;
    score.problem = panes_[i]->problem();
    if (const auto& report = panes_[i]->report()) {
      score.milliseconds = report->milliseconds;
      score.runs = 1;
      score.report = &*report;
    }
    if (const auto& counted = panes_[i]->differences()) score.different = counted->filled + counted->others;
  }
  return scores;
}

bool VolumePicture::is_pending() const {
  bool pending = false;
  each_pane([&](const VolumePane& pane) {
    pending = pending || pane.computing() || pane.picture().busy() ||
              (!pane.is_whole() && pane.problem().empty() && !pane.is_done());
  });
  return pending;
}

Progress VolumePicture::progress() const {
  Progress progress;
  each_pane([&](const VolumePane& pane) {
    if (pane.computing()) progress = pane.progress();
  });
  return progress;
}

double VolumePicture::pixel_ms() const {
  double sum = 0;
  each_pane([&](const VolumePane& pane) { sum += pane.picture().state().pixel_ms(); });
  return sum;
}

void VolumePicture::add_state(nlohmann::ordered_json& own) const {
  own["camera"] = to_json(camera_);
  own["views_behind"] = behind_.size();
  own["may_refine"] = may_refine();
  const VolumePane* const pane = active();
  own["computing"] = pane != nullptr && pane->computing();
  own["whole"] = pane != nullptr && pane->is_whole();
  own["divisor"] = pane != nullptr ? pane->picture().divisor() : 0;
  own["trace_ms"] = pane != nullptr ? pane->picture().state().trace_ms() : 0;
  own["problem"] = pane != nullptr ? pane->problem() : "";
  own["samples_shown"] = nullptr;
  if (pane != nullptr && pane->volume()) own["samples_shown"] = pane->volume()->config().size;
  own["ms"] = own["computed_samples"] = own["different"] = nullptr;
  if (pane != nullptr && pane->report()) {
    own["ms"] = pane->report()->milliseconds;
    own["computed_samples"] = pane->report()->computed_pixels();
  }
  if (pane != nullptr && pane->differences())
    own["different"] = pane->differences()->filled + pane->differences()->others;
}

}  // namespace loom::app
