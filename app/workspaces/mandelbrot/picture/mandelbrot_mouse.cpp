#include "app/workspaces/mandelbrot/picture/mandelbrot_mouse.h"

#include <cmath>

#include "app/widgets/picture.h"

namespace loom::app {
namespace {

constexpr double kZoomPerNotch = 1.25;
constexpr double kSameTurn = 0.6;  // longest time in seconds between wheel events of one gesture
constexpr int kBackButton = 3;
constexpr int kForwardButton = 4;

}  // namespace

void MandelbrotMouse::begin() {
  if (HoldToZoom::begins(button_)) {
    gesture_ = Gesture::kZoom;
    moved_ = false;
    return;
  }
  for (const int button : {ImGuiMouseButton_Left, ImGuiMouseButton_Middle, ImGuiMouseButton_Right}) {
    if (!ImGui::IsMouseClicked(button)) continue;
    const bool box = button == ImGuiMouseButton_Left && (box_armed_ || ImGui::GetIO().KeyShift);
    gesture_ = box ? Gesture::kBox : Gesture::kPan;
    button_ = button;
    start_ = ImGui::GetIO().MousePos;
    moved_ = false;
    return;
  }
}

bool MandelbrotMouse::update(const Area& area, float scale, glm::ivec2 picture, Precision precision,
                             ViewHistory& history) {
  bool zooms_in = false;
  const ImGuiIO& io = ImGui::GetIO();
  const auto pixel_of = [&](glm::vec2 at) { return glm::dvec2((at - area.corner) * scale); };
  const glm::dvec2 pixel = pixel_of(io.MousePos);
  const bool over = !io.WantCaptureMouse && ImGui::IsMousePosValid() &&
                    render::Rect<double>{{}, glm::dvec2(picture)}.contains(pixel);
  pixel_.reset();
  if (over) pixel_ = pixel;

  if (over && io.MouseWheel != 0) {
    const double now = ImGui::GetTime();
    const double factor = std::pow(kZoomPerNotch, static_cast<double>(io.MouseWheel));
    history.go(zoomed(history.present(), picture, pixel, factor, precision), now - last_wheel_ < kSameTurn);
    last_wheel_ = now;
    zooms_in = factor > 1;
  }
  if (over && ImGui::IsMouseClicked(kBackButton)) history.back();
  if (over && ImGui::IsMouseClicked(kForwardButton)) history.forward();
  const bool dragged = io.MouseDelta.x != 0 || io.MouseDelta.y != 0;
  if (gesture_ == Gesture::kPan && dragged) {
    const glm::dvec2 pixels(glm::vec2(io.MouseDelta) * scale);
    history.go(panned(history.present(), picture, pixels, precision), moved_);
    moved_ = true;
  }
  if (gesture_ == Gesture::kZoom) {
    const double factor = HoldToZoom::factor(button_);
    history.go(zoomed(history.present(), picture, pixel, factor, precision), moved_);
    moved_ = true;
    zooms_in = factor > 1;
  }
  if (gesture_ == Gesture::kNone && over) begin();
  if (gesture_ != Gesture::kNone && !ImGui::IsMouseDown(button_)) {
    if (gesture_ == Gesture::kBox) {
      history.go(boxed(history.present(), picture, pixel_of(start_), pixel, precision));
      box_armed_ = false;
      zooms_in = true;
    }
    gesture_ = Gesture::kNone;
  }
  return zooms_in;
}

void MandelbrotMouse::draw(ImDrawList& list) const {
  if (gesture_ == Gesture::kBox) draw_rubber_band(list, start_);
}

}  // namespace loom::app
