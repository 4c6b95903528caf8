#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "app/palette/custom_palettes.h"
#include "app/workspaces/mandelbrot/document/mandelbrot_state.h"
#include "app/workspaces/solid/document/solid_state.h"
#include "compute/backend/engine_factory.h"

namespace loom::app {
namespace {

constexpr int kRaysPerSide = 2;  ///< of a pixel
constexpr int kRowsAtOnce = 64;  ///< rows of an image that are traced at once

class VolumeRenderer final : public scene::StateRenderer {
 public:
  VolumeRenderer(const MandelbrotState& state, const scene::RenderRequest& request, ProgressMonitor* watch)
      : camera_(state.settings.volume.camera),
        engine_(make_volume_engine(first_device(request.backend))),
        rows_(*engine_, state.settings.volume, request.size,
              palette_or_first(request.custom_palettes, state.settings.palette)) {
    for (const scene::Json& place : request.keyframes)
      keyframes_.push_back(read_volume(JsonReader(place, "keyframe").object("volume")).camera);
    const ScopedMonitor watched(*engine_, watch);
    engine_->compute(state.settings.volume_config());
    if (state.settings.volume.misses) engine_->count_differences();
  }
  image::ImageRows& rows() override { return rows_; }
  /// A video goes through the keyframes, or turns the camera around once.
  void show_frame(int frame, int frames, ProgressMonitor*) override {
    if (!keyframes_.empty()) {
      const float time = frames > 1 ? static_cast<float>(frame) / static_cast<float>(frames - 1) : 0;
      rows_.look_from(camera_between(keyframes_, time));
      return;
    }
    if (frame > 0) camera_.orbit({2.0f / static_cast<float>(std::max(frames, 1)), 0});
    rows_.look_from(camera_);
  }

 private:
  SolidCamera camera_;
  std::vector<SolidCamera> keyframes_;
  std::unique_ptr<VolumeEngine> engine_;
  VolumeRows rows_;
};

}  // namespace

void VolumeRows::rows(int first, int count, std::vector<std::uint8_t>& rgb, ProgressMonitor* watch) {
  rgb.clear();
  rgb.reserve(static_cast<std::size_t>(size_.x) * static_cast<std::size_t>(count) * 3);
  const glm::ivec2 rays = size_ * kRaysPerSide;
  const SolidView whole = volume_view(settings_, engine_.config().size, camera_, rays);
  const ScopedMonitor watched(engine_, watch);
  for (int row = first; row < first + count; row += kRowsAtOnce) {
    SolidView part = whole;
    const auto down = static_cast<float>(row * kRaysPerSide);
    const int part_rows = std::min(kRowsAtOnce, first + count - row);
    part.height = part_rows * kRaysPerSide;
    part.origin = whole.origin + down * whole.down;
    part.direction = whole.direction + down * whole.turn_down;
    SolidImage image;
    engine_.draw(part, volume_look(settings_, camera_), MemorySpace::kHost, image);
    check_cancel(watch);
    for (int y = 0; y < part_rows; ++y) {
      for (int x = 0; x < size_.x; ++x) {
        glm::vec3 sum(0);
        for (int ray = 0; ray < kRaysPerSide * kRaysPerSide; ++ray) {
          const int at =
              (y * kRaysPerSide + ray / kRaysPerSide) * rays.x + x * kRaysPerSide + ray % kRaysPerSide;
          sum += glm::vec3(colour_of_volume_pixel(colours_, image.pixels[at], row + y, size_.y));
        }
        const glm::u8vec3 colour(glm::round(sum / static_cast<float>(kRaysPerSide * kRaysPerSide)));
        rgb.insert(rgb.end(), {colour.r, colour.g, colour.b});
      }
    }
  }
}

std::unique_ptr<scene::StateRenderer> make_volume_renderer(const MandelbrotState& state,
                                                           const scene::RenderRequest& request,
                                                           ProgressMonitor* watch) {
  return std::make_unique<VolumeRenderer>(state, request, watch);
}

}  // namespace loom::app
