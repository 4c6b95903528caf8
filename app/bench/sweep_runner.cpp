#include "app/bench/sweep_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <exception>
#include <new>
#include <span>
#include <thread>
#include <utility>

#include "app/bench/cell_config.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "compute/core/stopwatch.h"
#include "compute/engine/fractal_engine.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/solid/volume_engine.h"

namespace loom::app::bench {

SweepRunner::SweepRunner(Results results, std::vector<Case> cases, const Sampling& sampling, Begin begin)
    : results_(std::move(results)),
      cases_(std::move(cases)),
      sampling_(sampling),
      begin_(std::move(begin)),
      remaining_time_(cases_, sampling_),
      since_(Clock::now()) {
  if (!results_.rows.empty()) {
    for (const Row& row : results_.rows) {
      if (!row.skipped().empty()) ++skipped_;
      if (!cases_.empty()) remaining_time_.add(median_ms(row), 0);
    }
    status_ =
        done() < std::max<std::size_t>(cases_.size(), results_.planned) ? Status::kStopped : Status::kDone;
    return;
  }
  results_.planned = cases_.size();
  if (cases_.empty()) {
    status_ = Status::kDone;
    results_.complete = true;
  }
}

void SweepRunner::run(Clock::duration budget) {
  const auto end = Clock::now() + budget;
  while (status_ == Status::kRunning) {
    work(end - Clock::now());
    take();
    if (Clock::now() >= end) return;
  }
}

void SweepRunner::work(Clock::duration budget, ProgressMonitor* watch) {
  const auto end = Clock::now() + budget;
  do step(watch);
  while (!finished_ && Clock::now() < end);
}

void SweepRunner::step(ProgressMonitor* watch) {
  check_cancel(watch);
  try {
    if (!measurement_) {
      measurement_ = begin_(cases_[done()], sampling_, watch);
      return;
    }
    measurement_->advance();
    if (measurement_->finished()) finished_ = measurement_->row();
  } catch (const DeviceFault&) {
    throw;
  } catch (const InputError& error) {
    skip(error.what());
  } catch (const MachineError& error) {
    skip(error.what());
  } catch (const std::bad_alloc&) {
    skip("out of memory");
  }
}

void SweepRunner::skip(const std::string& reason) {
  finished_ = describe(cases_[done()]);
  finished_->set("skipped", reason);
}

void SweepRunner::take() {
  if (status_ == Status::kStopped) finished_.reset();
  // Frees the memory of this engine before the next one is built.
  if (finished_ || status_ == Status::kStopped) measurement_.reset();
  if (!finished_) return;
  Row row = *std::exchange(finished_, std::nullopt);
  if (status_ == Status::kRunning) {
    const auto now = Clock::now();
    seconds_ += std::chrono::duration<double>(now - since_).count();
    since_ = now;
  }
  remaining_time_.add(median_ms(row), std::exchange(seconds_, 0));
  if (!row.skipped().empty()) ++skipped_;
  results_.rows.push_back(std::move(row));
  if (done() < cases_.size()) return;
  status_ = Status::kDone;
  results_.complete = true;
}

void SweepRunner::pause() {
  if (status_ != Status::kRunning) return;
  status_ = Status::kPaused;
  seconds_ += std::chrono::duration<double>(Clock::now() - since_).count();
}

void SweepRunner::resume() {
  if (status_ != Status::kPaused) return;
  status_ = Status::kRunning;
  since_ = Clock::now();
}

void SweepRunner::continue_sweep() {
  if (!can_continue()) return;
  results_.interrupted = false;
  finished_.reset();
  measurement_.reset();
  status_ = Status::kRunning;
  since_ = Clock::now();
  seconds_ = 0;
}

void SweepRunner::stop() {
  if (ended()) return;
  status_ = Status::kStopped;
  results_.interrupted = true;
}

std::string_view name_of(SweepRunner::Status status) {
  static constexpr std::array<std::string_view, 4> kNames = {"running", "paused", "stopped", "done"};
  return kNames[static_cast<std::size_t>(status)];
}

namespace {

template <typename Config>
std::vector<Device> devices_of(const CellCase<Config>& one) {
  if (one.devices == 1) return {one.backend.device};
  std::vector<Device> devices(one.device_list.size(), one.backend.device);
  for (std::size_t i = 0; i < devices.size(); ++i) devices[i].ordinal = one.device_list[i];
  return devices;
}

std::unique_ptr<FractalEngine> make_engine(const MapCase& one, const ProcessGroup* ranks) {
  if (ranks != nullptr) return make_distributed_engine(one.config, one.backend.device, *ranks);
  if (one.devices == 1) return make_fractal_engine(one.config, one.backend);
  check_can_distribute(one.config, one.backend.device.kind, one.devices, false);
  return make_distributed_engine(one.config, devices_of(one));
}

std::unique_ptr<SolidEngine> make_engine(const SolidCase& one, const ProcessGroup* ranks) {
  if (ranks != nullptr)
    throw InputError("processes cannot share a three-dimensional fractal; allowed: one process");
  return make_fractal_engine(one.config, one.backend);
}

Work work_of(const MapCase& one, const Sampling& sampling) {
  return {.workload = one.workload, .reduction = one.reduction, .rule = sampling.rule};
}
/// Three-dimensional fractals have the default rule.
SolidWork work_of(const SolidCase& one, const Sampling&) {
  return {.workload = one.workload};
}

/// Measures a map. A round is a generation.
template <typename Config>
class CellMeasurement : public Measurement {
 public:
  /// `ranks` are the processes that share the cells; null if this process has all of them.
  CellMeasurement(const CellCase<Config>& one, const Sampling& sampling, const ProcessGroup* ranks,
                  ProgressMonitor* watch)
      : Measurement(sampling, devices_of(one)),
        row_(describe(one)),
        work_(work_of(one, sampling)),
        wall_clock_(sampling.wall_clock),
        ranks_(ranks),
        engine_(make_engine(one, ranks)) {
    if constexpr (requires { engine_->wait_for_compilation(); }) engine_->wait_for_compilation();
    const ScopedMonitor watched(*engine_, watch);
    in_all([&] { engine_->reset(sampling.start); });
  }

  Row row() const override {
    const std::uint64_t generations = std::max<std::uint64_t>(last_.generations, 1);
    ThreadCount threads;
    std::uint64_t allocated_bytes = last_.allocated_bytes;
    in_all([&] {
      threads = engine_->count_threads();
      if (ranks_ != nullptr) ranks_->sum({&allocated_bytes, 1});
    });
    const std::uint64_t bytes_moved = last_.bytes_moved / generations;
    Row row = row_;
    set_measured(row);
    row.set("generations_per_sample", sampler().batch());
    row.set("tiles_launched", threads.tiles_launched);
    row.set("threads_launched", threads.threads_launched);
    row.set("threads_active", threads.threads_active);
    row.set("bytes_held", allocated_bytes);
    row.set("bytes_moved", bytes_moved);
    const double ms = row.number("median_ms");
    const auto per_second = [&](std::uint64_t amount) {
      return ms > 0 ? static_cast<double>(amount) / ms * 1000 : 0.0;
    };
    row.set("cells_per_second", per_second(row.count("cells")));
    row.set("bytes_per_second", per_second(bytes_moved));
    return row;
  }

 protected:
  Rounds run(std::uint32_t rounds) override {
    double milliseconds = 0;
    in_all([&] {
      barrier_all();
      const Stopwatch stopwatch;
      last_ = engine_->run(rounds, work_);
      barrier_all();  // the generation ends when all processes have finished it
      milliseconds = stopwatch.milliseconds();
    });
    return {wall_clock_ ? milliseconds : last_.milliseconds, last_.generations};
  }

  void agree(double& milliseconds, double& elapsed_ms) const override {
    if (ranks_ == nullptr) return;
    double both[] = {milliseconds, elapsed_ms};
    ranks_->broadcast(std::as_writable_bytes(std::span(both)));
    milliseconds = both[0];
    elapsed_ms = both[1];
  }

 private:
  template <typename Use>
  void in_all(const Use& use) const {
    try {
      use();
    } catch (const std::exception& error) {
      if (ranks_ == nullptr) throw;
      throw DeviceFault(error.what());
    }
  }

  void barrier_all() const {
    if (ranks_ != nullptr) ranks_->barrier_all();
  }

  using OneCase = CellCase<Config>;

  Row row_;
  decltype(work_of(std::declval<OneCase>(), Sampling{})) work_;
  bool wall_clock_;
  const ProcessGroup* ranks_;
  decltype(make_engine(std::declval<OneCase>(), nullptr)) engine_;
  StepReport last_;
};

/// Measures a method of the Mandelbrot set, or of a set in space. A round is an image, or a cube.
class MandelbrotMeasurement : public Measurement {
 public:
  // One image per sample: the engine times each image separately, so batching would not improve precision.
  MandelbrotMeasurement(const MandelbrotCase& one, const Sampling& sampling)
      : Measurement(sampling, each_device(one.backend), 1),
        case_(one),
        volume_(one.volume ? make_volume_engine(one.backend) : nullptr),
        engine_(one.volume ? nullptr : make_mandelbrot_engine(one.backend)) {
    if (volume_) return;
    const std::string problem = precision_problem(one.config.precision, one.view);
    if (!problem.empty()) throw InputError(problem);
  }

  Row row() const override {
    MandelbrotReport report = last_;
    for (std::size_t i = 0; i < level_samples_.size(); ++i) {
      if (!level_samples_[i].empty()) report.levels[i].milliseconds = summarise(level_samples_[i]).median;
    }
    Row row = describe(case_);
    set_measured(row);
    set_report(row, report);
    return row;
  }

 protected:
  Rounds run(std::uint32_t) override {
    last_ = volume_ ? volume_->compute(*case_.volume) : engine_->compute(case_.config, case_.view);
    const auto& reference = last_.perturbation;
    const bool is_new = reference && !reference->orbit_reused;
    return {last_.milliseconds, 1,
            is_new ? reference->orbit_milliseconds + reference->table_milliseconds : 0};
  }

  void on_sample() override {
    level_samples_.resize(last_.levels.size());
    for (std::size_t i = 0; i < last_.levels.size(); ++i) {
      if (last_.levels[i].milliseconds) level_samples_[i].push_back(*last_.levels[i].milliseconds);
    }
  }

 private:
  MandelbrotCase case_;
  std::unique_ptr<VolumeEngine> volume_;  ///< of a set in space
  std::unique_ptr<MandelbrotEngine> engine_;
  MandelbrotReport last_;
  std::vector<std::vector<double>>
      level_samples_;  ///< milliseconds, by level; empty for levels without a time
};

}  // namespace

Measurement::Measurement(const Sampling& sampling, const std::vector<Device>& devices,
                         std::uint32_t largest_batch)
    : sampler_(sampling, largest_batch),
      rounds_per_call_(largest_batch == 1 ? 1 : sampling.rounds_per_call),
      idle_watts_(sampling.idle_watts) {
  if (!idle_watts_ || devices.empty()) return;
  meter_.emplace(devices);
  if (const auto known = idle_watts_->find(meter_->sensor()); known != idle_watts_->end())
    meter_->set_idle_watts(known->second);
}

void Measurement::advance_energy() {
  constexpr double kCallMs = 50;
  constexpr double kWarmUpMs = 250;
  const double round_ms = std::max(sampler_.summary().median, 1e-6);
  const double wanted = std::clamp(kCallMs / round_ms, 1.0, double{Sampler::kLargestBatch});
  const Stopwatch stopwatch;
  const Rounds rounds = run(rounds_per_call_ > 0 ? rounds_per_call_ : static_cast<std::uint32_t>(wanted));
  if (warm_ms_ >= kWarmUpMs) {
    meter_->add(rounds.count);
  } else if ((warm_ms_ += stopwatch.milliseconds()) >= kWarmUpMs) {
    meter_->begin();
  }
}

void Measurement::set_measured(Row& row) const {
  set_times(row, sampler_.summary(), sampler_.limited());
  if (meter_) set_energy(row, meter_->use());
}

void Measurement::advance() {
  if (meter_ && !meter_->measure_idle()) return;
  if (meter_ && meter_->idle_watts() > 0) (*idle_watts_)[meter_->sensor()] = meter_->idle_watts();
  if (sampler_.finished()) {
    advance_energy();
    return;
  }
  const Stopwatch stopwatch;
  Rounds rounds = run(sampler_.batch());
  double elapsed_ms = stopwatch.milliseconds() - rounds.preparation_ms;
  agree(rounds.milliseconds, elapsed_ms);
  if (sampler_.add(rounds.milliseconds, rounds.count, elapsed_ms)) on_sample();
}

std::unique_ptr<Measurement> begin_measurement(const Case& one, const Sampling& sampling,
                                               ProgressMonitor* watch, const ProcessGroup* ranks) {
  if (const auto* const dwells = std::get_if<MandelbrotCase>(&one))
    return std::make_unique<MandelbrotMeasurement>(*dwells, sampling);
  if (const auto* const of_map = std::get_if<MapCase>(&one))
    return std::make_unique<CellMeasurement<FractalConfig>>(*of_map, sampling, ranks, watch);
  return std::make_unique<CellMeasurement<SolidConfig>>(std::get<SolidCase>(one), sampling, ranks, watch);
}

namespace {

constexpr double kWarmUpSeconds = 0.06;
constexpr double kSampleMs = 1.5;     ///< of the shortest samples, which last from 1 ms on
constexpr double kSampleShare = 0.8;  ///< of the most samples: few configurations get quiet before

/// In threads of the bounding box. On the host a tile's map takes the time of many threads, most with tensor
/// cores or shuffles, which are emulated, and on the compact map once for each neighbour.
template <typename Config>
double work_of(const CellCase<Config>& one) {
  const auto fractal = tiled(one.config);
  const MapMethod& method = one.config.method;
  if (!method_problem(method, fractal).empty()) return 0;  // it will be skipped
  const double threads = threads_of(method, fractal) / one.devices;
  if (!one.backend.device.on_host || method.map == MapKind::kBoundingBox) return threads;
  const double of_map = method.arithmetic == MapArithmetic::kTable  ? 3
                        : method.arithmetic == MapArithmetic::kLoop ? 20
                                                                    : 60;
  const bool has_neighbours = method.map == MapKind::kCompact && one.workload == Workload::kLife;
  return threads * (1 + of_map * (has_neighbours ? 20 : 1) / (one.config.tile_size * one.config.tile_size));
}

double work_of(const MandelbrotCase& one) {
  return static_cast<double>(one.view.pixels()) * (one.volume ? one.view.width : 1);
}

}  // namespace

RemainingTime::RemainingTime(const std::vector<Case>& cases, const Sampling& sampling) : sampling_(sampling) {
  for (const Case& one : cases) {
    work_.push_back(std::visit([](const auto& of_kind) { return work_of(of_kind); }, one));
  }
  // Before anything is measured: about 4 ns for a thread's cell on a core.
  const auto is_on_host = [](const auto& one) { return one.backend.device.on_host; };
  if (!cases.empty() && std::visit(is_on_host, cases.front()))
    ms_per_work_ = 4e-6 / std::max(1u, std::thread::hardware_concurrency());
}

double RemainingTime::weight(double work) const {
  constexpr double kEnergySeconds = 2.5;
  if (work == 0) return 0;
  const double sample = std::max(work * ms_per_work_, kSampleMs) / 1000;
  return kWarmUpSeconds + std::min(sample * sampling_.max_samples * kSampleShare, sampling_.max_seconds) +
         (sampling_.idle_watts ? kEnergySeconds : 0);
}

void RemainingTime::add(std::optional<double> median_ms, double seconds) {
  const double work = work_[done_++];
  if (!median_ms) return;
  // Launch cost dominates cases with less work.
  constexpr double kMuchWork = 10'000;
  if (work > kMuchWork) ms_per_work_ = *median_ms / work;
  taken_ += seconds;
  weight_taken_ += weight(work);
}

double RemainingTime::seconds() const {
  double left = 0;
  for (std::size_t i = done_; i < work_.size(); ++i) left += weight(work_[i]);
  return weight_taken_ > 0 ? left * taken_ / weight_taken_ : left;
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::lround(std::min(seconds, 1e9)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole % 3600 / 60);
}

}  // namespace loom::app::bench
