#include "app/mandelbrot/scene/picture_sampler.h"

#include <fmt/format.h>

#include <new>

#include "compute/backend/mandelbrot_factory.h"
#include "compute/core/error.h"

namespace loom::app {

double PictureSampler::share() const {
  if (!working()) return 0;
  return static_cast<double>(taken_) / (of_->samplings * of_->samplings);
}

void PictureSampler::forget() {
  if (worker_.busy()) worker_.watch().cancel();
  of_.reset();
  ended_ = false;
  shown_ = 1;
}

void PictureSampler::cancel() {
  if (!working()) return;
  if (worker_.busy()) worker_.watch().cancel();
  ended_ = true;
}

bool PictureSampler::advance(const Of& wish, std::span<const render::Rgb> colours, Patience patience) {
  if (of_ && !of_->same(wish)) forget();
  if (worker_.busy() && !worker_.wait_for(patience)) return false;
  // What ended belonged to a wish that may be gone.
  const bool own = of_ && job_.of.same(*of_);
  bool finer = false;
  if (own && working() && job_.finer) {
    picture_.swap(job_.packed);
    job_.packed.clear();
    job_.finer = false;
    width_ = mean_.width();
    height_ = mean_.height();
    shown_ = job_.samplings;
    finer = true;
  }
  if (own && working() && (job_.cancelled || !job_.problem.empty())) {
    ended_ = true;
    problem_ = std::exchange(job_.problem, {});
  }
  if (!of_) {
    of_ = wish;
    ended_ = wish.samplings == 1;
    job_ = {.of = wish,
            .index = 0,
            .colours = {colours.begin(), colours.end()},
            .packed = std::move(job_.packed)};
    job_.packed.clear();
    mean_.begin(0, 0);
  }
  taken_ = job_.index;
  if (!ended_ && job_.index == of_->samplings * of_->samplings) ended_ = true;
  if (!ended_) begin_sample();
  return finer;
}

void PictureSampler::begin_sample() {
  job_.cancelled = false;
  worker_.start([this](Watch& watch) { take_sample(watch); });
}

void PictureSampler::take_sample(Watch& watch) {
  try {
    if (!engine_ || !engine_backend_ || !engine_backend_->same_device(job_.of.backend)) {
      engine_ = make_mandelbrot_engine(job_.of.backend);
      engine_backend_ = job_.of.backend;
    }
    const MandelbrotView view = sample_view(job_.of.view, job_.of.samplings, job_.index);
    if (job_.index == 0) mean_.begin(static_cast<int>(view.width), static_cast<int>(view.height));
    engine_->set_watch(&watch);
    engine_->compute(job_.of.config, view);
    if (job_.of.smooth) engine_->compute_smooth();
    if (watch.cancelled()) throw Cancelled();
    mean_.add(job_.of.smooth ? engine_->smooth_image(MemorySpace::kHost) : engine_->image(MemorySpace::kHost),
              job_.colours);
    ++job_.index;
    // Of 16 points the first four are a picture as well.
    const int all = job_.of.samplings * job_.of.samplings;
    if (job_.index == 4 || job_.index == all) {
      mean_.packed(job_.packed);
      job_.samplings = job_.index == 4 ? 2 : job_.of.samplings;
      job_.finer = true;
    }
  } catch (const Cancelled&) {
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
  if (engine_) engine_->set_watch(nullptr);
}

}  // namespace loom::app
