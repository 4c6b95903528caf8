#include "compute/cuda/life/image_buffer.h"

#include <algorithm>

#include "compute/cuda/check.h"

namespace loom::cuda {

void ImageBuffer::reserve(const Viewport& viewport) {
  const std::size_t edges = viewport.x_edges.size() + viewport.y_edges.size();
  pixels_.reserve(area_of(viewport));
  if (edges > edges_.size()) columns_sent_ = 0;
  edges_.reserve(edges);
  staging_.reserve(edges);
}

DeviceViewport ImageBuffer::send(const Viewport& viewport, const Stream& stream, bool& changed) {
  const std::size_t columns = viewport.x_edges.size();
  const std::size_t rows = viewport.y_edges.size();
  changed = columns != columns_sent_ || rows != rows_sent_ ||
            !std::equal(viewport.x_edges.begin(), viewport.x_edges.end(), staging_.data()) ||
            !std::equal(viewport.y_edges.begin(), viewport.y_edges.end(), staging_.data() + columns);
  if (changed) {
    std::copy(viewport.x_edges.begin(), viewport.x_edges.end(), staging_.data());
    std::copy(viewport.y_edges.begin(), viewport.y_edges.end(), staging_.data() + columns);
    LOOM_CUDA(cudaMemcpyAsync(edges_.data(), staging_.data(), (columns + rows) * sizeof(std::int64_t),
                              cudaMemcpyHostToDevice, stream.get()));
    columns_sent_ = columns;
    rows_sent_ = rows;
  }
  return {make_pixel_axis(viewport.x_edges.data(), edges_.data(), viewport.width()),
          make_pixel_axis(viewport.y_edges.data(), edges_.data() + columns, viewport.height()),
          viewport.states};
}

bool covers_few_cells(const Viewport& viewport) {
  constexpr std::int64_t kGatherLimit = 16;
  const std::int64_t widest = longest_footprint(viewport.x_edges);
  const std::int64_t tallest = longest_footprint(viewport.y_edges);
  return widest <= kGatherLimit && tallest <= kGatherLimit && widest * tallest <= kGatherLimit;
}

}  // namespace loom::cuda
