#include "app/bench/measurement.h"

#include <algorithm>
#include <chrono>

#include "compute/core/error.h"

namespace loom::app::bench {
Measurement::Measurement(const MapCase& bench_case, const Sampling& sampling)
    : entry_(describe(bench_case)),
      work_{.workload = bench_case.workload, .reduction = bench_case.reduction, .rule = sampling.rule},
      sampler_(sampling),
      engine_(make_fractal_engine(bench_case.config, bench_case.backend)) {
  engine_->reset(sampling.start);
}

void Measurement::advance() {
  const auto begin = std::chrono::steady_clock::now();
  last_ = engine_->run(sampler_.batch(), work_);
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
  sampler_.add(last_.milliseconds, last_.generations, elapsed.count());
}

Entry Measurement::entry() const {
  const std::uint64_t generations = std::max<std::uint64_t>(last_.generations, 1);
  const ThreadCount threads = engine_->count_threads();
  Entry entry = entry_;
  entry.measured = Measured{.milliseconds = sampler_.summary(),
                            .generations_per_sample = sampler_.batch(),
                            .limited = sampler_.limited(),
                            .blocks_launched = threads.blocks_launched,
                            .threads_launched = threads.threads_launched,
                            .threads_active = threads.threads_active,
                            .bytes_held = last_.bytes_held,
                            .bytes_moved = last_.bytes_moved / generations};
  return entry;
}

namespace {

Entry skipped(const MapCase& bench_case, const char* why) {
  Entry entry = describe(bench_case);
  entry.skipped = why;
  return entry;
}

}  // namespace

std::optional<Entry> measure(const MapCase& bench_case, const Sampling& sampling,
                             const std::function<bool()>& stop) {
  if (stop()) return std::nullopt;
  try {
    Measurement measurement(bench_case, sampling);
    while (!measurement.finished()) {
      if (stop()) return std::nullopt;
      measurement.advance();
    }
    return measurement.entry();
  } catch (const CapacityError& error) {
    return skipped(bench_case, error.what());
  } catch (const InputError& error) {
    return skipped(bench_case, error.what());
  }
}

}  // namespace loom::app::bench
