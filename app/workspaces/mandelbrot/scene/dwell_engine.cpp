#include "app/workspaces/mandelbrot/scene/dwell_engine.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "compute/backend/mandelbrot_factory.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

constexpr std::size_t kPlacesKept = 20000;
constexpr int kExhaustiveRuns = 3;
constexpr double kExhaustivePatienceMs = 1000;
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

/// The cost of a job in computations of its picture.
double computations_of(DwellJob::Kind kind) {
  switch (kind) {
    case DwellJob::Kind::kPicture:
    case DwellJob::Kind::kSmooth:
      return 1;
    case DwellJob::Kind::kCheck:
    case DwellJob::Kind::kExhaustive:
      return 4;  // the work of the exhaustive method usually exceeds that of the picture
    case DwellJob::Kind::kTimeline:
      return 8;  // warm-up, timed runs and recorded runs
  }
  return 1;
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
  switch (job.kind) {
    case DwellJob::Kind::kPicture:
      return is_perturbed(job.request.config.precision) ? "computing the reference orbit and the dwells"
                                                        : "computing the dwells";
    case DwellJob::Kind::kSmooth:
      return "computing the dwells";
    case DwellJob::Kind::kCheck:
      return "verifying every pixel";
    case DwellJob::Kind::kExhaustive:
      return "timing the exhaustive method";
    case DwellJob::Kind::kTimeline:
      return "recording a timeline";
  }
  return {};
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
      const auto begin = Clock::now();
      result.check.differences = engine_->count_differences(kPlacesKept);
      result.check.milliseconds = milliseconds_since(begin);
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
  const auto begin = Clock::now();
  result.histogram = count_dwells_by_scale(*engine_);
  result.histogram_ms = milliseconds_since(begin);
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
  const auto begin = Clock::now();
  while (runs.size() < 1 + kExhaustiveRuns &&
         (runs.empty() || milliseconds_since(begin) < kExhaustivePatienceMs)) {
    runs.push_back(engine->compute(config, view).milliseconds);
  }
  if (runs.size() > 1) runs.erase(runs.begin());  // warm-up
  std::sort(runs.begin(), runs.end());
  result = {view, config.dwell_limit, config.precision, engine->backend_name(), runs[runs.size() / 2]};
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
