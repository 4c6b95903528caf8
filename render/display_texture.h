#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "render/extent.h"

namespace loom::render {

/// The integers of a display texture: GL_R16UI (densities, dwells) or GL_R32UI (smooth dwells).
enum class TexelFormat { kUint16, kUint32 };
constexpr int bytes_of(TexelFormat format) {
  return format == TexelFormat::kUint16 ? 2 : 4;
}

/// The integer texture that the renderers sample: one number a pixel. It is filled once a frame, from host
/// memory, or from CUDA memory through CUDA-OpenGL interop (map, copy, unmap on the caller's stream). The GL
/// context must be current for every call and for the destructor. Starts as 1 x 1.
class DisplayTexture {
 public:
  /// `cuda_device`: ordinal whose memory will be shown, -1 for host uploads only.
  explicit DisplayTexture(int cuda_device = -1);
  ~DisplayTexture();
  DisplayTexture(const DisplayTexture&) = delete;
  DisplayTexture& operator=(const DisplayTexture&) = delete;

  /// Reallocates (and registers with CUDA again) if size or format differs; the content is then undefined.
  /// Throws std::invalid_argument for sides outside 1 .. the driver's limit; the texture then stays as it
  /// was.
  void resize(Extent size, TexelFormat format = TexelFormat::kUint16);
  Extent size() const;
  TexelFormat format() const;
  unsigned gl_name() const;

  /// True where copy_from_cuda works. Otherwise interop_reason() says why not, for the status line.
  bool interop() const;
  const std::string& interop_reason() const;

  /// Host rows of texels that start `row_bytes` bytes apart (whole texels, at least `width` of them),
  /// size().height of them. Throws std::invalid_argument.
  void upload(const void* pixels, std::size_t row_bytes);
  /// Device memory on the device given at construction: enqueued on the stream, see CudaInterop::copy().
  /// Throws std::runtime_error with the CUDA error's name.
  void copy_from_cuda(const void* device_pixels, std::size_t row_bytes, void* cuda_stream);
  /// CUDA has the texture until the next copy_from_cuda() or take_back(), see CudaInterop::lend().
  void lend(void* cuda_stream);
  void take_back();
  /// Milliseconds that an earlier copy took on the stream, once (CudaInterop::take_milliseconds()).
  std::optional<double> take_copy_milliseconds();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace loom::render
