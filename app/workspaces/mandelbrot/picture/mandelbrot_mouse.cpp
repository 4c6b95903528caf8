#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "app/widgets/picture.h"
#include "app/workspaces/mandelbrot/picture/overlays.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "compute/backend/engine_factory.h"

namespace loom::app {
namespace {

constexpr double kSameTurn = 0.6;  // longest time in seconds between wheel events of one gesture
constexpr int kBackButton = 3;
constexpr int kForwardButton = 4;

}  // namespace

void MandelbrotMouse::begin(bool over_inset) {
  if (over_inset && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    gesture_ = Gesture::kInset;
    button_ = ImGuiMouseButton_Left;
    start_ = ImGui::GetIO().MousePos;
    moved_ = false;
    return;
  }
  if (HoldToZoom::begins(button_)) {
    gesture_ = Gesture::kZoom;
    moved_ = false;
    return;
  }
  for (const int button : {ImGuiMouseButton_Left, ImGuiMouseButton_Middle, ImGuiMouseButton_Right}) {
    if (!ImGui::IsMouseClicked(button)) continue;
    const bool shift = ImGui::GetIO().KeyShift;
    const bool box = button == ImGuiMouseButton_Left && (box_armed_ || shift);
    gesture_ = box                                         ? Gesture::kBox
               : shift && button == ImGuiMouseButton_Right ? Gesture::kTurn
                                                           : Gesture::kPan;
    button_ = button;
    start_ = ImGui::GetIO().MousePos;
    moved_ = false;
    return;
  }
}

bool MandelbrotMouse::is_at_start() const {
  constexpr float kLeast = 3;  // ImGui's units that a drag moves
  return glm::length(glm::vec2(ImGui::GetIO().MousePos) - start_) < kLeast;
}

bool MandelbrotMouse::update(const Area& area, float scale, glm::ivec2 picture,
                             const render::Rect<int>& inset, Precision precision, ViewHistory& history) {
  bool zooms_in = false;
  const ImGuiIO& io = ImGui::GetIO();
  const auto pixel_of = [&](glm::vec2 at) { return glm::dvec2((at - area.corner) * scale); };
  const glm::dvec2 pixel = pixel_of(io.MousePos);
  const bool over = !io.WantCaptureMouse && ImGui::IsMousePosValid() &&
                    render::Rect<double>{{}, glm::dvec2(picture)}.contains(pixel);
  const bool over_inset = over && !inset.empty() && inset.contains(glm::ivec2(pixel));
  pixel_.reset();
  if (over && !over_inset && gesture_ != Gesture::kInset) pixel_ = pixel;
  inset_clicked_ = false;
  clicked_.reset();
  inset_drag_.reset();

  if (wheel_.active() && history.views_behind() != wheel_views_behind_) wheel_.cancel();
  if (const auto zoom = wheel_.advance(over)) {
    const double now = ImGui::GetTime();
    const bool same_turn = now - last_wheel_ < kSameTurn && history.views_behind() == wheel_views_behind_;
    if (zoom->begins) wheel_from_ = history.present();
    history.go(zoomed(wheel_from_, picture, pixel_of(zoom->at), zoom->in_all, precision), same_turn);
    wheel_views_behind_ = history.views_behind();
    last_wheel_ = now;
    zooms_in = zoom->factor > 1;
  }
  if (over && ImGui::IsMouseClicked(kBackButton)) history.back();
  if (over && ImGui::IsMouseClicked(kForwardButton)) history.forward();
  const bool dragged = io.MouseDelta.x != 0 || io.MouseDelta.y != 0;
  if (gesture_ == Gesture::kPan && dragged) {
    const glm::dvec2 pixels(glm::vec2(io.MouseDelta) * scale);
    history.go(panned(history.present(), picture, pixels, precision), moved_);
    moved_ = true;
  }
  if (gesture_ == Gesture::kTurn && dragged) {
    // By the angle that the mouse passes as seen from the middle, where it has none.
    constexpr double kLeast = 8;  // pixels
    const glm::dvec2 now = pixel - glm::dvec2(picture) / 2.0;
    const glm::dvec2 before = now - glm::dvec2(glm::vec2(io.MouseDelta) * scale);
    if (glm::length(now) >= kLeast && glm::length(before) >= kLeast) {
      const double passed = std::atan2(before.x * now.y - before.y * now.x, glm::dot(before, now));
      history.go(turned(history.present(), -glm::degrees(passed)), moved_);
      moved_ = true;
    }
  }
  if (gesture_ == Gesture::kZoom) {
    const double factor = HoldToZoom::factor(button_);
    history.go(zoomed(history.present(), picture, pixel, factor, precision), moved_);
    moved_ = true;
    zooms_in = factor > 1;
  }
  if (gesture_ == Gesture::kInset) {
    moved_ = moved_ || !is_at_start();
    if (moved_ && ImGui::IsMousePosValid()) inset_drag_ = pixel;
  }
  if (gesture_ == Gesture::kNone && over) begin(over_inset);
  if (gesture_ != Gesture::kNone && !ImGui::IsMouseDown(button_)) {
    if (gesture_ == Gesture::kBox) {
      history.go(boxed(history.present(), picture, pixel_of(start_), pixel, precision));
      box_armed_ = false;
      zooms_in = true;
    }
    inset_clicked_ = gesture_ == Gesture::kInset && !moved_;
    if (gesture_ == Gesture::kPan && is_at_start()) clicked_ = button_;
    gesture_ = Gesture::kNone;
  }
  return zooms_in;
}

void MandelbrotMouse::draw(ImDrawList& list) const {
  if (gesture_ == Gesture::kBox) draw_rubber_band(list, start_);
}

namespace {

constexpr float kInsetWidth = 0.22f;  // fraction of the picture's width
constexpr float kMaxInsetSide = 17;   // font sizes
constexpr float kInsetProportion = 0.75f;

}  // namespace

JuliaInset::JuliaInset() = default;

render::Rect<int> JuliaInset::place_in(glm::ivec2 picture, float font_pixels) {
  const auto picture_width = static_cast<float>(picture.x);
  const auto width = std::lround(std::min(picture_width * kInsetWidth, kMaxInsetSide * font_pixels));
  const auto height = std::lround(static_cast<float>(width) * kInsetProportion);
  if (static_cast<float>(width) < 3 * font_pixels || height * 2 > picture.y) return {};
  return {{0, picture.y - height}, {width, height}};
}

// Returns false while the task runs.
bool JuliaInset::take(TaskTimeout timeout) {
  const auto outcome = task_.poll(timeout);
  if (!outcome) return !task_.running();
  problem_ = outcome->problem;
  if (!outcome->result) return true;
  texture_.resize(size_);
  texture_.upload(outcome->result->data(), static_cast<std::size_t>(size_.x) * sizeof(std::uint16_t));
  return true;
}

void JuliaInset::update(const EscapeTimeSet& set, glm::ivec2 size, const BackendSelection& backend,
                        bool waits) {
  const TaskTimeout timeout = waits ? kNoTimeout : TaskTimeout{0};
  if (!take(timeout) || (set_ == set && size_ == size)) return;
  set_ = set;
  size_ = size;
  // Not cancellable: a set of this size takes less than a tenth of a second.
  task_.start(
      [this, set, size, backend](ProgressMonitor&) {
        if (!engine_ || !backend_.same_device(backend)) engine_ = make_mandelbrot_engine(backend);
        backend_ = backend;
        const MandelbrotView view = mandelbrot_view(view_of(set, size), size, Precision::kFloat);
        engine_->compute({.set = set, .method = MandelbrotMethod::kExhaustive, .dwell_limit = kLimit}, view);
        std::vector<std::uint32_t> dwells(view.pixels());
        engine_->read_dwells(0, dwells);
        return std::vector<std::uint16_t>(dwells.begin(), dwells.end());
      },
      "out of memory for the Julia set");
  take(timeout);
}

void JuliaInset::draw(glm::ivec2 framebuffer, const render::Rect<int>& target,
                      const render::Palette& palette) {
  if (!palette_ || *palette_ != palette) {
    std::vector<glm::u8vec3> colours;
    dwell_colours(palette, {}, {}, kLimit, colours);
    renderer_.set_colours(colours);
    palette_ = palette;
  }
  renderer_.draw(texture_, framebuffer, target);
}

}  // namespace loom::app
