#include "app/workspaces/life/picture/device_raster.h"

#include <algorithm>
#include <utility>

#include "app/explain/data_colour.h"
#include "app/gui/theme.h"
#include "app/widgets/texture_image.h"

namespace loom::app {

using Clock = std::chrono::steady_clock;
using Tile = explain::DeviceCells::Tile;

void DeviceRaster::look_at(std::shared_ptr<const explain::DeviceCells> cells) {
  cells_ = std::move(cells);
  camera_.reset();
}

void DeviceRaster::begin(const render::Camera& camera) {
  camera_ = camera;
  camera.edges(x_edges_, y_edges_);
  columns_ = x_edges_.size() - 1;
  rows_ = y_edges_.size() - 1;
  devices_.assign(columns_ * rows_, kNoDevice);
  stack_.assign(1, Tile{});
}

// compute/engine/viewport.h defines which cells a pixel covers.
DeviceRaster::Pixels DeviceRaster::pixels_of(const std::vector<std::int64_t>& edges, std::uint64_t first,
                                             std::uint64_t count) {
  const auto low = static_cast<std::int64_t>(first);
  const auto high = static_cast<std::int64_t>(first + count);
  const auto at = [&](auto place) { return place - edges.begin(); };
  const std::ptrdiff_t at_least = at(std::lower_bound(edges.begin(), edges.end(), low));
  const std::ptrdiff_t above = at(std::upper_bound(edges.begin(), edges.end(), low));
  const std::ptrdiff_t begin = std::max<std::ptrdiff_t>(0, std::min(above - 1, at_least));
  const std::ptrdiff_t end =
      std::min(at(std::lower_bound(edges.begin(), edges.end(), high)), std::ssize(edges) - 1);
  if (begin >= end) return {};
  Pixels pixels{static_cast<std::size_t>(begin), static_cast<std::size_t>(end)};
  pixels.inside = end - begin == 1 && edges[pixels.first] <= low &&
                  high <= std::max(edges[pixels.first] + 1, edges[pixels.first + 1]);
  return pixels;
}

void DeviceRaster::visit(const Tile& tile) {
  const Coord64 size = cells_->size(tile.depth);
  const Pixels across = pixels_of(x_edges_, tile.corner.x, size.x);
  const Pixels down = pixels_of(y_edges_, tile.corner.y, size.y);
  if (across.first == across.end || down.first == down.end) return;
  const std::optional<std::uint32_t> device = cells_->device_of(tile);
  const auto colour = device ? static_cast<std::uint8_t>(*device) : kSeveralDevices;
  const bool is_cell = tile.depth == cells_->levels();
  const bool paints = is_cell || (across.inside && down.inside);
  bool changes = false;
  for (std::size_t row = down.first; row < down.end && !(changes && !paints); ++row) {
    for (std::size_t column = across.first; column < across.end; ++column) {
      std::uint8_t& pixel = devices_[row * columns_ + column];
      if (pixel == colour || pixel == kSeveralDevices) continue;
      changes = true;
      if (!paints) break;
      pixel = pixel == kNoDevice ? colour : kSeveralDevices;
    }
  }
  // A tile whose pixels all have the colour already need not be subdivided.
  if (paints || !changes) return;
  for (std::uint32_t replica = cells_->replicas(); replica-- > 0;)
    stack_.push_back(cells_->child(tile, replica));
}

void DeviceRaster::advance(const render::Camera& camera, std::chrono::duration<double, std::milli> budget) {
  if (!cells_) return;
  if (camera_ != camera) {
    begin(camera);
    changed_ = true;
  }
  if (finished()) return;
  constexpr int kBetweenLooks = 256;
  const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(budget);
  do {
    for (int i = 0; i < kBetweenLooks && !stack_.empty(); ++i) {
      const Tile tile = stack_.back();
      stack_.pop_back();
      visit(tile);
    }
  } while (!stack_.empty() && Clock::now() < end);
  changed_ = true;
}

void DeviceRaster::upload() {
  if (!std::exchange(changed_, false) || devices_.empty()) return;
  colours_.resize(devices_.size());
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    const std::uint8_t device = devices_[i];
    if (device >= kSeveralDevices) {
      colours_[i] = 0;
      continue;
    }
    colours_[i] = theme::packed(explain::data_colour({explain::ColourKey::Kind::kNumber, device, 0}));
  }
  texture_.upload({static_cast<int>(columns_), static_cast<int>(rows_)}, colours_);
}

void DeviceRaster::draw(ImDrawList& list, const Area& area, std::uint8_t alpha) const {
  draw_texture(list, texture_, area, alpha);
}

}  // namespace loom::app
