#include "app/workspaces/mandelbrot/scene/dwell_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "compute/core/stopwatch.h"

namespace loom::app {
namespace {

constexpr std::size_t kTimesKept = 240;
/// Views of about the same cost.
constexpr double kNearOctaves = 2;
constexpr std::size_t kExhaustiveKept = 256;

}  // namespace

void DwellRunner::use_backend(const BackendSelection& backend) {
  if (has_engine() && backend.same_device(backend_)) return;
  if (busy()) return async_engine_.cancel();
  async_engine_.replace(std::make_unique<DwellEngine>(backend));
  backend_ = backend;
  backend_name_ = engine().backend_name();
  has_picture_ = false;
  failed_.reset();
  report_.reset();
  times_.clear();
  stats_.reset();
  clear_regions();
  parts_.clear();
  check_.reset();
}

void DwellRunner::clear_regions() {
  regions_.clear();
  ++regions_number_;
}

// The finest resolution that fits the frame budget by the last measured time; a coarse one without a
// measurement.
int DwellRunner::first_divisor(const DwellRequest& request) const {
  if (request.every_frame) return 1;
  // The cost of one deep view says nothing about that of another.
  const bool is_far = !has_picture_ || request.config.precision != shown_.request.config.precision ||
                      std::abs(log2_width(request.view) - log2_width(shown_.request.view)) > kNearOctaves;
  if (is_perturbed(request.config.precision) && is_far) return kMaxDivisor;
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
  return std::min(divisor() / 2, first_divisor(request));
}

// Also stops the refinement of a picture that is complete before the cancellation takes effect.
void DwellRunner::cancel() {
  const DwellJob& job = async_engine_.request();
  if (job.kind == DwellJob::Kind::kPicture && (busy() || (has_picture_ && divisor() != 1))) {
    failed_ = job.request;
    out_of_capacity_ = false;
  }
  if (busy()) async_engine_.cancel();
}

// A pass takes about a quarter of the time of the next one, which has four times the pixels.
Progress DwellRunner::progress() const {
  Progress progress = async_engine_.progress();
  const DwellJob& job = async_engine_.request();
  const bool has_passes = busy() && job.kind == DwellJob::Kind::kPicture && coarsest_ > 1 && !job.is_repeat;
  if (!has_passes || progress.what.empty()) return progress;
  double done = 0;
  double all = 0;
  int pass = 0;
  int passes = 0;
  for (int divisor = coarsest_; divisor >= 1; divisor /= 2) {
    const double pixels = 1.0 / (divisor * divisor);
    ++passes;
    all += pixels;
    if (divisor < job.divisor) continue;
    pass = passes;
    done += divisor > job.divisor ? pixels : std::max(progress.share, 0.0) * pixels;
  }
  progress.what += fmt::format(", pass {} of {}", pass, passes);
  progress.share = done / all;
  return progress;
}

ImageView DwellRunner::image(MemorySpace space) {
  return shown_smooth_ ? engine().smooth_image(space) : engine().image(space);
}

// Returns true if the job has ended with a new picture.
bool DwellRunner::begin(const DwellJob& job, TaskTimeout timeout) {
  async_engine_.begin(job);
  const DwellOutcome* const done = finish(timeout);
  return done != nullptr && take(*done);
}

const DwellOutcome* DwellRunner::finish(TaskTimeout timeout) {
  const DwellOutcome* const done = async_engine_.finish(timeout);
  const DwellJob& job = async_engine_.request();
  const bool computes = job.kind == DwellJob::Kind::kPicture;
  if (!computes && job.kind != DwellJob::Kind::kSmooth) return done;
  const double image = done ? done->result.histogram_ms + done->result.smooth_ms.value_or(0) : 0;
  const double waited = async_engine_.waited_ms();
  if (ran_in_background()) {
    const double image_part = computes ? std::min(image, waited) : waited;
    frame_image_ms_ += image_part;
    frame_step_ms_ += waited - image_part;
  } else if (done) {
    frame_image_ms_ += image;
    frame_step_ms_ += computes ? done->result.report.milliseconds : 0;
  }
  return done;
}

void DwellRunner::add_times(FrameClock& clock, Stage step) {
  if (frame_step_ms_ > 0) clock.part(step, frame_step_ms_);
  if (frame_image_ms_ > 0) clock.part(Stage::kResolve, frame_image_ms_);
  frame_step_ms_ = frame_image_ms_ = 0;
}

// Returns true if there is a new picture.
bool DwellRunner::take(const DwellOutcome& done) {
  const DwellResult& result = done.result;
  switch (done.request.kind) {
    case DwellJob::Kind::kPicture:
      return take_picture(done);
    case DwellJob::Kind::kSmooth:
      smooth_failed_ = done.failed() || !result.smooth_ms;
      if (smooth_failed_) break;
      smooth_ms_ = result.smooth_ms;
      shown_smooth_ = true;
      return true;
    case DwellJob::Kind::kCheck:
      if (!done.failed()) check_ = result.check;
      break;
    case DwellJob::Kind::kExhaustive:
      if (done.failed()) break;
      if (exhaustive_.size() == kExhaustiveKept) exhaustive_.erase(exhaustive_.begin());
      exhaustive_.push_back(result.exhaustive);
      break;
    case DwellJob::Kind::kTimeline:
      // The strip shows a problem in place of the timeline.
      recorded_ = {recorded_ ? recorded_->number + 1 : 1, done.request.request, backend_name_,
                   result.timeline, done.cancelled ? "cancelled" : done.problem};
      return false;
  }
  if (!done.problem.empty()) problem_ = done.problem;
  return false;
}

bool DwellRunner::take_picture(const DwellOutcome& done) {
  const DwellJob& job = done.request;
  const DwellResult& result = done.result;
  if (!result.dp_failure.empty()) {
    failed_ = job.request;
    out_of_capacity_ = false;
    problem_ = dp_fallback_reason_ = fmt::format("DP failed ({}); ASK runs instead", result.dp_failure);
    return false;
  }
  if (done.failed()) {
    failed_ = job.request;
    out_of_capacity_ = result.out_of_capacity;
    if (!done.problem.empty()) problem_ = done.problem;
    has_picture_ = false;
    return false;
  }
  has_picture_ = true;
  shown_ = job;
  if (!job.is_repeat) {
    histogram_ = result.histogram;
    histogram_ms_ = result.histogram_ms;
    smooth_ms_ = result.smooth_ms;
  }
  shown_smooth_ = job.request.smooth;
  image_size_ = {static_cast<int>(engine().view().width), static_cast<int>(engine().view().height)};
  const std::span<const MandelbrotPartitionTime> times = engine().partition_times();
  parts_.resize(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::span<const RowRange> rows = engine().rows_of_partition(i);
    parts_[i].time = times[i];
    parts_[i].rows.assign(rows.begin(), rows.end());
  }
  if (job.lists) {
    regions_.assign(engine().regions().begin(), engine().regions().end());
    ++regions_number_;
    regions_listed_ = true;
  }
  if (job.divisor != 1 || job.lists) return true;
  if (times_.size() == kTimesKept) times_.erase(times_.begin());
  times_.push_back(result.report.milliseconds);
  stats_.reset();
  report_ = result.report;
  return true;
}

bool DwellRunner::advance(const DwellRequest& request, TaskTimeout timeout) {
  if (busy()) {
    // Cancel a picture that is no longer requested.
    const DwellJob& job = async_engine_.request();
    const bool outdated = job.kind == DwellJob::Kind::kPicture && !request.same_picture(job.request);
    if (outdated) async_engine_.cancel();
    const DwellOutcome* const done = finish(timeout);
    if (done == nullptr) return false;
    if (take(*done)) return true;
    if (outdated && failed_ && failed_->same_picture(job.request)) failed_.reset();
  }
  if (failed_ && failed_->same_picture(request)) return false;
  failed_.reset();
  const bool changed = !has_picture_ || !request.same_picture(shown_.request);
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
    return begin({.kind = DwellJob::Kind::kSmooth, .request = request, .divisor = divisor()}, timeout);
  }
  if (timed && !request.every_frame && !to_list) return false;
  const int next = changed ? first_divisor(request) : divisor() == 1 ? 1 : std::max(1, next_divisor(request));
  if (changed) {
    coarsest_ = next;
    report_.reset();
    times_.clear();
    stats_.reset();
    clear_regions();
    if (!request.regions) std::vector<MandelbrotRegion>().swap(regions_);  // frees up to one region per pixel
    regions_listed_ = false;
    check_.reset();
    if (request.config.method != MandelbrotMethod::kDp) dp_fallback_reason_.clear();
  }
  // Listing regions takes time that is not part of the method; the timed run follows in the next frame.
  return begin({.request = request,
                .divisor = next,
                .lists = to_list && next == 1,
                .is_repeat = !changed && next == divisor() && smooth_is_current},
               timeout);
}

// Starts work for the finished picture, unless other work is running.
void DwellRunner::begin_for_picture(DwellJob::Kind kind, TaskTimeout timeout) {
  if (has_picture_ && divisor() == 1 && !busy()) begin({.kind = kind, .request = shown_.request}, timeout);
}

StageStats DwellRunner::times() const {
  if (!stats_) {
    sorted_.assign(times_.begin(), times_.end());
    stats_ = stats_in_place(sorted_);
  }
  return *stats_;
}

std::optional<double> DwellRunner::exhaustive_ms() const {
  if (!has_picture_) return std::nullopt;
  const StageStats own = times();
  if (shown_.request.config.method == MandelbrotMethod::kExhaustive && own.samples > 0) return own.median;
  const MandelbrotView view =
      mandelbrot_view(shown_.request.view, shown_.request.picture, shown_.request.config.precision);
  for (auto entry = exhaustive_.rbegin(); entry != exhaustive_.rend(); ++entry) {
    if (entry->set == shown_.request.config.set && entry->view == view &&
        entry->dwell_limit == shown_.request.config.dwell_limit &&
        entry->precision == shown_.request.config.precision && entry->backend == backend_name_) {
      return entry->milliseconds;
    }
  }
  return std::nullopt;
}

namespace {

constexpr std::size_t kPlacesKept = 20000;
constexpr int kExhaustiveRuns = 3;
constexpr double kExhaustivePatienceMs = 1000;
/// Initial estimate before any measurement: milliseconds per pixel and iteration, up to the dwell limit.
constexpr double kCpuStepMs = 1e-6;
constexpr double kCudaStepMs = 1e-9;

double pixels_of(glm::ivec2 picture) {
  return static_cast<double>(picture.x) * picture.y;
}

/// The cost of a job in computations of its picture.
double computations_of(DwellJob::Kind kind) {
  // The work of the exhaustive method usually exceeds that of the picture. A timeline has a warm-up, timed
  // runs and recorded runs.
  return value_for<DwellJob::Kind::kTimeline>({1, 1, 4, 4, 8}, kind);
}

}  // namespace

DwellEngine::DwellEngine(const BackendSelection& backend)
    : backend_(backend), engine_(make_mandelbrot_engine(backend)) {}

std::optional<double> DwellEngine::expected_ms(glm::ivec2 picture) const {
  if (!ns_per_pixel_) return std::nullopt;
  return *ns_per_pixel_ * pixels_of(picture) * 1e-6;
}

double DwellEngine::expected_ms(const DwellJob& job) const {
  const DwellRequest& request = job.request;
  const double step = backend_.device.on_host ? kCpuStepMs : kCudaStepMs;
  const double whole =
      expected_ms(request.picture).value_or(pixels_of(request.picture) * request.config.dwell_limit * step);
  const double expected = computations_of(job.kind) * whole / (job.divisor * job.divisor);
  // Whether the view needs a new reference orbit is known once it is being computed.
  const bool may_take_long = is_perturbed(request.config.precision) && !job.is_repeat;
  return may_take_long ? std::max(expected, 2 * kWithinFrameMs) : expected;
}

std::string DwellEngine::activity(const DwellJob& job) {
  if (job.kind == DwellJob::Kind::kPicture && is_perturbed(job.request.config.precision))
    return "computing the reference orbit and the dwells";
  return value_for<DwellJob::Kind::kTimeline>(
      {"computing the dwells", "computing the dwells", "verifying every pixel",
       "timing the exhaustive method", "recording a timeline"},
      job.kind);
}

void DwellEngine::update(const DwellOutcome& done) {
  const DwellResult& result = done.result;
  if (done.request.kind != DwellJob::Kind::kPicture || done.failed() || !result.dp_failure.empty()) return;
  const double milliseconds = result.report.milliseconds + result.histogram_ms + result.smooth_ms.value_or(0);
  ns_per_pixel_ = milliseconds * 1e6 / static_cast<double>(result.report.pixels);
}

void DwellEngine::set_monitor(ProgressMonitor* monitor) {
  monitor_ = monitor;
  engine_->set_monitor(monitor);
}

bool DwellEngine::begin(const DwellJob& job, DwellResult& result) {
  switch (job.kind) {
    case DwellJob::Kind::kPicture:
      try {
        compute(job, result);
      } catch (const DeviceFault&) {
        throw;
      } catch (const CapacityError&) {
        result.out_of_capacity = true;
        throw;
      } catch (const MachineError& error) {
        if (job.request.config.method != MandelbrotMethod::kDp) throw;
        result.dp_failure = error.what();
      }
      break;
    case DwellJob::Kind::kSmooth:
      result.smooth_ms = engine_->compute_smooth().milliseconds;
      break;
    case DwellJob::Kind::kCheck: {
      const Stopwatch stopwatch;
      result.check.differences = engine_->count_differences(kPlacesKept);
      result.check.milliseconds = stopwatch.milliseconds();
      break;
    }
    case DwellJob::Kind::kExhaustive:
      time_exhaustive(job.request, result.exhaustive);
      break;
    case DwellJob::Kind::kTimeline:
      result.timeline = record(job.request);
      break;
  }
  return false;
}

// Counting is part of computing a new picture and of its time.
void DwellEngine::compute(const DwellJob& job, DwellResult& result) {
  const DwellRequest& request = job.request;
  MandelbrotConfig config = request.config;
  config.exact = config.exact && job.divisor == 1;
  result.report = engine_->compute(
      config, mandelbrot_view(request.view, request.picture, request.config.precision, job.divisor),
      job.lists ? MandelbrotEngine::Regions::kList : MandelbrotEngine::Regions::kCount);
  if (job.is_repeat) return;
  const Stopwatch stopwatch;
  result.histogram = count_dwells_by_scale(*engine_);
  result.histogram_ms = stopwatch.milliseconds();
  if (request.smooth) result.smooth_ms = engine_->compute_smooth().milliseconds;
}

// Another engine, so that the picture's engine keeps its image.
std::unique_ptr<MandelbrotEngine> DwellEngine::make_engine() const {
  auto engine = make_mandelbrot_engine(backend_);
  engine->set_monitor(monitor_);
  return engine;
}

void DwellEngine::time_exhaustive(const DwellRequest& request, ExhaustiveTime& result) const {
  const auto engine = make_engine();
  const MandelbrotView view = mandelbrot_view(request.view, request.picture, request.config.precision);
  MandelbrotConfig config = request.config;
  config.method = MandelbrotMethod::kExhaustive;
  std::vector<double> runs;
  const Stopwatch stopwatch;
  while (runs.size() < 1 + kExhaustiveRuns &&
         (runs.empty() || stopwatch.milliseconds() < kExhaustivePatienceMs)) {
    runs.push_back(engine->compute(config, view).milliseconds);
  }
  if (runs.size() > 1) runs.erase(runs.begin());  // warm-up
  std::sort(runs.begin(), runs.end());
  result = {config.set,           view, config.dwell_limit, config.precision, engine->backend_name(),
            runs[runs.size() / 2]};
}

std::shared_ptr<const Timeline> DwellEngine::record(const DwellRequest& request) const {
  constexpr std::uint64_t kMaxSpans = 1 << 16;
  if (backend_.devices() > 1)
    throw InputError("A timeline shows one device: select 1 in the row Devices, then Capture again");
  const MandelbrotView view = mandelbrot_view(request.view, request.picture, request.config.precision);
  return std::make_shared<const Timeline>(
      make_engine()->record_timeline(request.config, view, {.rule = {}, .max_spans = kMaxSpans}));
}

}  // namespace loom::app
