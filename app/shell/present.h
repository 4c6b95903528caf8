#pragma once

#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <optional>
#include <string>

#include "compute/core/image_view.h"
#include "compute/device/device.h"
#include "render/context/graphics_context.h"
#include "render/display_texture.h"
#include "render/isolated_cells.h"
#include "render/palette.h"
#include "render/renderers.h"

namespace loom::app {

/// Transfers images from compute to a texture of render and draws it. This is the only connection between the
/// two libraries.
class Presenter {
 public:
  /// `context` must outlive the presenter and stay current.
  Presenter(const render::GraphicsContext& context, const BackendSelection& backend);

  /// Call after a change of backend or device: selects interop or host upload again.
  void use_backend(const BackendSelection& backend);
  /// Whether images of this backend's device need no other texture.
  bool is_for(const BackendSelection& backend) const { return backend.same_device(backend_); }
  void set_palette(const render::Palette& palette);
  const render::Palette& palette() const { return palette_; }
  /// Changes whenever the palette changes.
  std::uint64_t palette_number() const { return palette_number_; }

  /// The memory space in which an engine should write its image for the fastest transfer.
  MemorySpace preferred_space() const;
  /// Copies the image into the texture, which is resized to the image's size and format. The image may be
  /// overwritten once this returns. Throws std::invalid_argument for an image without pixels or beyond the
  /// driver's limit, and DeviceFault. For `cells` see render::FieldRenderer; an image in host memory is
  /// enlarged there, since software rasterizers take several times as long.
  void transfer(const ImageView& image,
                render::FieldRenderer::Cells cells = render::FieldRenderer::Cells::kAsResolved);
  /// With interop, maps the texture for CUDA until the next transfer. Later work on the stream of the last
  /// image is ordered after all OpenGL commands so far. Has no effect for uploads and before an engine's
  /// first image.
  void map_for_cuda();
  /// Call before another engine delivers images on a different stream. Unmaps the texture from CUDA.
  void clear_stream();
  /// GPU time in milliseconds of an earlier transfer, returned once; nothing for uploads.
  std::optional<double> take_copy_milliseconds();
  /// Size of the texture; 1 x 1 before the first image.
  glm::ivec2 size() const { return texture_->size(); }
  /// Draws the texture into `target`; `field` and `outside` as in render::FieldRenderer.
  void draw(render::Rect<int> target, const render::Rect<int>& field, glm::u8vec3 outside);

  /// Draws a texture of dwells with these colours: the texture covers `image`, and only the part inside
  /// `target` is drawn (render::DwellRenderer).
  void set_dwell_colours(const render::DwellTable& colours);
  void draw_dwells(render::Rect<int> target, render::Rect<int> image, double degrees = 0);
  /// Draws the texture of a three-dimensional picture.
  void draw_solid(render::SolidRenderer& renderer, const render::Rect<int>& target) const {
    renderer.draw(*texture_, context_.framebuffer_size(), target);
  }
  glm::ivec2 framebuffer() const { return context_.framebuffer_size(); }

  /// "CUDA-OpenGL interop", or "CPU copy: " and the reason.
  const std::string& path() const { return path_; }

 private:
  void describe_path();
  template <typename Call>
  static void from_device(const Call& call);
  const render::GraphicsContext& context_;
  BackendSelection backend_;
  std::unique_ptr<render::DisplayTexture> texture_;
  render::FieldRenderer renderer_;
  render::IsolatedCells isolated_cells_;
  /// How the texture is drawn: as resolved if its isolated cells have been enlarged already.
  render::FieldRenderer::Cells cells_ = render::FieldRenderer::Cells::kAsResolved;
  render::DwellRenderer dwell_renderer_;
  render::Palette palette_ = render::palettes().front();
  std::uint64_t palette_number_ = 0;
  std::string path_;
  bool summed_on_host_ = false;  ///< the last image of several devices came through host memory although the
                                 ///< texture supports interop
  bool smooth_ = false;          ///< the image is of smooth dwells
  std::uint32_t dwell_limit_ = 0;  ///< of the colours
  DeviceStream stream_;            ///< stream of the last image transferred through interop
};

}  // namespace loom::app
