#include "app/workspaces/life/document/coloured_rows.h"

#include <algorithm>

#include "app/explain/bit_storage_text.h"
#include "app/explain/data_colour.h"

namespace loom::app {

ColouredRows::Layout::Layout(const FractalConfig& config)
    : threads(config), cells(threads, explain::Space::kCells) {}

bool ColouredRows::can_draw(const FractalConfig& config, const explain::Colouring& colouring) {
  const bool of_another = colouring.by == explain::ColourBy::kWorker &&
                          (!colouring.workers || colouring.workers->config() != config);
  return colouring.by != explain::ColourBy::kState && !of_another && explain::has_tiles(config);
}

ColouredRows::ColouredRows(image::ImageRows& cells, const FractalConfig& config,
                           const explain::Colouring& colouring, const render::Camera& camera)
    : cells_(cells), layout_(std::make_unique<Layout>(config)), colouring_(colouring) {
  camera.edges(x_edges_, y_edges_);
  row_.resize(static_cast<std::size_t>(cells_.size().x));
}

void ColouredRows::find_row(std::size_t row) {
  const std::int64_t y = y_edges_[row];
  const explain::SpaceLayout& space = layout_->cells;
  const bool inside_y = y >= 0 && static_cast<std::uint64_t>(y) < space.height() && y_edges_[row + 1] >= y;
  // Image rows of the same row of points are identical.
  if (inside_y && y == row_y_) return;
  row_y_ = inside_y ? y : -1;
  std::int64_t last = -1;
  glm::u8vec4 colour{0};
  for (std::size_t column = 0; column < row_.size(); ++column) {
    const std::int64_t x = x_edges_[column];
    const bool inside = inside_y && x >= 0 && static_cast<std::uint64_t>(x) < space.width();
    if (!inside) {
      colour = glm::u8vec4{0};
      last = -1;
    } else if (x != last) {
      last = x;
      explain::ColourKey key;
      const auto ref = space.thread_at({static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)});
      if (ref) key = explain::colour_key(space.threads(), space.threads().location_of(*ref), colouring_);
      colour = key.kind == explain::ColourKey::Kind::kNone
                   ? glm::u8vec4{0}
                   : glm::u8vec4{explain::data_colour(key), explain::kColourAlpha};
    }
    row_[column] = colour;
  }
}

void ColouredRows::rows(int first, int count, std::vector<std::uint8_t>& rgb, ProgressMonitor* watch) {
  cells_.rows(first, count, rgb, watch);
  const auto width = row_.size();
  for (int i = 0; i < count; ++i) {
    if (watch != nullptr && watch->cancelled()) throw OperationCancelled();
    find_row(static_cast<std::size_t>(first + i));
    std::uint8_t* at = rgb.data() + static_cast<std::size_t>(i) * width * 3;
    for (std::size_t column = 0; column < width; ++column, at += 3) {
      const glm::u8vec4 colour = row_[column];
      if (colour.a == 0) continue;
      for (int channel = 0; channel < 3; ++channel) {
        at[channel] = static_cast<std::uint8_t>(
            (at[channel] * (255u - colour.a) + colour[channel] * std::uint32_t{colour.a} + 127u) / 255u);
      }
    }
  }
}

}  // namespace loom::app
