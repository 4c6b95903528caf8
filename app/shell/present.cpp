#include "app/shell/present.h"

#include <stdexcept>
#include <utility>

#include "compute/core/error.h"
#include "compute/mandelbrot/smooth_dwell.h"

namespace loom::app {

Presenter::Presenter(const render::GraphicsContext& context, const BackendSelection& backend)
    : context_(context) {
  use_backend(backend);
}

void Presenter::use_backend(const BackendSelection& backend) {
  clear_stream();
  const bool stays = texture_ != nullptr && backend.same_device(backend_);
  backend_ = backend;
  if (stays) return;
  texture_ = std::make_unique<render::DisplayTexture>(backend.device.interop_ordinal());
  summed_on_host_ = false;
  describe_path();
}

void Presenter::describe_path() {
  if (summed_on_host_) {
    path_ = "CPU copy: images of several devices are joined in host memory";
  } else if (texture_->interop()) {
    path_ = "CUDA-OpenGL interop";
  } else if (!backend_.device.interop) {
    path_ = "CPU copy: the image is in host memory";
  } else {
    path_ = "CPU copy: " + texture_->interop_reason();
  }
}

void Presenter::set_palette(const render::Palette& palette) {
  if (palette == palette_) return;
  renderer_.set_palette(palette);
  palette_ = palette;
  ++palette_number_;
}

MemorySpace Presenter::preferred_space() const {
  return texture_->interop() ? MemorySpace::kCudaDevice : MemorySpace::kHost;
}

// Runs a CUDA call of the texture. A refused interop falls back to host copies, so any error that remains is
// a device fault.
template <typename Call>
void Presenter::from_device(const Call& call) {
  try {
    call();
  } catch (const std::runtime_error& error) {
    throw DeviceFault(error.what());
  }
}

void Presenter::transfer(const ImageView& image, render::FieldRenderer::Cells cells) {
  using Cells = render::FieldRenderer::Cells;
  const glm::ivec2 size{image.width, image.height};
  smooth_ = image.format == PixelFormat::kSmoothDwell32;
  const bool wide = smooth_ || image.format == PixelFormat::kDwell32 || image.format == PixelFormat::kSolid32;
  const auto texels = wide ? render::TexelFormat::kUint32 : render::TexelFormat::kUint16;
  if (texture_->size() != size || texture_->format() != texels) {
    texture_->resize(size, texels);
    describe_path();
  }
  // Devices that cannot sum images or access each other's memory always deliver images in host memory.
  const bool on_host = backend_.devices() > 1 && texture_->interop() && !image.stream;
  if (std::exchange(summed_on_host_, on_host) != on_host) describe_path();
  cells_ = image.stream ? cells : Cells::kAsResolved;
  if (!image.stream && cells == Cells::kSmall) {
    const auto* pixels = static_cast<const std::uint16_t*>(image.pixels);
    texture_->upload(isolated_cells_.enlarge(pixels, image.row_bytes, size),
                     static_cast<std::size_t>(size.x) * sizeof(*pixels));
    return;
  }
  if (!image.stream) {
    texture_->upload(image.pixels, image.row_bytes);
    return;
  }
  const bool had_interop = texture_->interop();
  from_device([&] { texture_->copy_from_cuda(image.pixels, image.row_bytes, image.stream.handle); });
  stream_ = texture_->interop() ? image.stream : DeviceStream{};
  if (had_interop && !texture_->interop()) describe_path();
}

void Presenter::map_for_cuda() {
  if (!stream_ || !texture_->interop()) return;
  from_device([&] { texture_->map_for_cuda(stream_.handle); });
  if (!texture_->interop()) describe_path();
}

std::optional<double> Presenter::take_copy_milliseconds() {
  std::optional<double> milliseconds;
  from_device([&] { milliseconds = texture_->take_copy_milliseconds(); });
  return milliseconds;
}

void Presenter::clear_stream() {
  stream_ = {};
  if (texture_ != nullptr) texture_->unmap_from_cuda();
}

void Presenter::set_dwell_colours(const render::DwellTable& colours) {
  dwell_renderer_.set_colours(colours);
  dwell_limit_ = colours.scale.limit;
}

void Presenter::draw_dwells(render::Rect<int> target, render::Rect<int> image, double degrees) {
  dwell_renderer_.set_fraction_bits(smooth_ ? smooth_digits(dwell_limit_) : 0);
  dwell_renderer_.draw(*texture_, context_.framebuffer_size(), target, image, degrees);
}

void Presenter::draw(render::Rect<int> target, const render::Rect<int>& field, glm::u8vec3 outside) {
  texture_->unmap_from_cuda();  // if CUDA did not deliver the image for which it was mapped
  renderer_.draw(*texture_, context_.framebuffer_size(), target, field, outside, cells_);
}

}  // namespace loom::app
