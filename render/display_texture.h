#pragma once

#include <cstddef>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>

struct CUstream_st;  // cudaStream_t points to it

namespace loom::render {

/// The format of a display texture: GL_R16UI (densities, dwells) or GL_R32UI (smooth dwells).
enum class TexelFormat { kUint16, kUint32 };
constexpr int bytes_of(TexelFormat format) {
  return format == TexelFormat::kUint16 ? 2 : 4;
}

/// The integer texture that the renderers sample: one number per pixel. It is filled once per frame, from
/// host memory, or from CUDA memory through CUDA-OpenGL interop (map, copy, unmap on the caller's stream).
/// The GL context must be current for every call and for the destructor. The initial size is 1 x 1.
class DisplayTexture {
 public:
  /// `cuda_device`: ordinal of the device whose memory will be displayed; -1 for host uploads only.
  explicit DisplayTexture(int cuda_device = -1);
  ~DisplayTexture();
  DisplayTexture(const DisplayTexture&) = delete;
  DisplayTexture& operator=(const DisplayTexture&) = delete;

  /// Reallocates the texture (and registers it with CUDA again) if size or format differs; the content is
  /// then undefined. Throws std::invalid_argument for sides outside 1 .. the driver's limit; the texture is
  /// then unchanged.
  void resize(glm::ivec2 size, TexelFormat format = TexelFormat::kUint16);
  glm::ivec2 size() const;
  TexelFormat format() const;
  unsigned gl_name() const;

  /// True if copy_from_cuda works without the host. Otherwise interop_reason() has the reason for the status
  /// line.
  bool interop() const;
  const std::string& interop_reason() const;

  /// Uploads size().y host rows of texels that start `row_bytes` bytes apart (whole texels, at least
  /// `width` of them). Throws std::invalid_argument.
  void upload(const void* pixels, std::size_t row_bytes);
  /// Copies memory of the device given at construction, enqueued on the stream, see CudaInterop::copy(). If
  /// interop is refused, now or earlier, the pixels are copied through the host, and the stream is waited
  /// for. Throws std::runtime_error with the CUDA error's name if the memory cannot be read.
  void copy_from_cuda(const void* device_pixels, std::size_t row_bytes, CUstream_st* stream);
  /// Maps the texture for CUDA until the next copy_from_cuda() or unmap_from_cuda(), see
  /// CudaInterop::map_for_cuda(). If that is refused, interop() is false from then on.
  void map_for_cuda(CUstream_st* stream);
  void unmap_from_cuda();
  /// Milliseconds that an earlier copy took on the stream, returned once (CudaInterop::take_milliseconds()).
  std::optional<double> take_copy_milliseconds();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace loom::render
