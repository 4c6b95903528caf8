#include "app/bench/measurement.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "compute/backend/mandelbrot_factory.h"
#include "compute/engine/fractal_engine.h"
#include "compute/engine/mandelbrot_engine.h"

namespace loom::app::bench {
namespace {

/// A round is a generation.
class MapMeasurement : public Measurement {
 public:
  MapMeasurement(const MapCase& one, const Sampling& sampling)
      : Measurement(sampling),
        entry_(describe(one)),
        work_{.workload = one.workload, .reduction = one.reduction, .rule = sampling.rule},
        engine_(make_fractal_engine(one.config, one.backend)) {
    engine_->reset(sampling.start);
  }

  Entry entry() const override {
    const std::uint64_t generations = std::max<std::uint64_t>(last_.generations, 1);
    MapMeasured measured{timing()};
    measured.generations_per_sample = sampler().batch();
    const ThreadCount threads = engine_->count_threads();
    measured.blocks_launched = threads.blocks_launched;
    measured.threads_launched = threads.threads_launched;
    measured.threads_active = threads.threads_active;
    measured.bytes_held = last_.bytes_held;
    measured.bytes_moved = last_.bytes_moved / generations;
    MapEntry entry = entry_;
    entry.measured = measured;
    return entry;
  }

 protected:
  Rounds run(std::uint32_t rounds) override {
    last_ = engine_->run(rounds, work_);
    return {last_.milliseconds, last_.generations};
  }

 private:
  MapEntry entry_;
  Work work_;
  std::unique_ptr<FractalEngine> engine_;
  StepReport last_;
};

/// A round is an image.
class MandelbrotMeasurement : public Measurement {
 public:
  // An engine times each image by itself, so that several in a sample would gain nothing.
  MandelbrotMeasurement(const MandelbrotCase& one, const Sampling& sampling)
      : Measurement(sampling, 1), case_(one), engine_(make_mandelbrot_engine(one.backend)) {}

  Entry entry() const override {
    MandelbrotMeasured measured{timing(), last_};
    measured.report.milliseconds = measured.milliseconds.median;
    for (std::size_t i = 0; i < level_samples_.size(); ++i) {
      if (!level_samples_[i].empty()) {
        measured.report.levels[i].milliseconds = summarise(level_samples_[i]).median;
      }
    }
    MandelbrotEntry entry = describe(case_);
    entry.measured = std::move(measured);
    return entry;
  }

 protected:
  Rounds run(std::uint32_t) override {
    last_ = engine_->compute(case_.config, case_.view);
    return {last_.milliseconds, 1};
  }

  void sampled() override {
    level_samples_.resize(last_.levels.size());
    for (std::size_t i = 0; i < last_.levels.size(); ++i) {
      if (last_.levels[i].milliseconds) level_samples_[i].push_back(*last_.levels[i].milliseconds);
    }
  }

 private:
  MandelbrotCase case_;
  std::unique_ptr<MandelbrotEngine> engine_;
  MandelbrotReport last_;
  std::vector<std::vector<double>> level_samples_;  ///< milliseconds, by level that has a time
};

}  // namespace

void Measurement::advance() {
  const auto begin = std::chrono::steady_clock::now();
  const Rounds rounds = run(sampler_.batch());
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
  if (sampler_.add(rounds.milliseconds, rounds.count, elapsed.count())) sampled();
}

std::unique_ptr<Measurement> begin_measurement(const Case& one, const Sampling& sampling) {
  if (const auto* of_map = std::get_if<MapCase>(&one)) {
    return std::make_unique<MapMeasurement>(*of_map, sampling);
  }
  return std::make_unique<MandelbrotMeasurement>(std::get<MandelbrotCase>(one), sampling);
}

}  // namespace loom::app::bench
