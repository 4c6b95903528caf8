#include "app/picture/scene_picture.h"

#include "app/life/scene/block_space.h"
#include "app/picture/coloured_rows.h"
#include "app/picture/dwell_rows.h"

namespace loom::app::picture {
ScenePicture::ScenePicture(const scene::Scene& scene, render::Extent size, const BackendSelection& backend,
                           Watch* watch, bool coloured)
    : work_(scene.life.work()) {
  if (scene.workspace != 0) {
    rows_ =
        std::make_unique<DwellRows>(scene.mandelbrot, view_in(scene, size), size,
                                    palette_or_first(scene.own_palettes, scene.mandelbrot.palette), backend);
    return;
  }
  const FractalConfig& config = scene.life.config;
  engine_ = make_fractal_engine(config, backend, watch);
  {
    const WatchedEngine watched(*engine_, watch);
    put_into(*engine_, scene.cells, watch);
  }
  render::Camera camera;
  camera.set_picture(size);
  const BlockSpace space(config);
  camera.set_field(space.blocked().width, space.blocked().height);
  using CellShape = render::Camera::CellShape;
  camera.set_shape(scene.life.square_points ? CellShape::kSquare : CellShape::kAuto);
  loom::app::look_at(camera, scene.life_view);
  rows_ = std::make_unique<LifeRows>(*engine_, camera, palette_or_first(scene.own_palettes, scene.palette));
  if (coloured && ColouredRows::draws(config, scene.life.colouring))
    coloured_ = std::make_unique<ColouredRows>(*rows_, config, scene.life.colouring, camera);
}

ScenePicture::~ScenePicture() = default;

void ScenePicture::step(std::uint32_t times, Watch* watch) {
  const WatchedEngine watched(*engine_, watch);
  engine_->run(times, work_);
  if (watch != nullptr && watch->cancelled()) throw Cancelled();
}

FieldCells ScenePicture::field_cells(const FieldCells& before) const {
  // Generations of another work than the first's are not said in one word.
  const bool grown = !before.bits && (before.generation == 0 || before.work == work_);
  FieldCells all = before;
  all.work = work_;
  return cells_of(*engine_, grown ? &all : nullptr);
}

void ScenePicture::look_at(const ComplexView& view) {
  dynamic_cast<DwellRows&>(*rows_).look_at(view);
}

ComplexView view_in(const scene::Scene& scene, render::Extent size) {
  return scene.mandelbrot_view.value_or(default_view(size));
}

}  // namespace loom::app::picture
