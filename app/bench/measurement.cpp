#include "app/bench/measurement.h"

#include <algorithm>
#include <chrono>

#include "compute/core/error.h"

namespace loom::app::bench {
namespace {

constexpr double kWarmUpMs = 50;
constexpr std::uint64_t kWarmUpGenerations = 2;
/// Shorter samples would be noise of the clock, and on a GPU of the events around the launches.
constexpr double kShortestSampleMs = 1;
constexpr std::uint32_t kLargestBatch = 1u << 16;
/// Fewer samples than this say little about their own error.
constexpr std::size_t kFewestSamples = 10;

}  // namespace

Measurement::Measurement(const BenchCase& bench_case, const Sampling& sampling)
    : entry_(describe(bench_case)),
      work_{.workload = bench_case.workload, .reduction = bench_case.reduction, .rule = sampling.rule},
      sampling_(sampling),
      engine_(make_fractal_engine(bench_case.config, bench_case.backend)) {
  engine_->reset(sampling_.start);
}

void Measurement::advance() {
  const auto begin = std::chrono::steady_clock::now();
  const StepReport report = engine_->run(batch_, work_);
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
  elapsed_ms_ += elapsed.count();
  last_ = report;
  warm_ ? take_sample(report) : warm_up(report);
}

void Measurement::warm_up(const StepReport& report) {
  warm_generations_ += report.generations;
  if (warm_generations_ == 1 && out_of_time()) {
    warm_ = true;
    take_sample(report);
    return;
  }
  const bool long_enough = report.milliseconds >= kShortestSampleMs || batch_ >= kLargestBatch;
  if (!long_enough) batch_ *= 2;
  warm_ = long_enough && warm_generations_ >= kWarmUpGenerations && elapsed_ms_ >= kWarmUpMs;
  // What every configuration needs is not counted against the limit; a warm-up of long generations is.
  if (warm_) elapsed_ms_ -= kWarmUpMs;
}

void Measurement::take_sample(const StepReport& report) {
  samples_.push_back(report.milliseconds / static_cast<double>(report.generations));
  error_.add(samples_.back());
  const auto noise = error_.relative_standard_error();
  const bool quiet = samples_.size() >= kFewestSamples && noise && *noise < sampling_.target_noise;
  limited_ = !quiet && (samples_.size() >= sampling_.max_samples || out_of_time());
  finished_ = quiet || limited_;
}

Entry Measurement::entry() const {
  const std::uint64_t generations = std::max<std::uint64_t>(last_.generations, 1);
  Entry entry = entry_;
  entry.measured = Measured{.milliseconds = summarise(samples_),
                            .generations_per_sample = batch_,
                            .limited = limited_,
                            .blocks_launched = last_.blocks_launched / generations,
                            .threads_launched = last_.threads_launched / generations,
                            .threads_active = last_.threads_active / generations,
                            .bytes_held = last_.bytes_held,
                            .bytes_moved = last_.bytes_moved / generations};
  return entry;
}

namespace {

Entry skipped(const BenchCase& bench_case, const char* why) {
  Entry entry = describe(bench_case);
  entry.skipped = why;
  return entry;
}

}  // namespace

std::optional<Entry> measure(const BenchCase& bench_case, const Sampling& sampling,
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
