#include <algorithm>
#include <cmath>

#include "app/palette/custom_palettes.h"
#include "app/workspaces/solid/document/solid_state.h"
#include "app/workspaces/solid/scene/solid_settings.h"
#include "compute/backend/engine_factory.h"

namespace loom::app {
namespace {

using scene::Json;

/// The longest side of a part of an image that is traced at once.
constexpr int kPartRows = 256;

/// Draws a state with an engine of its own, in bands of rows.
class SolidImageRenderer final : public scene::StateRenderer, public image::ImageRows {
 public:
  SolidImageRenderer(const SolidState& state, const scene::RenderRequest& request, ProgressMonitor* watch)
      : settings_(state.settings),
        camera_(state.camera),
        size_(request.size),
        per_frame_(request.generations_per_frame),
        colours_(colours_of(palette_or_first(request.custom_palettes, request.palette),
                            state.settings.look.colouring)),
        engine_(make_fractal_engine(settings_.config, first_device(request.backend))) {
    for (const Json& place : request.keyframes)
      keyframes_.push_back(read_camera(JsonReader(place, "keyframe")));
    const ScopedMonitor watched(*engine_, watch);
    CellSourceOf<3> made;
    make_cells(*engine_, made, state.cells, watch);
  }
  image::ImageRows& rows() override { return *this; }
  /// A video goes through the keyframes, or turns the camera around once, while generations go by.
  void show_frame(int frame, int frames, ProgressMonitor* watch) override {
    if (!keyframes_.empty()) {
      const float time = frames > 1 ? static_cast<float>(frame) / static_cast<float>(frames - 1) : 0;
      camera_ = camera_between(keyframes_, time);
    }
    if (frame == 0) return;
    const ScopedMonitor watched(*engine_, watch);
    engine_->run(per_frame_, settings_.work);
    check_cancel(watch);
    if (keyframes_.empty()) camera_.orbit({2.0f / static_cast<float>(std::max(frames, 1)), 0});
  }
  glm::ivec2 size() const override { return size_; }
  void rows(int first, int count, std::vector<std::uint8_t>& rgb, ProgressMonitor* watch) override {
    rgb.clear();
    rgb.reserve(static_cast<std::size_t>(size_.x) * static_cast<std::size_t>(count) * 3);
    const SolidView whole = view_of(settings_.config, settings_.look, camera_, size_);
    const ScopedMonitor watched(*engine_, watch);
    for (int row = first; row < first + count; row += kPartRows) {
      SolidView part = whole;
      const auto down = static_cast<float>(row);
      part.height = std::min(kPartRows, first + count - row);
      part.origin = whole.origin + down * whole.down;
      part.direction = whole.direction + down * whole.turn_down;
      SolidImage image;
      engine_->trace(part, MemorySpace::kHost, image);
      for (int i = 0; i < part.width * part.height; ++i) {
        const glm::u8vec3 colour = colour_of_pixel(colours_, image.pixels[i], row + i / part.width, size_.y);
        rgb.insert(rgb.end(), {colour.r, colour.g, colour.b});
      }
    }
  }

 private:
  static render::SolidColours colours_of(const render::Palette& palette, SolidColouring colouring) {
    return solid_colours(palette, colouring, palette.outside);
  }
  SolidSettings settings_;
  SolidCamera camera_;
  std::vector<SolidCamera> keyframes_;
  glm::ivec2 size_{0};
  std::uint32_t per_frame_;
  render::SolidColours colours_;
  std::unique_ptr<SolidEngine> engine_;
};

}  // namespace

SolidCamera camera_between(std::span<const SolidCamera> keyframes, float time) {
  const float at = time * static_cast<float>(keyframes.size() - 1);
  const auto first = std::min(static_cast<std::size_t>(at), keyframes.size() - 1);
  const SolidCamera& from = keyframes[first];
  const SolidCamera& to = keyframes[std::min(first + 1, keyframes.size() - 1)];
  const float part = at - static_cast<float>(first);
  SolidCamera camera = from;
  camera.orientation = glm::slerp(from.orientation, to.orientation, part);
  camera.target = glm::mix(from.target, to.target, part);
  camera.distance = from.distance * std::pow(to.distance / from.distance, part);
  return camera;
}

std::unique_ptr<scene::StateRenderer> SolidState::renderer(const scene::RenderRequest& request,
                                                           ProgressMonitor* watch) const {
  return std::make_unique<SolidImageRenderer>(*this, request, watch);
}

}  // namespace loom::app
