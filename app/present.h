#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "compute/core/image_view.h"
#include "compute/engine/engine_factory.h"
#include "render/context/graphics_context.h"
#include "render/display_texture.h"
#include "render/field_renderer.h"
#include "render/palette.h"

namespace loom::app {

/// Hands compute's image to render's texture and has it drawn: the only glue between the two.
class Presenter {
 public:
  /// `context` must outlive the presenter and stay current.
  Presenter(const render::GraphicsContext& context, const BackendSelection& backend);

  /// The engine moved: chooses between interop and host upload again.
  void use_backend(const BackendSelection& backend);
  /// Keeps the present palette where there is none of that name.
  void set_palette(std::string_view name);
  const render::Palette& palette() const { return *palette_; }

  /// Where the engine should write its image, for pictures of this size.
  MemorySpace prepare(render::Extent size);
  /// The image into the texture. Returns the milliseconds it took: map + copy + unmap, or the upload.
  double transfer(const ImageView& image);
  /// The texture into `target`; `field` as in render::FieldRenderer.
  void draw(render::Rect target, const render::Rect& field);

  /// "CUDA-OpenGL interop", or "host upload" and why.
  const std::string& path() const { return path_; }

 private:
  void describe_path();
  const render::GraphicsContext& context_;
  BackendSelection backend_;
  std::unique_ptr<render::DisplayTexture> texture_;
  render::FieldRenderer renderer_;
  const render::Palette* palette_;
  std::string path_;
};

}  // namespace loom::app
