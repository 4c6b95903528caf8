#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/mandelbrot/scene/pixel_samples.h"
#include "app/shell/worker.h"
#include "compute/backend/engine_factory.h"
#include "compute/engine/mandelbrot_engine.h"

namespace loom::app {

/// Takes more points a pixel of a picture that rests, one picture after another, on a thread and an engine of
/// its own: what was wished for goes on beside the frames, and ends where another wish or none comes. All
/// calls are for one thread, the window's.
class PictureSampler {
 public:
  using Patience = std::chrono::duration<double, std::milli>;
  /// Of what; `colours` is a number that changes with them.
  struct Of {
    MandelbrotConfig config = {};
    MandelbrotView view = {};
    BackendSelection backend = {};
    bool smooth = false;
    int samplings = 1;  ///< on each axis: one of kSamplings
    std::uint64_t colours = 0;
    bool same(const Of& other) const {
      return config == other.config && view == other.view && backend.same_device(other.backend) &&
             smooth == other.smooth && samplings == other.samplings && colours == other.colours;
    }
  };

  /// Goes on with it, waits at most so long; begins where it is another than the last. True where a finer
  /// picture came of it. One that was cancelled, or failed, is not begun again. Throws DeviceFault.
  bool advance(const Of& wish, std::span<const render::Rgb> colours, Patience patience);
  /// Whether what there is, and what is under way, is of this wish; so where there is nothing.
  bool is_of(const Of& wish) const { return !of_ || of_->same(wish); }
  /// Nobody wishes it any more.
  void forget();
  /// As forget(), but the same wish does not begin it again.
  void cancel();

  /// On each axis, of the picture that there is; 1: none.
  int samplings() const { return shown_; }
  /// As render::ColourTexture takes it.
  const std::vector<std::uint32_t>& picture() const { return picture_; }
  int width() const { return width_; }
  int height() const { return height_; }
  bool working() const { return of_.has_value() && !ended_; }
  /// 0..1, of what is under way.
  double share() const;
  /// Why it ended without a picture, once.
  std::string take_problem() { return std::exchange(problem_, {}); }

 private:
  void begin_sample();
  void take_sample(Watch& watch);

  std::optional<Of> of_;
  bool ended_ = false;  ///< done, cancelled, or failed
  int taken_ = 0;       ///< points a pixel so far
  int shown_ = 1;
  std::vector<std::uint32_t> picture_;
  int width_ = 0;
  int height_ = 0;
  std::string problem_;

  // The thread's, while it runs.
  struct Job {
    Of of = {};
    int index = 0;
    std::vector<render::Rgb> colours = {};
    bool cancelled = false;
    bool finer = false;  ///< packed is a picture of samplings
    int samplings = 1;
    std::string problem = {};
    std::vector<std::uint32_t> packed = {};
  };
  Job job_;
  PictureMean mean_;
  std::unique_ptr<MandelbrotEngine> engine_;
  std::optional<BackendSelection> engine_backend_;

  Worker worker_;  ///< last: ends before what it works on goes
};

}  // namespace loom::app
