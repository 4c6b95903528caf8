#include "app/workspaces/life/document/life_renderer.h"

#include "app/workspaces/life/document/coloured_rows.h"
#include "app/workspaces/life/scene/tile_grid.h"
#include "compute/backend/engine_factory.h"

namespace loom::app {

LifeRenderer::LifeRenderer(const LifeState& state, const scene::RenderRequest& request,
                           ProgressMonitor* watch)
    : work_(state.settings.work()), generations_per_frame_(request.generations_per_frame) {
  const FractalConfig& config = state.settings.config;
  check_fits(config, request.backend);
  engine_ = make_fractal_engine(config, request.backend, watch);
  {
    const ScopedMonitor watched(*engine_, watch);
    write_cells(*engine_, state.cells, watch);
  }
  render::Camera camera;
  camera.set_picture(request.size);
  const TileGrid space(config);
  camera.set_field({space.tiled().width, space.tiled().height});
  using CellShape = render::Camera::CellShape;
  camera.set_shape(state.settings.square_points ? CellShape::kSquare : CellShape::kAuto);
  look_at(camera, state.view);
  rows_ = std::make_unique<LifeRows>(*engine_, camera,
                                     palette_or_first(request.custom_palettes, request.palette));
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
  engine_->run(times, work_);
  if (watch != nullptr && watch->cancelled()) throw OperationCancelled();
}

FieldCells LifeRenderer::field_cells(const FieldCells& before) const {
  // The history can be recomputed only if all generations used the same workload.
  const bool recomputable = !before.bits && (before.generation == 0 || before.work == work_);
  FieldCells all = before;
  all.work = work_;
  return copy_cells(*engine_, recomputable ? &all : nullptr);
}

std::unique_ptr<scene::StateRenderer> LifeState::renderer(const scene::RenderRequest& request,
                                                          ProgressMonitor* watch) const {
  return std::make_unique<LifeRenderer>(*this, request, watch);
}

}  // namespace loom::app
