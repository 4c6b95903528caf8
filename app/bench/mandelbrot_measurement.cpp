#include "app/bench/mandelbrot_measurement.h"

#include <chrono>

#include "compute/backend/mandelbrot_factory.h"
#include "compute/core/error.h"

namespace loom::app::bench {

// An engine times each image by itself, so that several in a sample would gain nothing.
MandelbrotMeasurement::MandelbrotMeasurement(const MandelbrotCase& bench_case, const Sampling& sampling)
    : case_(bench_case), sampler_(sampling, 1), engine_(make_mandelbrot_engine(bench_case.backend)) {}

void MandelbrotMeasurement::advance() {
  const auto begin = std::chrono::steady_clock::now();
  last_ = engine_->compute(case_.config, case_.view);
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
  if (!sampler_.add(last_.milliseconds, 1, elapsed.count())) return;
  level_samples_.resize(last_.levels.size());
  for (std::size_t i = 0; i < last_.levels.size(); ++i) {
    if (last_.levels[i].milliseconds) level_samples_[i].push_back(*last_.levels[i].milliseconds);
  }
}

MandelbrotEntry MandelbrotMeasurement::entry() const {
  MandelbrotEntry entry = describe(case_);
  MandelbrotMeasured measured{sampler_.summary(), sampler_.limited(), last_};
  measured.report.milliseconds = measured.milliseconds.median;
  for (std::size_t i = 0; i < level_samples_.size(); ++i) {
    if (!level_samples_[i].empty()) {
      measured.report.levels[i].milliseconds = summarise(level_samples_[i]).median;
    }
  }
  entry.measured = std::move(measured);
  return entry;
}

namespace {

MandelbrotEntry skipped(const MandelbrotCase& bench_case, const char* why) {
  MandelbrotEntry entry = describe(bench_case);
  entry.skipped = why;
  return entry;
}

}  // namespace

std::optional<MandelbrotEntry> measure(const MandelbrotCase& bench_case, const Sampling& sampling,
                                       const std::function<bool()>& stop) {
  if (stop()) return std::nullopt;
  try {
    MandelbrotMeasurement measurement(bench_case, sampling);
    while (!measurement.finished()) {
      if (stop()) return std::nullopt;
      measurement.advance();
    }
    return measurement.entry();
  } catch (const DeviceFault&) {
    throw;
  } catch (const MachineError& error) {
    return skipped(bench_case, error.what());
  } catch (const InputError& error) {
    return skipped(bench_case, error.what());
  }
}

}  // namespace loom::app::bench
