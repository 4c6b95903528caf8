#include <algorithm>
#include <utility>

#include "app/gui/theme.h"
#include "app/widgets/picture.h"
#include "app/workspaces/life/picture/life_picture.h"

namespace loom::app {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kFirstStride = 8;

// Values of cell_of_unit_ that are not a cell index.
constexpr std::int32_t kUnknown = -1;
constexpr std::int32_t kNoCell = -2;
constexpr std::int32_t kNoUnit = -3;

}  // namespace

void SpaceRaster::look_at(const explain::SpaceLayout& layout, const explain::Colouring& colouring) {
  layout_ = &layout;
  colouring_ = colouring;
  cell_of_unit_.clear();
  begun_ = false;
}

void SpaceRaster::set_states(const CellStates& states, const std::array<glm::u8vec3, 2>& colours) {
  states_ = &states;
  const std::array<std::uint32_t, 2> packed{theme::packed(colours[0]), theme::packed(colours[1])};
  const bool same_colours = std::exchange(state_colours_, packed) == packed;
  const bool same_states = std::exchange(states_version_, states.version()) == states.version();
  if ((same_states && same_colours) || colouring_.by != explain::ColourBy::kState || !begun_) return;
  stride_ = 1;  // the old image stays until it is painted over
  next_row_ = 0;
}

void SpaceRaster::begin(const render::Camera& camera) {
  camera_ = camera;
  camera.edges(x_edges_, y_edges_);
  columns_ = x_edges_.size() - 1;
  rows_ = y_edges_.size() - 1;
  pixels_.assign(columns_ * rows_, 0);
  stride_ = kFirstStride;
  next_row_ = 0;
  begun_ = true;
}

std::uint32_t SpaceRaster::colour_by_state(Coord64 unit) {
  const std::uint64_t width = layout_->width();
  const bool small = width <= kMaxStateUnits && layout_->height() <= kMaxStateUnits / width;
  if (!small || states_ == nullptr || states_->alive().empty()) {
    return layout_->thread_at(unit) ? state_colours_[0] : 0;
  }
  if (cell_of_unit_.empty()) {
    cell_of_unit_.assign(static_cast<std::size_t>(width * layout_->height()), kUnknown);
  }
  std::int32_t& cell = cell_of_unit_[static_cast<std::size_t>(unit.y * width + unit.x)];
  if (cell == kUnknown) {
    const auto ref = layout_->thread_at(unit);
    cell = layout_->exists(unit) ? kNoCell : kNoUnit;
    if (ref) {
      const explain::ThreadLocation place = layout_->threads().location_of(*ref);
      const auto index = place.has_cell ? layout_->threads().index_of_cell(place.cell) : std::nullopt;
      if (index) cell = static_cast<std::int32_t>(*index);
    }
  }
  if (cell == kNoUnit) return 0;
  if (cell < 0) return theme::packed(explain::data_colour({}));
  const auto index = static_cast<std::size_t>(cell);
  return state_colours_[index < states_->alive().size() && states_->alive()[index] == 1 ? 1 : 0];
}

std::uint32_t SpaceRaster::colour_at(Coord64 unit) {
  if (colouring_.by == explain::ColourBy::kState) return colour_by_state(unit);
  const auto ref = layout_->thread_at(unit);
  explain::ColourKey key;
  if (ref) key = explain::colour_key(layout_->threads(), layout_->threads().location_of(*ref), colouring_);
  const bool nothing = key.kind == explain::ColourKey::Kind::kNone;
  if (nothing && (clear_ || !layout_->exists(unit))) return 0;
  return theme::packed(explain::data_colour(key));
}

void SpaceRaster::fill_row(std::size_t row) {
  std::uint32_t* const line = &pixels_[row * columns_];
  const std::int64_t y = y_edges_[row];
  const bool inside_y = y >= 0 && static_cast<std::uint64_t>(y) < layout_->height() && y_edges_[row + 1] >= y;
  std::int64_t last = -1;
  std::uint32_t colour = 0;
  for (std::size_t column = 0; column < columns_; column += stride_) {
    const std::int64_t x = x_edges_[column];
    const bool inside = inside_y && x >= 0 && static_cast<std::uint64_t>(x) < layout_->width();
    if (!inside) {
      colour = 0;
      last = -1;
    } else if (x != last) {
      colour = colour_at({static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)});
      last = x;
    }
    std::fill(line + column, line + std::min(columns_, column + stride_), colour);
  }
}

void SpaceRaster::advance(const render::Camera& camera, std::chrono::duration<double, std::milli> budget) {
  if (layout_ == nullptr) return;
  const bool same_view = begun_ && camera_ == camera;
  if (!same_view) begin(camera);
  if (finished()) return;
  const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(budget);
  while (!finished()) {
    const std::size_t last = std::min(rows_, next_row_ + stride_);
    // Rows that show the same units are equal.
    const bool alike = next_row_ > 0 && y_edges_[next_row_] == y_edges_[next_row_ - 1] && stride_ == 1;
    const auto line = [&](std::size_t row) {
      return pixels_.begin() + static_cast<std::ptrdiff_t>(row * columns_);
    };
    if (alike) {
      std::copy(line(next_row_ - 1), line(next_row_), line(next_row_));
    } else {
      fill_row(next_row_);
      for (std::size_t row = next_row_ + 1; row < last; ++row) {
        std::copy(line(next_row_), line(next_row_ + 1), line(row));
      }
    }
    next_row_ = last;
    if (next_row_ >= rows_) {
      next_row_ = 0;
      stride_ = stride_ == 1 ? 0 : 1;
    }
    if (Clock::now() > end) break;
  }
  changed_ = true;
}

void SpaceRaster::upload() {
  if (!std::exchange(changed_, false) || pixels_.empty()) return;
  texture_.upload({static_cast<int>(columns_), static_cast<int>(rows_)}, pixels_);
}

void SpaceRaster::draw(ImDrawList& list, const Area& area, std::uint8_t alpha) const {
  draw_texture(list, texture_, area, alpha);
}

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

// compute/engine/pixel_lookup.h defines which cells a pixel covers.
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
