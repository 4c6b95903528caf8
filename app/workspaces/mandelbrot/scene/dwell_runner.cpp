#include "app/workspaces/mandelbrot/scene/dwell_runner.h"

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
/// Work with a longer expected time runs in the background.
constexpr double kWithinFrameMs = 12;
/// Initial estimate before any measurement: milliseconds per pixel and iteration, up to the dwell limit.
constexpr double kCpuStepMs = 1e-6;
constexpr double kCudaStepMs = 1e-9;

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

double pixels_of(glm::ivec2 picture) {
  return static_cast<double>(picture.x) * picture.y;
}

}  // namespace

void DwellRunner::use_backend(const BackendSelection& backend) {
  if (engine_ && backend.same_device(backend_)) return;
  if (busy()) {
    worker_.watch().cancel();
    return;
  }
  engine_ = make_mandelbrot_engine(backend);
  backend_ = backend;
  backend_name_ = engine_->backend_name();
  has_picture_ = false;
  failed_.reset();
  ns_per_pixel_.reset();
  report_.reset();
  times_.clear();
  figures_.reset();
  clear_regions();
  parts_.clear();
  check_.reset();
}

void DwellRunner::clear_regions() {
  regions_.clear();
  ++regions_number_;
}

std::optional<double> DwellRunner::expected_ms(glm::ivec2 picture) const {
  if (!ns_per_pixel_) return std::nullopt;
  return *ns_per_pixel_ * pixels_of(picture) * 1e-6;
}

// The finest resolution that fits the frame budget by the last measured time; a coarse one without a
// measurement.
int DwellRunner::first_divisor(const DwellRequest& request) const {
  if (request.every_frame) return 1;
  const auto full = expected_ms(request.picture);
  if (!full) return kMaxDivisor / 2;
  int divisor = 1;
  while (divisor<kMaxDivisor&& * full / (divisor * divisor)> kFrameBudgetMs) divisor *= 2;
  return divisor;
}

bool DwellRunner::timed_enough() const {
  if (!report_) return false;
  return times_.size() >= kTimedRuns || report_->milliseconds > kFrameBudgetMs;
}

int DwellRunner::next_divisor(const DwellRequest& request) const {
  return std::min(divisor_ / 2, first_divisor(request));
}

double DwellRunner::guess_ms(const DwellRequest& request, int divisor) const {
  const double part = 1.0 / (divisor * divisor);
  if (const auto full = expected_ms(request.picture)) return *full * part;
  const double step = backend_.kind == BackendKind::kCuda ? kCudaStepMs : kCpuStepMs;
  return pixels_of(request.picture) * part * request.config.dwell_limit * step;
}

Progress DwellRunner::progress() const {
  if (!busy()) return {};
  const char* const what = job_.task == Task::kCheck        ? "verifying every pixel"
                           : job_.task == Task::kExhaustive ? "timing the exhaustive method"
                           : job_.task == Task::kTimeline   ? "recording a timeline"
                                                            : "computing the dwells";
  return {what, worker_.watch().share()};
}

// Also stops the refinement of a picture that is complete before the cancellation takes effect.
void DwellRunner::cancel() {
  if (job_.task == Task::kPicture && (busy() || (has_picture_ && divisor_ != 1))) failed_ = job_.request;
  if (busy()) worker_.watch().cancel();
}

ImageView DwellRunner::image(MemorySpace space) {
  return shown_smooth_ ? engine_->smooth_image(space) : engine_->image(space);
}

// Returns true if the task has finished with a new picture.
bool DwellRunner::begin(Task task, double expected_ms, Timeout timeout) {
  job_.task = task;
  job_.cancelled = job_.dp_failed = false;
  job_.problem.clear();
  in_background_ = expected_ms > kWithinFrameMs;
  if (in_background_) {
    worker_.start([this](ProgressMonitor& watch) { work(watch); });
    return worker_.wait_for(timeout) && finish();
  }
  ProgressMonitor unwatched;
  work(unwatched);
  return finish();
}

void DwellRunner::work(ProgressMonitor& watch) {
  engine_->set_monitor(&watch);
  try {
    switch (job_.task) {
      case Task::kPicture:
        compute_picture();
        if (job_.request.smooth && !job_.again) compute_smooth();
        break;
      case Task::kSmooth:
        compute_smooth();
        break;
      case Task::kCheck: {
        const auto begin = Clock::now();
        job_.check.differences = engine_->count_differences(kPlacesKept);
        job_.check.milliseconds = milliseconds_since(begin);
        break;
      }
      case Task::kExhaustive: {
        const auto engine = make_mandelbrot_engine(backend_);
        engine->set_monitor(&watch);
        const MandelbrotView view = mandelbrot_view(job_.request.view, job_.request.picture);
        MandelbrotConfig config = job_.request.config;
        config.method = MandelbrotMethod::kExhaustive;
        std::vector<double> runs;
        const auto begin = Clock::now();
        while (runs.size() < kExhaustiveRuns &&
               (runs.empty() || milliseconds_since(begin) < kExhaustivePatienceMs)) {
          runs.push_back(engine->compute(config, view).milliseconds);
        }
        std::sort(runs.begin(), runs.end());
        job_.exhaustive = {view, config.dwell_limit, config.precision, engine->backend_name(),
                           runs[runs.size() / 2]};
        break;
      }
      case Task::kTimeline:
        record(watch);
        break;
    }
  } catch (const OperationCancelled&) {
    job_.cancelled = true;
  } catch (const DeviceFault&) {
    throw;
  } catch (const InputError& error) {
    job_.problem = error.what();
  } catch (const CapacityError& error) {
    job_.problem = error.what();
  } catch (const MachineError& error) {
    job_.problem = error.what();
    job_.dp_failed = job_.task == Task::kPicture && job_.request.config.method == MandelbrotMethod::kDp;
  } catch (const std::bad_alloc&) {
    job_.problem = "out of memory for the picture";
  }
  engine_->set_monitor(nullptr);
}

// Counting is part of computing a new picture and of its time.
void DwellRunner::compute_picture() {
  job_.report = engine_->compute(
      job_.request.config, mandelbrot_view(job_.request.view, job_.request.picture, job_.divisor),
      job_.list ? MandelbrotEngine::Regions::kList : MandelbrotEngine::Regions::kCount);
  if (job_.again) return;
  const auto begin = Clock::now();
  job_.histogram = count_dwells(*engine_);
  job_.histogram_ms = milliseconds_since(begin);
  job_.smooth_ms.reset();
}

void DwellRunner::compute_smooth() {
  job_.smooth_ms = engine_->compute_smooth().milliseconds;
}

// Uses another engine, so that the picture's engine keeps its image.
void DwellRunner::record(ProgressMonitor& watch) {
  constexpr std::uint64_t kMaxSpans = 1 << 16;
  if (backend_.devices() > 1)
    throw InputError("A timeline shows one device: select 1 in the row Devices, then Capture again");
  const auto engine = make_mandelbrot_engine(backend_);
  engine->set_monitor(&watch);
  const MandelbrotView view = mandelbrot_view(job_.request.view, job_.request.picture);
  job_.timeline = std::make_shared<const Timeline>(
      engine->record_timeline(job_.request.config, view, {.rule = {}, .max_spans = kMaxSpans}));
}

// Handles the result of the task. Returns true if there is a new picture.
bool DwellRunner::finish() {
  const bool told = job_.task == Task::kTimeline;  // the strip shows this problem in place of the timeline
  if (!job_.problem.empty() && !job_.dp_failed && !told) problem_ = job_.problem;
  switch (job_.task) {
    case Task::kPicture:
      return take_picture();
    case Task::kSmooth:
      smooth_failed_ = job_.cancelled || !job_.problem.empty() || !job_.smooth_ms;
      if (smooth_failed_) return false;
      smooth_ms_ = job_.smooth_ms;
      shown_smooth_ = true;
      return true;
    case Task::kCheck:
      if (!job_.cancelled && job_.problem.empty()) check_ = std::move(job_.check);
      return false;
    case Task::kExhaustive:
      if (job_.cancelled || !job_.problem.empty()) return false;
      if (exhaustive_.size() == kExhaustiveKept) exhaustive_.erase(exhaustive_.begin());
      exhaustive_.push_back(job_.exhaustive);
      return false;
    case Task::kTimeline: {
      const std::uint64_t number = recorded_ ? recorded_->number + 1 : 1;
      recorded_ = {number, job_.request, backend_name_, std::exchange(job_.timeline, nullptr),
                   job_.cancelled ? "cancelled" : job_.problem};
      return false;
    }
  }
  return false;
}

bool DwellRunner::take_picture() {
  if (job_.cancelled || !job_.problem.empty()) {
    failed_ = job_.request;
    if (job_.dp_failed) {
      dp_fallback_reason_ = fmt::format("DP failed ({}); ASK runs instead", job_.problem);
      problem_ = dp_fallback_reason_;
    } else {
      has_picture_ = false;
    }
    return false;
  }
  has_picture_ = true;
  done_ = job_.request;
  divisor_ = job_.divisor;
  if (!job_.again) {
    histogram_.swap(job_.histogram);
    histogram_ms_ = job_.histogram_ms;
    smooth_ms_ = job_.smooth_ms;
  }
  shown_smooth_ = job_.request.smooth;
  image_size_ = {static_cast<int>(engine_->view().width), static_cast<int>(engine_->view().height)};
  const std::span<const MandelbrotPartitionTime> times = engine_->partition_times();
  parts_.resize(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::span<const RowRange> rows = engine_->rows_of_partition(i);
    parts_[i].time = times[i];
    parts_[i].rows.assign(rows.begin(), rows.end());
  }
  if (job_.list) {
    regions_.assign(engine_->regions().begin(), engine_->regions().end());
    ++regions_number_;
    regions_listed_ = true;
  }
  const MandelbrotReport& report = job_.report;
  last_ms_ = report.milliseconds;
  const double colours_ms = job_.again ? 0 : histogram_ms_ + smooth_ms_.value_or(0);
  ns_per_pixel_ = (report.milliseconds + colours_ms) * 1e6 / static_cast<double>(report.pixels);
  counted_ = !job_.again;
  if (divisor_ != 1 || job_.list) return true;
  if (times_.size() == kTimesKept) times_.erase(times_.begin());
  times_.push_back(report.milliseconds);
  figures_.reset();
  report_ = report;
  return true;
}

bool DwellRunner::advance(const DwellRequest& request, Timeout timeout) {
  if (busy()) {
    // Cancel a picture that is no longer requested.
    const bool outdated = job_.task == Task::kPicture && !request.same_picture(job_.request);
    if (outdated) worker_.watch().cancel();
    if (!worker_.wait_for(timeout)) return false;
    if (finish()) return true;
    if (outdated && failed_ && failed_->same_picture(job_.request)) failed_.reset();
  }
  if (failed_ && failed_->same_picture(request)) return false;
  failed_.reset();
  const bool changed = !has_picture_ || !request.same_picture(done_);
  const bool to_list = request.regions && (changed || !regions_listed_);
  const bool timed = !changed && timed_enough();
  if (changed || !request.smooth) smooth_failed_ = false;
  const bool smooth_is_current = request.smooth == shown_smooth_ || smooth_failed_;
  if (!changed && !smooth_is_current) {
    if (!request.smooth) {
      shown_smooth_ = false;
      smooth_ms_.reset();
      return true;
    }
    return begin(Task::kSmooth, guess_ms(request, divisor_), timeout);
  }
  if (timed && !request.every_frame && !to_list) return false;
  const int divisor = changed         ? first_divisor(request)
                      : divisor_ == 1 ? 1
                                      : std::max(1, next_divisor(request));
  if (changed) {
    report_.reset();
    times_.clear();
    figures_.reset();
    clear_regions();
    if (!request.regions) std::vector<MandelbrotRegion>().swap(regions_);  // frees up to one region per pixel
    regions_listed_ = false;
    check_.reset();
    if (request.config.method != MandelbrotMethod::kDp) dp_fallback_reason_.clear();
  }
  job_.request = request;
  job_.divisor = divisor;
  // Listing regions takes time that is not part of the method; the timed run follows in the next frame.
  job_.list = to_list && divisor == 1;
  job_.again = !changed && divisor == divisor_ && smooth_is_current;
  return begin(Task::kPicture, guess_ms(request, divisor), timeout);
}

void DwellRunner::check(Timeout timeout) {
  if (!has_picture_ || divisor_ != 1 || busy()) return;
  // Verification does the work of the exhaustive method, which usually exceeds that of the picture.
  begin(Task::kCheck, 4 * guess_ms(done_, 1), timeout);
}

void DwellRunner::measure_exhaustive(Timeout timeout) {
  if (!has_picture_ || busy()) return;
  job_.request = done_;
  begin(Task::kExhaustive, 4 * guess_ms(done_, 1), timeout);
}

void DwellRunner::record_timeline(Timeout timeout) {
  if (!has_picture_ || divisor_ != 1 || busy()) return;
  job_.request = done_;
  job_.timeline.reset();
  // Includes warm-up, timed runs and recorded runs.
  begin(Task::kTimeline, 8 * guess_ms(done_, 1), timeout);
}

StageStats DwellRunner::times() const {
  if (!figures_) {
    sorted_.assign(times_.begin(), times_.end());
    figures_ = stats_in_place(sorted_);
  }
  return *figures_;
}

std::optional<double> DwellRunner::exhaustive_ms() const {
  if (!has_picture_) return std::nullopt;
  const StageStats own = times();
  if (done_.config.method == MandelbrotMethod::kExhaustive && own.samples > 0) return own.median;
  const MandelbrotView view = mandelbrot_view(done_.view, done_.picture);
  for (auto entry = exhaustive_.rbegin(); entry != exhaustive_.rend(); ++entry) {
    if (entry->view == view && entry->dwell_limit == done_.config.dwell_limit &&
        entry->precision == done_.config.precision && entry->backend == backend_name_) {
      return entry->milliseconds;
    }
  }
  return std::nullopt;
}

}  // namespace loom::app
