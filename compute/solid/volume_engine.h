#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "compute/core/image_view.h"
#include "compute/engine/progress_monitor.h"
#include "compute/mandelbrot/mandelbrot_report.h"
#include "compute/mandelbrot/volume.h"
#include "compute/solid/solid_view.h"
#include "compute/solid/volume_rays.h"

namespace loom {

/// Samples whose dwell differs from the exhaustive method's.
struct VolumeDifferences {
  std::uint64_t filled = 0;  ///< in regions whose faces have one dwell
  std::uint64_t others = 0;  ///< none, or the engine is wrong
};

/// Dwells in space. A region is filled when its six faces have one dwell, and a sample that was computed is
/// not computed again by the parts of its region. Not thread-safe; calls are synchronous.
class VolumeEngine {
 public:
  virtual ~VolumeEngine() = default;
  virtual std::string backend_name() const = 0;
  void set_monitor(ProgressMonitor* monitor) { monitor_ = monitor; }
  /// Computes all samples. A level's width and height are those of its regions, on all axes, and its border
  /// pixels the samples computed on faces. Allocates memory only where an earlier call had less. Throws
  /// InputError (validate), CapacityError, OperationCancelled; then there are no samples that draw() may use.
  virtual MandelbrotReport compute(const VolumeConfig& config) = 0;
  /// Sample (x, y, z) is at x + n (y + n z). Valid until the next compute().
  virtual std::span<const VolumeSample> samples() = 0;
  /// Computes all samples again by the exhaustive method, and compares. Throws OperationCancelled.
  virtual VolumeDifferences count_differences() = 0;
  /// Traces the rays of a view into an image that the engine owns (pixels: volume_rays.h), in host memory
  /// unless `space` is that of the engine's device; returns the milliseconds. Valid until the next call.
  /// Throws OperationCancelled where it takes long.
  virtual double draw(const SolidView& view, const VolumeLook& look, MemorySpace space,
                      SolidImage& image) = 0;

  /// Of the last compute().
  const VolumeConfig& config() const { return config_; }
  /// The most bytes that the offset tables of a level and the next one took together.
  std::uint64_t table_bytes() const { return table_bytes_; }

 protected:
  VolumeConfig config_;
  std::uint64_t table_bytes_ = 0;
  ProgressMonitor* monitor_ = nullptr;
};

}  // namespace loom
