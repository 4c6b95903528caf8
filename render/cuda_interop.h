#pragma once

#include <cstddef>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct CUstream_st;  // cudaStream_t points to it

namespace loom::render {

/// The CUDA devices that render the current OpenGL context, or the reason why there are none.
struct CudaGlDevices {
  std::vector<int> ordinals;
  std::string reason;  ///< empty if there are ordinals
};
/// Never throws. The reason is "built without CUDA" if the build had no nvcc.
CudaGlDevices cuda_devices_of_current_context();

/// A GL texture registered with CUDA, so that device memory is copied into it without a transfer through the
/// host. The GL context must be current for every call. Without CUDA in the build, every texture is refused.
class CudaInterop {
 public:
  /// `device`: ordinal of the device whose memory will be copied; if it is below 0, every texture is refused.
  explicit CudaInterop(int device);
  ~CudaInterop();
  CudaInterop(const CudaInterop&) = delete;
  CudaInterop& operator=(const CudaInterop&) = delete;

  /// Registers a GL_TEXTURE_2D with one integer of `texel_bytes` (2 or 4) per texel, and replaces the
  /// previous texture. Never throws: if the driver refuses, attached() is false and reason() has the error as
  /// text.
  void attach(unsigned texture, glm::ivec2 size, int texel_bytes = 2);
  /// Must be called before the texture is deleted.
  void detach();
  bool attached() const;
  const std::string& reason() const;

  /// Maps the texture for CUDA: later work on the stream is ordered after all OpenGL commands so far, and
  /// OpenGL must not use the texture until copy() or unmap_from_cuda(). Does not wait. It allows the GPU to
  /// switch to CUDA work while a frame is being drawn; a copy() that maps while OpenGL is idle must wake it
  /// up (a third of a millisecond on an H200). Throws as copy().
  void map_for_cuda(CUstream_st* stream);
  /// Unmaps the texture for OpenGL if it is mapped and nothing was copied.
  void unmap_from_cuda();

  /// Enqueues on `stream`: map the texture, if it is not mapped yet; copy rows of width texels that
  /// start `row_bytes` apart; unmap. Does not wait: later work on the stream is ordered after the copy, and
  /// OpenGL draws the copied pixels. Throws std::runtime_error with the call and the error's name.
  void copy(const void* device_pixels, std::size_t row_bytes, CUstream_st* stream);
  /// Copies device memory, as for copy(), into host rows without gaps, for a texture that copy() does not
  /// support. Waits for the stream. Throws std::runtime_error with the call and the error's name.
  void read(const void* device_pixels, std::size_t row_bytes, glm::ivec2 size, int texel_bytes,
            CUstream_st* stream, std::vector<unsigned char>& rows);
  /// Releases the texture and refuses every later one; `why` becomes reason().
  void refuse(const std::string& why);
  /// The milliseconds between CUDA events around the last finished copy, returned once; nothing if there is
  /// no new one. The time for mapping and unmapping is not included: if the GPU has no other work, it becomes
  /// idle and must be woken up for OpenGL's next command (0.65 ms on an H200).
  std::optional<double> take_milliseconds();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace loom::render
