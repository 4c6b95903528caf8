#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "compute/core/stopwatch.h"
#include "compute/cpu/page_buffer.h"
#include "compute/cpu/thread_pool.h"
#include "compute/engine/progress_monitor.h"
#include "compute/engine/work_costs.h"
#include "compute/solid/solid_engine.h"
#include "compute/workload/random_start.h"

namespace loom::cpu {

/// Life on the CPU, on OpenMP threads, in two or three dimensions: the part that does not depend on the
/// storage of cells. Construction takes no time: the operating system maps and zeroes pages when a call first
/// writes to them, and that call is monitored.
template <int kDimensions>
class CpuCellEngine : public EngineOf<kDimensions> {
 public:
  std::string backend_name() const final { return "cpu: " + threads_text(); }
  std::uint64_t cell_count() const final { return cells_; }
  std::uint64_t allocated_bytes() const final { return 2 * bytes_; }

  // Cancellation must leave the cells unchanged, so that new cells are written into the other generation.
  StepReport reset(const RandomStart& start) final {
    const Stopwatch stopwatch;
    const ProgressScope call(this->monitor_, held_cells());
    fill_random(next_.data(), start.seed, density_threshold(start.density), call);
    return replaced(stopwatch);
  }
  StepReport clear() final {
    const Stopwatch stopwatch;
    const ProgressScope call(this->monitor_, bytes_);
    constexpr std::uint64_t run = std::uint64_t{1} << 20;
#pragma omp parallel for schedule(static)
    for (std::uint64_t begin = 0; begin < bytes_; begin += run) {
      if (call.cancelled()) continue;
      const std::uint64_t size = std::min(run, bytes_ - begin);
      std::memset(next_.data() + begin, 0, size);
      call.advance(size);
    }
    call.check();
    return replaced(stopwatch);
  }

  StepReport run(std::uint32_t times, const WorkOf<kDimensions>& work) final {
    if (times > 0) this->fit_cells(work);
    // The preparation takes about as long as one repetition of the work.
    const ProgressScope call(this->monitor_, units_of_work() * (std::uint64_t{times} + 1));
    try {
      call.part(units_of_work(), [&] { prepare(); });
    } catch (const OperationCancelled&) {
      times = 0;
    }
    const Stopwatch stopwatch;
    std::uint64_t sum = 0;
    std::uint32_t whole = 0;
    while (whole < times && !call.cancelled()) {
      const std::uint64_t found = run_once(work, whole + 1 == times, call);
      if (call.cancelled()) break;
      ++whole;
      if (work.workload == Workload::kReduction) {
        sum = found;
      } else {
        now_.swap(next_);
        ++this->generation_;
      }
    }
    StepReport done = work_costs(cells_, work.workload, whole);
    done.sum = sum;
    done.milliseconds = stopwatch.milliseconds();
    done.allocated_bytes = allocated_bytes();
    return done;
  }

 protected:
  /// `config` must be valid; `bytes` is the size of a generation. Throws std::bad_alloc.
  CpuCellEngine(const FractalConfigOf<kDimensions>& config, std::uint64_t bytes)
      : EngineOf<kDimensions>(config),
        cells_(config.fractal.cells(config.level)),
        bytes_(bytes),
        now_(bytes),
        next_(bytes) {}

  /// Fills a generation with the random start; a cell is a unit of `call`. Throws OperationCancelled.
  virtual void fill_random(std::uint8_t* cells, std::uint64_t seed, std::uint64_t threshold,
                           const ProgressScope& call) = 0;
  /// The cells that fill_random() fills: all, or those of a partition.
  virtual std::uint64_t held_cells() const {
    return cells_;
  }
  /// Computes additional data that the work needs, if it does not exist yet. Not included in the measured
  /// time. Throws OperationCancelled.
  virtual void prepare() {}
  /// Computes the next generation into next_, or returns the sum of a reduction, with units_of_work() units
  /// of `call`; if it is cancelled, the result is not used. `last`: of the repetitions of a call.
  virtual std::uint64_t run_once(const WorkOf<kDimensions>& work, bool last, const ProgressScope& call) = 0;
  virtual std::uint64_t units_of_work() const = 0;
  /// Called after cells were changed by anything other than run_once().
  virtual void cells_changed() {}
  /// Prepares next_ for a single write. Without a monitor the work is done in place, which is what is
  /// measured: it uses one generation's memory instead of two.
  void begin_single_write(const ProgressScope& call) {
    if (!call.watched()) now_.swap(next_);
  }

  std::uint64_t cells_ = 0;
  std::uint64_t bytes_ = 0;  ///< bytes per generation
  PageBuffer now_;
  PageBuffer next_;

 private:
  /// The cells of next_ replace the present ones.
  StepReport replaced(const Stopwatch& stopwatch) {
    now_.swap(next_);
    this->begin_anew();
    cells_changed();
    return {.milliseconds = stopwatch.milliseconds(), .allocated_bytes = allocated_bytes()};
  }
  void drop_states(std::uint32_t states) final {
#pragma omp parallel for schedule(static)
    for (std::uint64_t at = 0; at < bytes_; ++at) {
      if (now_[at] >= states) now_[at] = 0;
    }
    cells_changed();
  }
};

}  // namespace loom::cpu
