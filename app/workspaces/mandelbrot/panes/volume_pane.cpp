#include "app/workspaces/mandelbrot/panes/volume_pane.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

/// Cubes with fewer samples on an axis are computed at once.
constexpr std::uint32_t kCoarseFrom = 64;
constexpr std::uint32_t kCoarseDivisor = 4;

VolumeConfig coarse_of(VolumeConfig config) {
  config.size /= kCoarseDivisor;
  config.order = RegionOrder::kCanonical;
  config.g = std::min(config.g, config.size / 2);
  return config;
}

}  // namespace

void VolumeTracer::update(const Outcome& outcome) {
  if (outcome.result.image.pixels == nullptr) return;
  trace_ms_ = outcome.result.trace_milliseconds;
  pixel_ms_ = trace_ms_ / pixels_of(outcome.request);
}

bool VolumeTracer::begin(const VolumeRequest& request, RayResult& result) {
  const ScopedMonitor monitored(*request.volume, monitor_);
  const glm::ivec2 size = glm::max((request.size + request.divisor - 1) / request.divisor, 1);
  const std::uint32_t samples = request.volume->config().size;
  result.trace_milliseconds =
      request.volume->draw(volume_view(request.settings, samples, request.camera, size),
                           volume_look(request.settings, request.camera), request.image_space, result.image);
  return false;
}

void VolumePane::compute(const VolumeConfig& config, bool may_begin) {
  const BackendSelection& selected = services_.backend;
  if (!has_wanted_ || wanted_ != config || !backend_.same_device(selected)) {
    wanted_ = config;
    backend_ = first_device(selected);
    has_wanted_ = true;
    is_coarse_there_ = whole_ = abandoned_ = job_is_wanted_ = false;
    check_requested_ = check_ended_ = timing_requested_ = false;
    report_.reset();
    differences_.reset();
    exhaustive_ms_.reset();
    problem_.clear();
    try {
      if (config.set == VolumeSet::kCustom) check_in_space(config.custom);
    } catch (const InputError& error) {  // code that waits for Run, or is not complete
      abandoned_ = true;
      problem_ = error.what();
    }
    // A coarse volume is there soon, so that the picture follows a control that is dragged.
    if (job_kind_ != Job::kSamples || job_.size >= kCoarseFrom) task_.cancel();
  }
  do {
    if (auto outcome = task_.poll(services_.waits ? kNoTimeout : TaskTimeout{0})) take(*outcome);
    if (may_begin && !task_.running()) begin_job();
  } while (services_.waits && task_.running());
}

void VolumePane::begin_job() {
  if (abandoned_) return;
  if (whole_) {
    if (wanted_.method == MandelbrotMethod::kExhaustive) return;
    VolumeConfig exhaustive = wanted_;
    exhaustive.method = MandelbrotMethod::kExhaustive;
    if (std::exchange(check_requested_, false)) {
      start(wanted_, Job::kCheck);
    } else if (std::exchange(timing_requested_, false)) {
      start(exhaustive, Job::kExhaustive);
    }
    return;
  }
  const bool coarse = !is_coarse_there_ && wanted_.size >= kCoarseFrom && !services_.waits;
  start(coarse ? coarse_of(wanted_) : wanted_, Job::kSamples);
}

void VolumePane::start(const VolumeConfig& config, Job kind) {
  job_ = config;
  job_kind_ = kind;
  job_is_wanted_ = true;
  task_.start(
      [config, kind, backend = backend_](ProgressMonitor& monitor) {
        Computed computed{make_volume_engine(backend), backend, {}, {}};
        const ScopedMonitor monitored(*computed.volume, &monitor);
        computed.report = computed.volume->compute(config);
        if (kind == Job::kCheck) computed.differences = computed.volume->count_differences();
        return computed;
      },
      fmt::format("out of memory for {0} × {0} × {0} samples", config.size));
}

void VolumePane::take(Task<Computed>::Outcome& outcome) {
  if (!outcome.result) {
    // A job that another configuration has replaced is no failure.
    if (!job_is_wanted_) return;
    if (job_kind_ == Job::kSamples) abandoned_ = true;
    if (job_kind_ == Job::kCheck) check_ended_ = true;
    if (!outcome.problem.empty()) problem_ = new_problem_ = outcome.problem;
    return;
  }
  if (job_kind_ == Job::kExhaustive) {
    if (job_is_wanted_) exhaustive_ms_ = outcome.result->report.milliseconds;
    return;
  }
  if (job_kind_ == Job::kCheck) {
    if (!job_is_wanted_) return;
    check_ended_ = true;
    differences_ = outcome.result->differences;
    volume_ = std::move(outcome.result->volume);  // the same samples, and where they are wrong
    volume_backend_ = std::move(outcome.result->backend);
    return;
  }
  // Even if another configuration is wanted by now, this is nearer to it than the last one.
  volume_ = std::move(outcome.result->volume);
  backend_name_ = volume_->backend_name();
  volume_backend_ = std::move(outcome.result->backend);
  if (!job_is_wanted_) return;
  is_coarse_there_ = true;
  whole_ = job_.size == wanted_.size;
  if (whole_) report_ = std::move(outcome.result->report);
}

void VolumePane::trace(const VolumeSettings& settings, const SolidCamera& camera, glm::ivec2 size,
                       int divisor, bool moves, FrameClock& clock, Stage stage) {
  if (!volume_) return;
  const TaskTimeout timeout = services_.waits ? kNoTimeout : kFrameWait;
  // Assignments keep memory: a frame does not allocate.
  request_.volume = volume_;
  request_.settings = settings;
  request_.camera = camera;
  request_.size = size;
  if (!request_.backend.same_device(volume_backend_)) request_.backend = volume_backend_;
  request_.divisor = moves || !picture_.shows(request_, false) ? divisor : 1;
  picture_.follow(request_, timeout, clock, stage);
  request_.divisor = moves || !picture_.shows(request_, false) ? divisor : 1;
  if (const auto* const outcome = picture_.advance(request_, nullptr, timeout, clock, stage);
      outcome != nullptr && !outcome->problem.empty())
    new_problem_ = outcome->problem;
}

void VolumePane::cancel() {
  task_.cancel();
  picture_.cancel();
}

Progress VolumePane::progress() const {
  if (!task_.running()) return {};
  if (job_kind_ == Job::kCheck) return {"computing every sample to compare", task_.share()};
  if (job_kind_ == Job::kExhaustive) return {"timing the exhaustive method", task_.share()};
  return {fmt::format("computing {0} × {0} × {0} samples", job_.size), task_.share()};
}

}  // namespace loom::app
