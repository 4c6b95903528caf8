#pragma once

#include <memory>

#include "app/picture/life_rows.h"
#include "app/picture/picture_rows.h"
#include "app/scene/scene.h"
#include "compute/backend/engine_factory.h"

namespace loom::app::picture {

/// The most pixels of a picture's side.
inline constexpr int kMostSide = 32768;

/// A scene that is pictured by engines of its own, beside whatever shows it. What is drawn over the picture
/// in the window is not there.
class ScenePicture {
 public:
  /// Builds the engine of the scene's workspace with its cells; `watch` watches that. The camera looks at
  /// what the scene's does. `coloured`: with the colours of threads or blocks over the cells, where the scene
  /// has them. Throws InputError, CapacityError, MachineError, Cancelled.
  ScenePicture(const scene::Scene& scene, render::Extent size, const BackendSelection& backend,
               Watch* watch = nullptr, bool coloured = false);
  ~ScenePicture();

  PictureRows& rows() { return coloured_ ? *coloured_ : *rows_; }
  /// Of life: does the scene's work so many times more. Throws Cancelled.
  void step(std::uint32_t times, Watch* watch = nullptr);
  /// Of the Mandelbrot set: looks at this. Throws InputError where there is no room for it.
  void look_at(const ComplexView& view);
  bool is_life() const { return engine_ != nullptr; }
  std::uint64_t generation() const { return engine_ ? engine_->generation() : 0; }
  /// Of life: its cells, for a scene; `before` are those that it began with.
  FieldCells field_cells(const FieldCells& before) const;
  std::uint64_t cells() const { return engine_ ? engine_->cell_count() : 0; }

 private:
  Work work_;
  std::unique_ptr<FractalEngine> engine_;
  std::unique_ptr<PictureRows> rows_;
  std::unique_ptr<PictureRows> coloured_;  ///< over them, or none
};

/// The view of a scene's Mandelbrot workspace in a picture of this size.
ComplexView view_in(const scene::Scene& scene, render::Extent size);

}  // namespace loom::app::picture
