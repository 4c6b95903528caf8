#include "app/document/image/scene_image.h"

#include "app/document/image/coloured_rows.h"
#include "app/document/image/dwell_rows.h"
#include "app/workspaces/life/scene/tile_grid.h"

namespace loom::app::picture {
SceneImage::SceneImage(const scene::Scene& scene, render::Extent size, const BackendSelection& backend,
                       ProgressMonitor* watch, bool coloured)
    : work_(scene.life.work()) {
  if (scene.workspace != 0) {
    rows_ = std::make_unique<DwellRows>(scene.mandelbrot, view_in(scene, size), size,
                                        palette_or_first(scene.custom_palettes, scene.mandelbrot.palette),
                                        backend);
    return;
  }
  const FractalConfig& config = scene.life.config;
  engine_ = make_fractal_engine(config, backend, watch);
  {
    const ScopedMonitor watched(*engine_, watch);
    write_cells(*engine_, scene.cells, watch);
  }
  render::Camera camera;
  camera.set_picture(size);
  const TileGrid space(config);
  camera.set_field(space.tiled().width, space.tiled().height);
  using CellShape = render::Camera::CellShape;
  camera.set_shape(scene.life.square_points ? CellShape::kSquare : CellShape::kAuto);
  loom::app::look_at(camera, scene.life_view);
  rows_ =
      std::make_unique<LifeRows>(*engine_, camera, palette_or_first(scene.custom_palettes, scene.palette));
  if (coloured && ColouredRows::can_draw(config, scene.life.colouring))
    coloured_ = std::make_unique<ColouredRows>(*rows_, config, scene.life.colouring, camera);
}

SceneImage::~SceneImage() = default;

void SceneImage::step(std::uint32_t times, ProgressMonitor* watch) {
  const ScopedMonitor watched(*engine_, watch);
  engine_->run(times, work_);
  if (watch != nullptr && watch->cancelled()) throw OperationCancelled();
}

FieldCells SceneImage::field_cells(const FieldCells& before) const {
  // The history can be recomputed only if all generations used the same workload.
  const bool recomputable = !before.bits && (before.generation == 0 || before.work == work_);
  FieldCells all = before;
  all.work = work_;
  return copy_cells(*engine_, recomputable ? &all : nullptr);
}

void SceneImage::look_at(const ComplexView& view) {
  dynamic_cast<DwellRows&>(*rows_).look_at(view);
}

ComplexView view_in(const scene::Scene& scene, render::Extent size) {
  return scene.mandelbrot_view.value_or(default_view(size));
}

}  // namespace loom::app::picture
