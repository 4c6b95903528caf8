#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/cpu/bits/plane_step.h"
#include "compute/cpu/life/cpu_fractal_engine.h"
#include "compute/engine/plane_tree.h"
#include "compute/engine/progress_monitor.h"
#include "compute/geometry/bit_planes.h"

namespace loom::cpu {

/// Life in bit planes (geometry/bit_planes.h). Tile size and map arithmetic have no effect.
class CpuPlaneEngine : public CpuFractalEngine {
 public:
  /// `config` must be valid, with the compact map and bit-packed storage. Throws std::bad_alloc.
  explicit CpuPlaneEngine(const FractalConfig& config);

  Census census() const override;
  ThreadCount count_threads() const override;
  void read_bits(std::span<std::uint8_t> bits) const override;
  void write_bits(std::span<const std::uint8_t> bits) override;

 protected:
  /// For one partition of the planes, with `bytes` per generation.
  CpuPlaneEngine(const FractalConfig& config, GroupRange part, std::uint64_t bytes);
  /// Counts, per pixel, held cells and living ones into pixel_cells_ and pixel_living_. Throws
  /// OperationCancelled.
  void count_pixels(const Viewport& viewport);

 private:
  void fill_random(std::uint8_t* cells, std::uint64_t seed, std::uint64_t threshold,
                   const ProgressScope& call) override;
  void run_times(std::uint32_t times, const Work& work, const ProgressScope& call, std::uint32_t& done,
                 std::uint64_t& sum) override;
  std::uint64_t units_of_work() const override { return step_.units(); }
  void paint(const Viewport& viewport, std::uint16_t* pixels) override;
  void cells_changed() override { count_state_ = CountState::kNothing; }

  bool run_once(const Work& work, bool last, const ProgressScope& call, std::uint64_t& sum);
  /// Counts the living cells of each tree node, starting from the groups' counts if they are known. Throws
  /// OperationCancelled.
  void count_living();

 protected:
  BitPlanes planes_;
  PlaneTree tiles_;
  PlaneStep step_;
  // Only for images; allocated at the first image.
  std::vector<std::uint16_t> living_;
  std::vector<std::uint64_t> living_above_;
  std::vector<std::uint64_t> bits_before_x_;
  std::vector<std::uint64_t> bits_before_y_;
  /// An image was requested, so another may follow: steps count the living cells of their groups.
  bool image_requested_ = false;
  CountState count_state_ = CountState::kNothing;
  std::vector<std::uint64_t> pixel_cells_;
  std::vector<std::uint64_t> pixel_living_;
};

// Conversion between a generation of bit planes and canonical bits of all cells (FractalEngine::read_bits()),
// one group at a time, in parallel. A cell is a unit of `call`. In a partition, cells of other partitions
// read as dead and ignore writes.

/// Throws OperationCancelled, std::bad_alloc.
void read_plane_bits(const BitPlanes& planes, const std::uint8_t* words, std::span<std::uint8_t> bits,
                     const ProgressScope& call);
/// Throws OperationCancelled, with some groups written; std::bad_alloc.
void write_plane_bits(const BitPlanes& planes, std::span<const std::uint8_t> bits, std::uint8_t* words,
                      const ProgressScope& call);

}  // namespace loom::cpu
