#include "app/workspaces/mandelbrot/scene/supersampler.h"

#include <fmt/format.h>

#include "compute/backend/mandelbrot_factory.h"
#include "compute/core/error.h"

namespace loom::app {

double Supersampler::share() const {
  if (!working()) return 0;
  return static_cast<double>(taken_) / (request_->samples_per_axis * request_->samples_per_axis);
}

void Supersampler::forget() {
  task_.cancel();
  request_.reset();
  ended_ = false;
  shown_ = 1;
}

void Supersampler::cancel() {
  if (!working()) return;
  task_.cancel();
  ended_ = true;
}

bool Supersampler::advance(const Request& request, const render::DwellTable& colours, TaskTimeout timeout) {
  if (request_ && !request_->same(request)) forget();
  const int shown = shown_;
  if (task_.running()) {
    auto outcome = task_.poll(timeout);
    if (!outcome) return false;
    take_sample(std::move(*outcome));
  }
  if (!request_) {
    request_ = running_ = request;
    ended_ = request.samples_per_axis == 1;
    taken_ = 0;
    colours_.assign(colours.colours.begin(), colours.colours.end());
    scale_ = colours.scale;
    mean_.begin(0, 0);
  }
  if (!ended_ && taken_ == request_->samples_per_axis * request_->samples_per_axis) ended_ = true;
  if (!ended_) begin_sample();
  return shown_ > shown;
}

// The sample may belong to a request that was replaced or cancelled.
void Supersampler::take_sample(Task<SampleResult>::Outcome outcome) {
  if (!working() || !running_.same(*request_)) return;
  if (!outcome.result) {
    ended_ = true;
    if (!outcome.cancelled)
      problem_ = fmt::format("cannot compute more samples per pixel: {}", outcome.problem);
    return;
  }
  ++taken_;
  if (!*outcome.result) return;
  picture_ = std::move((*outcome.result)->packed);
  shown_ = (*outcome.result)->samples_per_axis;
  width_ = mean_.width();
  height_ = mean_.height();
}

void Supersampler::begin_sample() {
  task_.start([this](ProgressMonitor& monitor) { return compute_sample(monitor); });
}

Supersampler::SampleResult Supersampler::compute_sample(ProgressMonitor& monitor) {
  const Request& of = running_;
  if (!engine_ || !engine_backend_ || !engine_backend_->same_device(of.backend)) {
    engine_ = make_mandelbrot_engine(of.backend);
    engine_backend_ = of.backend;
  }
  const MandelbrotView view = sample_view(of.view, of.samples_per_axis, taken_);
  if (taken_ == 0) mean_.begin(static_cast<int>(view.width), static_cast<int>(view.height));
  engine_->set_monitor(&monitor);
  engine_->compute(of.config, view);
  if (of.smooth) engine_->compute_smooth();
  check_cancel(&monitor);
  mean_.add(of.smooth ? engine_->smooth_image(MemorySpace::kHost) : engine_->image(MemorySpace::kHost),
            {colours_, scale_});
  // The first 4 of 16 samples form a complete picture.
  const int taken = taken_ + 1;
  if (taken != 4 && taken != of.samples_per_axis * of.samples_per_axis) return std::nullopt;
  FinerPicture picture{.packed = {}, .samples_per_axis = taken == 4 ? 2 : of.samples_per_axis};
  mean_.packed(picture.packed);
  return picture;
}

}  // namespace loom::app
