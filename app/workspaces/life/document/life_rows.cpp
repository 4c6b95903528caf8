#include "app/workspaces/life/document/life_rows.h"

#include <cstring>

namespace loom::app {
namespace {

constexpr std::uint32_t kValues = 65536;

}  // namespace

LifeRows::LifeRows(FractalEngine& engine, const render::Camera& camera, const render::Palette& palette)
    : engine_(engine), size_(camera.picture()), field_(camera.field_rect()), outside_(palette.outside) {
  camera.edges(band_.x_edges, y_edges_);
  colours_.reserve(kValues);
  for (std::uint32_t value = 0; value < kValues; ++value)
    colours_.push_back(render::display_colour(palette, static_cast<std::uint16_t>(value)));
}

void LifeRows::rows(int first, int count, std::vector<std::uint8_t>& rgb, ProgressMonitor* watch) {
  if (watch != nullptr && watch->cancelled()) throw OperationCancelled();
  band_.y_edges.assign(y_edges_.begin() + first, y_edges_.begin() + first + count + 1);
  ImageView image;
  {
    const ScopedMonitor watched(engine_, watch);
    engine_.resolve(band_, MemorySpace::kHost, image);
  }
  const auto width = static_cast<std::size_t>(size_.x);
  rgb.resize(width * static_cast<std::size_t>(count) * 3);
  const auto put = [](std::uint8_t*& at, glm::u8vec3 colour) {
    for (int channel = 0; channel < 3; ++channel) *at++ = colour[channel];
  };
  std::uint8_t* at = rgb.data();
  for (int row = 0; row < count; ++row) {
    const int y = first + row;
    const bool inside = y >= field_.corner.y && y < field_.end().y;
    const int left = inside ? field_.corner.x : size_.x;
    const int right = inside ? field_.end().x : size_.x;
    const auto* const values = reinterpret_cast<const std::uint16_t*>(
        static_cast<const std::byte*>(image.pixels) + static_cast<std::size_t>(row) * image.row_bytes);
    for (int x = 0; x < left; ++x) put(at, outside_);
    for (int x = left; x < right; ++x) put(at, colours_[values[x]]);
    for (int x = right; x < size_.x; ++x) put(at, outside_);
  }
}

}  // namespace loom::app
