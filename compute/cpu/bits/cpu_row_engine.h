#pragma once

#include <cstdint>
#include <vector>

#include "compute/cpu/life/cpu_fractal_engine.h"
#include "compute/engine/progress_monitor.h"
#include "compute/geometry/stored_cells.h"
#include "compute/workload/game_of_life.h"

namespace loom::cpu {

/// Life on the whole square with one bit per point (geometry/bit_rows.h): the bounding box with bit-packed
/// storage. A GPU thread processes one word; this engine processes each row one vector at a time.
class CpuRowEngine final : public CpuFractalEngine {
 public:
  /// `config` must be valid, with the bounding box and bit-packed storage. Throws std::bad_alloc.
  explicit CpuRowEngine(const FractalConfig& config);

  ThreadCount count_threads() const override;

 private:
  void prepare() override { make_mask(); }
  void run_times(std::uint32_t times, const Work& work, const ProgressScope& call, std::uint32_t& done,
                 std::uint64_t& sum) override;
  std::uint64_t units_of_work() const override { return rows_.height; }
  void paint(const Viewport& viewport, std::uint16_t* pixels) override;

  bool run_once(const Work& work, const ProgressScope& call, std::uint64_t& sum);
  /// Throws OperationCancelled.
  void make_mask() const;

  BitRows rows_;
  mutable PageBuffer mask_;  ///< the points that are cells; computed when first needed
  mutable bool masked_ = false;
  std::vector<std::uint64_t> outside_;  ///< an empty row
  std::vector<std::uint64_t> pixel_counts_;
};

/// Computes one generation of life in bit rows. `outside` is an empty row. A row is a unit of `call`; if it
/// is cancelled, `next` is incomplete.
void step_rows(const BitRows& rows, const std::uint64_t* now, const std::uint64_t* mask, std::uint64_t* next,
               const std::uint64_t* outside, LifeRule rule, const ProgressScope& call);

}  // namespace loom::cpu
