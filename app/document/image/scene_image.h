#pragma once

#include <memory>

#include "app/document/image/image_rows.h"
#include "app/document/image/life_rows.h"
#include "app/document/scene/scene.h"
#include "compute/backend/engine_factory.h"

namespace loom::app::picture {

/// Largest side of an image in pixels.
inline constexpr int kMostSide = 32768;

/// Renders a scene with its own engines, without overlays, independently of the window.
class SceneImage {
 public:
  /// Creates the engine of the scene's workspace with its cells; `watch` may cancel this. The visible part is
  /// that of the scene. `coloured` adds the colours of threads or tiles if the scene has them. Throws
  /// InputError, CapacityError, MachineError, OperationCancelled.
  SceneImage(const scene::Scene& scene, render::Extent size, const BackendSelection& backend,
             ProgressMonitor* watch = nullptr, bool coloured = false);
  ~SceneImage();

  ImageRows& rows() { return coloured_ ? *coloured_ : *rows_; }
  /// Life: runs this number of generations. Throws OperationCancelled.
  void step(std::uint32_t times, ProgressMonitor* watch = nullptr);
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
  std::unique_ptr<ImageRows> rows_;
  std::unique_ptr<ImageRows> coloured_;  ///< colours over the cells, or null
};

/// The Mandelbrot view of a scene in an image of this size.
ComplexView view_in(const scene::Scene& scene, render::Extent size);

}  // namespace loom::app::picture
