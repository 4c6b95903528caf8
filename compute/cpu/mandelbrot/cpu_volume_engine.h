#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compute/core/coord.h"
#include "compute/engine/progress_monitor.h"
#include "compute/mandelbrot/mandelbrot_report.h"
#include "compute/mandelbrot/volume.h"
#include "compute/solid/volume_rays.h"

namespace loom::cpu {

/// Samples whose dwell differs from the exhaustive method's.
struct VolumeDifferences {
  std::uint64_t filled = 0;  ///< in regions whose faces have one dwell
  std::uint64_t others = 0;  ///< none, or the engine is wrong
};

/// Dwells in space on the CPU, on OpenMP threads: exhaustive layer by layer, DP by recursive tasks, ASK level
/// by level. A region is filled when its six faces have one dwell, and a sample that was computed is not
/// computed again by the parts of its region. Not thread-safe; calls are synchronous.
class CpuVolumeEngine {
 public:
  std::string backend_name() const;
  void set_monitor(ProgressMonitor* monitor) { monitor_ = monitor; }
  /// Computes all samples. A level's width and height are those of its regions, on all axes, and its border
  /// pixels the samples computed on faces. Allocates memory only where an earlier call had less. Throws
  /// InputError (validate), CapacityError, OperationCancelled.
  MandelbrotReport compute(const VolumeConfig& config);
  /// Sample (x, y, z) is at x + n (y + n z).
  std::span<const VolumeSample> samples() const { return samples_; }
  const VolumeConfig& config() const { return config_; }
  /// The most bytes that the offset tables of a level and the next one took together.
  std::uint64_t table_bytes() const { return table_bytes_; }
  /// Computes all samples again by the exhaustive method, and compares. Throws OperationCancelled.
  VolumeDifferences count_differences() const;
  /// The pixels of a view, row by row. `surface` is the dwell of the surface, `to_light` a direction.
  void draw(const SolidView& view, float surface, SolidVector to_light, std::span<VolumePixel> pixels) const;

 private:
  struct alignas(64) Tally {
    std::array<MandelbrotLevel, kMaxSubdivisionLevels> levels = {};
    std::uint64_t tasks = 0;
  };
  class Batch;
  enum class Outcome { kEmpty, kEnds, kSplits };

  /// Computes the coordinates of the samples on each axis.
  void place_points();
  void compute_layers(const ProgressScope& call);
  Outcome visit(const VolumeSubdivision& cut, std::uint32_t level, Coord3 place, const ProgressScope& call);
  bool has_one_dwell(const VolumeRegion& region, MandelbrotLevel& count, Batch& batch);
  template <typename Entry>
  void compute_by_level(const VolumeSubdivision& cut, const ProgressScope& call, MandelbrotReport& report);
  void compute_in_task(const VolumeSubdivision& cut, std::uint32_t level, Coord3 place,
                       const ProgressScope& call);
  VolumeSample& at(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return samples_[x + std::size_t{config_.size} * (y + std::size_t{config_.size} * z)];
  }

  VolumeConfig config_;
  std::vector<VolumeSample> samples_;
  std::array<std::vector<double>, 3> points_;
  std::vector<Tally> tallies_;
  std::uint64_t table_bytes_ = 0;
  ProgressMonitor* monitor_ = nullptr;
};

}  // namespace loom::cpu
