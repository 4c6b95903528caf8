#pragma once

#include <memory>

#include "app/picture/life_rows.h"
#include "app/picture/picture_rows.h"
#include "app/scene/scene.h"
#include "compute/backend/engine_factory.h"

namespace loom::app::picture {

/// Largest side of an image in pixels.
inline constexpr int kMostSide = 32768;

/// Renders a scene with its own engines, without overlays, independently of the window.
class ScenePicture {
 public:
  /// Creates the engine of the scene's workspace with its cells; `watch` may cancel this. The visible part is
  /// that of the scene. `coloured` adds the colours of threads or tiles if the scene has them. Throws
  /// InputError, CapacityError, MachineError, Cancelled.
  ScenePicture(const scene::Scene& scene, render::Extent size, const BackendSelection& backend,
               Watch* watch = nullptr, bool coloured = false);
  ~ScenePicture();

  PictureRows& rows() { return coloured_ ? *coloured_ : *rows_; }
  /// Life: runs this number of generations. Throws Cancelled.
  void step(std::uint32_t times, Watch* watch = nullptr);
  /// Mandelbrot: changes the view. Throws InputError if precision is not sufficient.
  void look_at(const ComplexView& view);
  bool is_life() const { return engine_ != nullptr; }
  std::uint64_t generation() const { return engine_ ? engine_->generation() : 0; }
  /// Life: the cells, for a scene; `before` are the initial ones.
  FieldCells field_cells(const FieldCells& before) const;
  std::uint64_t cells() const { return engine_ ? engine_->cell_count() : 0; }

 private:
  Work work_;
  std::unique_ptr<FractalEngine> engine_;
  std::unique_ptr<PictureRows> rows_;
  std::unique_ptr<PictureRows> coloured_;  ///< colours over the cells, or null
};

/// The Mandelbrot view of a scene in an image of this size.
ComplexView view_in(const scene::Scene& scene, render::Extent size);

}  // namespace loom::app::picture
