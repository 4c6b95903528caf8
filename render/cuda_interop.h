#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "render/extent.h"

namespace loom::render {

/// The CUDA devices that draw the current OpenGL context, or why there are none.
struct CudaGlDevices {
  std::vector<int> ordinals;
  std::string reason;  ///< empty where ordinals is not
};
/// Never throws. "built without CUDA" where there was no nvcc.
CudaGlDevices cuda_devices_of_current_context();

/// A GL texture registered with CUDA, so that device memory is copied into it without passing through the
/// host. The GL context must be current for every call. Without CUDA in the build it refuses every texture.
class CudaInterop {
 public:
  /// `device`: ordinal whose memory will be copied; below 0 every texture is refused.
  explicit CudaInterop(int device);
  ~CudaInterop();
  CudaInterop(const CudaInterop&) = delete;
  CudaInterop& operator=(const CudaInterop&) = delete;

  /// Registers a GL_TEXTURE_2D with one integer of `texel_bytes` (2 or 4) a texel in place of the one before.
  /// Never throws: where the driver refuses, attached() is false and reason() has the error in words.
  void attach(unsigned texture, Extent size, int texel_bytes = 2);
  /// Must come before the texture is deleted.
  void detach();
  bool attached() const;
  const std::string& reason() const;

  /// CUDA has the texture from here on: what comes on the stream comes after all that OpenGL was asked for
  /// until now, and OpenGL must not use the texture until copy() or take_back(). Waits for nothing. For work
  /// that is to leave the GPU to a frame that is being drawn; a copy() that maps where OpenGL stands idle has
  /// to wake it (a third of a millisecond on an H200). Throws as copy().
  void lend(void* cuda_stream);
  /// OpenGL has the texture again, where it was lent and nothing was copied.
  void take_back();

  /// Enqueues on `cuda_stream`: map the texture, where it is not lent, copy rows of width texels that start
  /// `row_bytes` apart, unmap. Waits for nothing: what comes after on the stream comes after the copy, and
  /// OpenGL draws what was copied. Throws std::runtime_error with the call and the error's name.
  void copy(const void* device_pixels, std::size_t row_bytes, void* cuda_stream);
  /// The milliseconds between CUDA events around a copy before this, once: the last that has ended, if any
  /// has since. Without the hand-over before and after it, in which nothing works: where the GPU has nothing
  /// else to do it falls asleep and is woken for OpenGL's next command, whoever gives it (0.65 ms on an
  /// H200).
  std::optional<double> take_milliseconds();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace loom::render
