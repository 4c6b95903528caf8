#include "render/display_texture.h"

#include <stdexcept>
#include <vector>

#include "render/cuda_interop.h"
#include "render/gl/object.h"

namespace loom::render {

struct DisplayTexture::Impl {
  explicit Impl(int cuda_device) : interop(cuda_device) {}

  void allocate(glm::ivec2 new_size, TexelFormat new_format) {
    // A texture's storage is immutable, and CUDA must release the old one before OpenGL deletes it.
    interop.detach();
    texture = make_texture(new_format == TexelFormat::kUint16 ? GL_R16UI : GL_R32UI, new_size.x, new_size.y);
    // 0 outside, as small_cells.frag expects.
    glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    size = new_size;
    format = new_format;
    interop.attach(texture.name(), size, bytes_of(format));
  }

  Texture texture;
  glm::ivec2 size{0};
  TexelFormat format = TexelFormat::kUint16;
  CudaInterop interop;  ///< declared after the texture, so that it is destroyed first
};

DisplayTexture::DisplayTexture(int cuda_device) : impl_(std::make_unique<Impl>(cuda_device)) {
  impl_->allocate({1, 1}, TexelFormat::kUint16);
}

DisplayTexture::~DisplayTexture() = default;

void DisplayTexture::resize(glm::ivec2 size, TexelFormat format) {
  if (size == impl_->size && format == impl_->format) return;
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  if (size.x < 1 || size.y < 1 || size.x > largest || size.y > largest) {
    throw std::invalid_argument("a display texture of " + std::to_string(size.x) + " x " +
                                std::to_string(size.y) + " pixels; each side is 1 to " +
                                std::to_string(largest));
  }
  impl_->allocate(size, format);
}

glm::ivec2 DisplayTexture::size() const {
  return impl_->size;
}

TexelFormat DisplayTexture::format() const {
  return impl_->format;
}

unsigned DisplayTexture::gl_name() const {
  return impl_->texture.name();
}

bool DisplayTexture::interop() const {
  return impl_->interop.attached();
}

const std::string& DisplayTexture::interop_reason() const {
  return impl_->interop.reason();
}

void DisplayTexture::upload(const void* pixels, std::size_t row_bytes) {
  const auto texel = static_cast<std::size_t>(bytes_of(impl_->format));
  if (row_bytes % texel != 0 || row_bytes < static_cast<std::size_t>(impl_->size.x) * texel) {
    throw std::invalid_argument("rows of " + std::to_string(row_bytes) + " bytes for a texture " +
                                std::to_string(impl_->size.x) + " pixels wide; allowed: whole pixels of " +
                                std::to_string(texel) + " bytes, at least one row of them");
  }
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, static_cast<GLint>(texel));
  glPixelStorei(GL_UNPACK_ROW_LENGTH, static_cast<GLint>(row_bytes / texel));
  glTextureSubImage2D(impl_->texture.name(), 0, 0, 0, impl_->size.x, impl_->size.y, GL_RED_INTEGER,
                      impl_->format == TexelFormat::kUint16 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT, pixels);
  // The defaults, which Dear ImGui's backend requires.
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

void DisplayTexture::copy_from_cuda(const void* device_pixels, std::size_t row_bytes, CUstream_st* stream) {
  std::string refusal;
  if (impl_->interop.attached()) {
    try {
      impl_->interop.copy(device_pixels, row_bytes, stream);
      return;
    } catch (const std::runtime_error& error) {
      refusal = error.what();
    }
  }
  // If the memory cannot be read either, interop is not the cause.
  std::vector<unsigned char> rows;
  const int texel_bytes = bytes_of(impl_->format);
  impl_->interop.read(device_pixels, row_bytes, impl_->size, texel_bytes, stream, rows);
  if (!refusal.empty()) impl_->interop.refuse(refusal);
  upload(rows.data(), static_cast<std::size_t>(impl_->size.x) * static_cast<std::size_t>(texel_bytes));
}

void DisplayTexture::map_for_cuda(CUstream_st* stream) {
  try {
    impl_->interop.map_for_cuda(stream);
  } catch (const std::runtime_error& error) {
    impl_->interop.refuse(error.what());
  }
}

void DisplayTexture::unmap_from_cuda() {
  impl_->interop.unmap_from_cuda();
}

std::optional<double> DisplayTexture::take_copy_milliseconds() {
  return impl_->interop.take_milliseconds();
}

}  // namespace loom::render
