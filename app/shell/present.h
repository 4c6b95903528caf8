#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "compute/backend/engine_factory.h"
#include "compute/core/image_view.h"
#include "render/context/graphics_context.h"
#include "render/display_texture.h"
#include "render/dwell_renderer.h"
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
  void set_palette(const render::Palette& palette);
  const render::Palette& palette() const { return palette_; }
  /// Another number for each palette that was set.
  std::uint64_t palette_number() const { return palette_number_; }

  /// Where an engine should write its image, so that it gets here fastest.
  MemorySpace preferred_space() const;
  /// The image into the texture, which takes the image's size and format. Returns once the image may be
  /// written to again. Throws std::invalid_argument for an image without pixels or beyond the driver's limit,
  /// DeviceFault.
  void transfer(const ImageView& image);
  /// Where images come through interop: the texture is CUDA's until the next transfer, and what comes on the
  /// stream of the last image comes after all that OpenGL was asked for. Nothing for uploads, nor before the
  /// first image of an engine.
  void map_for_cuda();
  /// Another engine's images come next, on a stream of its own; the texture is OpenGL's again.
  void clear_stream();
  /// Milliseconds that an earlier transfer took on the GPU, once; nothing for uploads.
  std::optional<double> take_copy_milliseconds();
  /// Of the texture; 1 x 1 before the first image.
  render::Extent size() const { return texture_->size(); }
  /// The texture into `target`; `field` as in render::FieldRenderer.
  void draw(render::Rect target, const render::Rect& field);

  /// A texture of dwells over the whole `image`, in these colours, and of that what lies in `target`
  /// (render::DwellRenderer).
  void set_dwell_colours(std::span<const render::Rgb> colours) { dwell_renderer_.set_colours(colours); }
  void draw_dwells(render::Rect target, render::Rect image);
  render::Extent framebuffer() const { return context_.framebuffer_size(); }

  /// "CUDA-OpenGL interop", or "host upload" and why.
  const std::string& path() const { return path_; }

 private:
  void describe_path();
  template <typename Call>
  static void from_device(const Call& call);
  const render::GraphicsContext& context_;
  BackendSelection backend_;
  std::unique_ptr<render::DisplayTexture> texture_;
  render::FieldRenderer renderer_;
  render::DwellRenderer dwell_renderer_;
  render::Palette palette_ = render::palettes().front();
  std::uint64_t palette_number_ = 0;
  std::string path_;
  bool summed_on_host_ = false;  ///< the last image, of several devices, where one could stay on the device
  void* stream_ = nullptr;       ///< of the last image that came through interop
};

}  // namespace loom::app
