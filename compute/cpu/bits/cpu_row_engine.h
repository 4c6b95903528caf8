#pragma once

#include <cstdint>
#include <vector>

#include "compute/cpu/life/cpu_fractal_engine.h"
#include "compute/geometry/bit_cells.h"
#include "compute/geometry/bit_rows.h"

namespace loom::cpu {

/// Life on the whole square with a bit a point (geometry/bit_rows.h): the bounding box in the storage of
/// bits. A thread of the GPU has a word; here a row is a vector's worth after the other.
class CpuRowEngine final : public CpuFractalEngine {
 public:
  /// `config` is valid, with the bounding box and bits as its storage. Throws std::bad_alloc.
  explicit CpuRowEngine(const FractalConfig& config);

  std::optional<bool> cell(Coord64 expanded) const override;
  std::uint64_t edit(std::span<const CellEdit> edits) override;
  Census census() const override;
  ThreadCount count_threads() const override;
  Timeline record_timeline(const TimelineWish& wish) override;
  void read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const override;
  void write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) override;

 private:
  void fill_random(std::uint8_t* cells, std::uint64_t seed, std::uint64_t threshold,
                   const WatchedCall& call) override;
  void run_times(std::uint32_t times, const Work& work, const WatchedCall& call, std::uint32_t& done,
                 std::uint64_t& sum) override;
  std::uint64_t units_of_work() const override { return rows_.height; }
  void paint(const Viewport& viewport, std::uint16_t* pixels) override;

  bool run_once(const Work& work, const WatchedCall& call, std::uint64_t& sum);
  /// The points that are cells. Made when first needed, watched like the rest.
  const std::uint64_t* mask(const WatchedCall& call);
  static RowCells cells_of(const PageBuffer& generation) {
    return {reinterpret_cast<std::uint32_t*>(generation.data())};
  }

  BitRows rows_;
  PageBuffer mask_;
  bool masked_ = false;
  std::vector<std::uint64_t> outside_;  ///< an empty row
  std::vector<std::uint64_t> pixel_counts_;
};

}  // namespace loom::cpu
