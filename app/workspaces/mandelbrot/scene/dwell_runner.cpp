#include "app/workspaces/mandelbrot/scene/dwell_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "compute/core/error.h"

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
    if (entry->view == view && entry->dwell_limit == shown_.request.config.dwell_limit &&
        entry->precision == shown_.request.config.precision && entry->backend == backend_name_) {
      return entry->milliseconds;
    }
  }
  return std::nullopt;
}

}  // namespace loom::app
