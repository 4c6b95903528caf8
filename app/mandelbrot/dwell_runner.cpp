#include "app/mandelbrot/dwell_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "compute/backend/mandelbrot_factory.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

constexpr std::size_t kTimesKept = 240;
constexpr std::size_t kExhaustiveKept = 256;
constexpr std::size_t kPlacesKept = 20000;
constexpr int kExhaustiveRuns = 3;
constexpr double kExhaustivePatienceMs = 1000;

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

double pixels_of(render::Extent picture) {
  return static_cast<double>(picture.width) * picture.height;
}

}  // namespace

void DwellRunner::use_backend(const BackendSelection& backend) {
  if (engine_ && backend.kind == backend_.kind && backend.device == backend_.device) return;
  engine_ = make_mandelbrot_engine(backend);
  backend_ = backend;
  has_picture_ = false;
  failed_.reset();
  ns_per_pixel_.reset();
  report_.reset();
  times_.clear();
  regions_.clear();
  check_.reset();
}

std::optional<double> DwellRunner::expected_ms(render::Extent picture) const {
  if (!ns_per_pixel_) return std::nullopt;
  return (*ns_per_pixel_ + extra_ns_per_pixel_) * pixels_of(picture) * 1e-6;
}

void DwellRunner::add_cost(double milliseconds) {
  if (has_picture_) extra_ns_per_pixel_ = milliseconds * 1e6 / static_cast<double>(engine_->view().pixels());
}

// The finest that the last computation promises within patience; without one, carefully.
int DwellRunner::first_divisor(const DwellWish& wish) const {
  if (wish.every_frame) return 1;
  const auto full = expected_ms(wish.picture);
  if (!full) return kCoarsest / 2;
  int divisor = 1;
  while (divisor<kCoarsest&& * full / (divisor * divisor)> kPatienceMs) divisor *= 2;
  return divisor;
}

bool DwellRunner::timed_enough() const {
  if (!report_) return false;
  return times_.size() >= kRunsAtRest || report_->milliseconds > kPatienceMs;
}

int DwellRunner::next_divisor(const DwellWish& wish) const {
  return std::min(divisor_ / 2, first_divisor(wish));
}

bool DwellRunner::advance(const DwellWish& wish) {
  if (failed_ && failed_->same_picture(wish)) return false;
  const bool changed = !has_picture_ || !wish.same_picture(done_);
  const bool to_list = wish.regions && (changed || !regions_listed_);
  const bool timed = !changed && timed_enough();
  if (timed && !wish.every_frame && !to_list) return false;
  const int divisor = changed ? first_divisor(wish) : divisor_ == 1 ? 1 : std::max(1, next_divisor(wish));
  if (changed) {
    report_.reset();
    times_.clear();
    regions_.clear();
    regions_listed_ = false;
    check_.reset();
    if (wish.config.method != MandelbrotMethod::kDp) fallen_back_.clear();
  }
  // Listing takes time of its own, which is no part of the method's: the run that is timed comes in the next
  // frame.
  const bool list = to_list && divisor == 1;
  try {
    MandelbrotReport report;
    try {
      report = engine_->compute(wish.config, mandelbrot_view(wish.view, wish.picture, divisor),
                                list ? MandelbrotEngine::Regions::kList : MandelbrotEngine::Regions::kCount);
    } catch (const DeviceFault&) {
      throw;
    } catch (const CapacityError&) {
      throw;
    } catch (const MachineError& error) {
      if (wish.config.method != MandelbrotMethod::kDp) throw;
      fallen_back_ = fmt::format("DP failed ({}); ASK runs instead", error.what());
      problem_ = fallen_back_;
      failed_ = wish;
      return false;
    }
    divisor_ = divisor;
    finish(wish, std::move(report), list);
    return true;
  } catch (const DeviceFault&) {
    throw;
  } catch (const InputError& error) {
    problem_ = error.what();
  } catch (const MachineError& error) {
    problem_ = error.what();
  }
  failed_ = wish;
  has_picture_ = false;
  return false;
}

void DwellRunner::finish(const DwellWish& wish, MandelbrotReport report, bool regions) {
  failed_.reset();
  has_picture_ = true;
  done_ = wish;
  if (regions) {
    regions_.assign(engine_->regions().begin(), engine_->regions().end());
    regions_listed_ = true;
  }
  last_ms_ = report.milliseconds;
  ns_per_pixel_ = report.milliseconds * 1e6 / static_cast<double>(report.pixels);
  if (divisor_ != 1 || regions) return;
  if (times_.size() == kTimesKept) times_.erase(times_.begin());
  times_.push_back(report.milliseconds);
  report_ = std::move(report);
}

StageFigures DwellRunner::times() const {
  return figures_of(times_);
}

void DwellRunner::check() {
  if (!has_picture_ || divisor_ != 1) return;
  const auto begin = Clock::now();
  check_ = DwellCheck{engine_->count_differences(kPlacesKept), 0};
  check_->milliseconds = milliseconds_since(begin);
}

void DwellRunner::measure_exhaustive() {
  if (!has_picture_) return;
  const auto engine = make_mandelbrot_engine(backend_);
  const MandelbrotView view = mandelbrot_view(done_.view, done_.picture);
  MandelbrotConfig config = done_.config;
  config.method = MandelbrotMethod::kExhaustive;
  std::vector<double> runs;
  const auto begin = Clock::now();
  while (runs.size() < kExhaustiveRuns &&
         (runs.empty() || milliseconds_since(begin) < kExhaustivePatienceMs)) {
    runs.push_back(engine->compute(config, view).milliseconds);
  }
  std::sort(runs.begin(), runs.end());
  if (exhaustive_.size() == kExhaustiveKept) exhaustive_.erase(exhaustive_.begin());
  exhaustive_.push_back(
      {view, config.dwell_limit, config.precision, engine->backend_name(), runs[runs.size() / 2]});
}

std::optional<double> DwellRunner::exhaustive_ms() const {
  if (!has_picture_) return std::nullopt;
  const StageFigures own = times();
  if (done_.config.method == MandelbrotMethod::kExhaustive && own.samples > 0) return own.median;
  const MandelbrotView view = mandelbrot_view(done_.view, done_.picture);
  for (auto entry = exhaustive_.rbegin(); entry != exhaustive_.rend(); ++entry) {
    if (entry->view == view && entry->dwell_limit == done_.config.dwell_limit &&
        entry->precision == done_.config.precision && entry->backend == engine_->backend_name()) {
      return entry->milliseconds;
    }
  }
  return std::nullopt;
}

}  // namespace loom::app
