#pragma once

#include <algorithm>
#include <cstddef>
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
  /// InputError (validate, and of a custom formula), CapacityError, OperationCancelled; then there are no
  /// samples that draw() may use.
  virtual MandelbrotReport compute(const VolumeConfig& config) = 0;
  /// Sample (x, y, z) is at x + n (y + n z). Valid until the next compute().
  virtual std::span<const VolumeSample> samples() = 0;
  /// Computes all samples again by the exhaustive method, and compares; pictures may then show those that
  /// were filled wrongly, until the next compute(). Throws CapacityError, OperationCancelled.
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
  /// The report of a computation that begins, without counts.
  MandelbrotReport begin(const VolumeConfig& config) {
    validate(config);
    if (config.set == VolumeSet::kCustom) check_in_space(config.custom);
    config_ = config;
    table_bytes_ = 0;
    has_misses_ = false;
    MandelbrotReport report;
    report.pixels = std::uint64_t{config.size} * config.size * config.size;
    if (!is_exhaustive()) {
      const VolumeSubdivision cut(config);
      report.levels.resize(cut.levels);
      for (std::uint32_t level = 0; level < cut.levels; ++level) {
        const std::uint32_t parts = cut.parts_at(level);
        report.levels[level].width = report.levels[level].height = (config.size + parts - 1) / parts;
      }
    }
    return report;
  }
  /// ASK: calls work(level, regions, parts) for each level. Its offset table has that many regions, and the
  /// next one must have room for `parts`; work() returns how many it wrote.
  template <typename Work>
  void each_level(const Work& work) {
    const VolumeSubdivision cut(config_);
    const std::uint64_t entry =
        config_.order == RegionOrder::kCoordinates ? sizeof(Coord3) : sizeof(std::uint32_t);
    std::uint64_t regions = cut.regions_at(0);
    for (std::uint32_t level = 0; level < cut.levels; ++level) {
      const std::uint64_t parts = level + 1 == cut.levels ? 0 : regions * cut.r * cut.r * cut.r;
      table_bytes_ = std::max(table_bytes_, (regions + parts) * entry);
      regions = work(level, regions, parts);
    }
  }
  /// `block`: the samples of a unit of work of the exhaustive method.
  VolumeScene scene_of(const VolumeSample* samples, const std::uint32_t* misses, const VolumeLook& look,
                       Coord3 block) const {
    return {samples,
            VolumeSubdivision(config_),
            config_.dwell_limit,
            look,
            look.misses && has_misses_ ? misses : nullptr,
            is_exhaustive() ? block : Coord3{0, 0, 0}};
  }
  bool is_exhaustive() const { return config_.method == MandelbrotMethod::kExhaustive; }
  /// The words of the bits of set_miss().
  std::size_t miss_words() const { return std::size_t{config_.size} * config_.size * config_.size / 32 + 1; }

  VolumeConfig config_;
  bool has_misses_ = false;  ///< whether the wrong samples are known
  std::uint64_t table_bytes_ = 0;
  ProgressMonitor* monitor_ = nullptr;
};

}  // namespace loom
