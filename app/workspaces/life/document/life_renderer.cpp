#include "app/explain/memory.h"
#include "app/workspaces/life/document/life_state.h"
#include "app/workspaces/life/scene/life_stats.h"
#include "compute/backend/engine_factory.h"

namespace loom::app {

LifeRenderer::LifeRenderer(const LifeState& state, const scene::RenderRequest& request,
                           ProgressMonitor* watch)
    : work_(state.settings.work()),
      cells_(state.cells),
      generations_per_frame_(request.generations_per_frame) {
  const FractalConfig& config = state.settings.config;
  check_fits(config, request.backend);
  engine_ = make_fractal_engine(config, request.backend, watch);
  {
    const ScopedMonitor watched(*engine_, watch);
    CellSource made;
    make_cells(*engine_, made, cells_, watch);
  }
  render::Camera camera;
  camera.set_picture(request.size);
  const TileGrid space(config);
  camera.set_field({space.tiled().width, space.tiled().height});
  using CellShape = render::Camera::CellShape;
  camera.set_shape(state.settings.square_points ? CellShape::kSquare : CellShape::kAuto);
  look_at(camera, state.view);
  rows_ = std::make_unique<LifeRows>(
      *engine_, camera, palette_or_first(request.custom_palettes, request.palette), states_of(work_));
  const explain::Colouring& colouring = state.settings.colouring;
  if (request.coloured && ColouredRows::can_draw(config, colouring))
    coloured_ = std::make_unique<ColouredRows>(*rows_, config, colouring, camera);
}

LifeRenderer::~LifeRenderer() = default;

image::ImageRows& LifeRenderer::rows() {
  return coloured_ ? *coloured_ : *rows_;
}

void LifeRenderer::show_frame(int frame, int, ProgressMonitor* watch) {
  if (frame > 0) step(generations_per_frame_, watch);
}

void LifeRenderer::step(std::uint32_t times, ProgressMonitor* watch) {
  const ScopedMonitor watched(*engine_, watch);
  cells_.run(engine_->run(times, work_).generations, work_);
  if (watch != nullptr && watch->cancelled()) throw OperationCancelled();
}

std::unique_ptr<scene::StateRenderer> LifeState::renderer(const scene::RenderRequest& request,
                                                          ProgressMonitor* watch) const {
  return std::make_unique<LifeRenderer>(*this, request, watch);
}

namespace {

constexpr std::uint32_t kValues = 65536;

}  // namespace

LifeRows::LifeRows(FractalEngine& engine, const render::Camera& camera, const render::Palette& palette,
                   std::uint32_t states)
    : engine_(engine), size_(camera.picture()), field_(camera.field_rect()), outside_(palette.outside) {
  camera.edges(band_.x_edges, y_edges_);
  band_.states = states;
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
