#include "app/workspaces/mandelbrot/scene/supersampler.h"

#include <fmt/format.h>

#include <new>

#include "compute/backend/mandelbrot_factory.h"
#include "compute/core/error.h"

namespace loom::app {

double Supersampler::share() const {
  if (!working()) return 0;
  return static_cast<double>(taken_) / (request_->samples_per_axis * request_->samples_per_axis);
}

void Supersampler::forget() {
  if (worker_.busy()) worker_.watch().cancel();
  request_.reset();
  ended_ = false;
  shown_ = 1;
}

void Supersampler::cancel() {
  if (!working()) return;
  if (worker_.busy()) worker_.watch().cancel();
  ended_ = true;
}

bool Supersampler::advance(const Request& request, std::span<const render::Rgb> colours, Timeout timeout) {
  if (request_ && !request_->same(request)) forget();
  if (worker_.busy() && !worker_.wait_for(timeout)) return false;
  // The finished sample may belong to a request that was dropped.
  const bool own = request_ && job_.of.same(*request_);
  bool finer = false;
  if (own && working() && job_.finer) {
    picture_.swap(job_.packed);
    job_.packed.clear();
    job_.finer = false;
    width_ = mean_.width();
    height_ = mean_.height();
    shown_ = job_.samples_per_axis;
    finer = true;
  }
  if (own && working() && (job_.cancelled || !job_.problem.empty())) {
    ended_ = true;
    problem_ = std::exchange(job_.problem, {});
  }
  if (!request_) {
    request_ = request;
    ended_ = request.samples_per_axis == 1;
    job_ = {.of = request,
            .index = 0,
            .colours = {colours.begin(), colours.end()},
            .packed = std::move(job_.packed)};
    job_.packed.clear();
    mean_.begin(0, 0);
  }
  taken_ = job_.index;
  if (!ended_ && job_.index == request_->samples_per_axis * request_->samples_per_axis) ended_ = true;
  if (!ended_) begin_sample();
  return finer;
}

void Supersampler::begin_sample() {
  job_.cancelled = false;
  worker_.start([this](ProgressMonitor& watch) { take_sample(watch); });
}

void Supersampler::take_sample(ProgressMonitor& watch) {
  try {
    if (!engine_ || !engine_backend_ || !engine_backend_->same_device(job_.of.backend)) {
      engine_ = make_mandelbrot_engine(job_.of.backend);
      engine_backend_ = job_.of.backend;
    }
    const MandelbrotView view = sample_view(job_.of.view, job_.of.samples_per_axis, job_.index);
    if (job_.index == 0) mean_.begin(static_cast<int>(view.width), static_cast<int>(view.height));
    engine_->set_monitor(&watch);
    engine_->compute(job_.of.config, view);
    if (job_.of.smooth) engine_->compute_smooth();
    if (watch.cancelled()) throw OperationCancelled();
    mean_.add(job_.of.smooth ? engine_->smooth_image(MemorySpace::kHost) : engine_->image(MemorySpace::kHost),
              job_.colours);
    ++job_.index;
    // The first 4 of 16 samples form a complete picture.
    const int all = job_.of.samples_per_axis * job_.of.samples_per_axis;
    if (job_.index == 4 || job_.index == all) {
      mean_.packed(job_.packed);
      job_.samples_per_axis = job_.index == 4 ? 2 : job_.of.samples_per_axis;
      job_.finer = true;
    }
  } catch (const OperationCancelled&) {
    job_.cancelled = true;
  } catch (const DeviceFault&) {
    throw;
  } catch (const std::bad_alloc&) {
    job_.problem = "out of memory for more samples per pixel";
  } catch (const InputError& error) {
    job_.problem = fmt::format("cannot compute more samples per pixel: {}", error.what());
  } catch (const MachineError& error) {
    job_.problem = fmt::format("cannot compute more samples per pixel: {}", error.what());
  }
  if (engine_) engine_->set_monitor(nullptr);
}

}  // namespace loom::app
