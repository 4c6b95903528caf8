#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "app/mandelbrot/scene/dwell_runner.h"
#include "app/mandelbrot/scene/mandelbrot_settings.h"
#include "app/mandelbrot/scene/picture_sampler.h"
#include "render/colour_renderer.h"
#include "render/colour_texture.h"

namespace loom::app {

/// The picture with more points a pixel, over the one that `DwellRunner` has: taken while that one rests.
class SampledPicture {
 public:
  /// What is to be seen in a frame.
  struct Scene {
    const DwellRunner& runner;
    const MandelbrotSettings& settings;
    const ComplexView& view;
    render::Extent picture;
    const BackendSelection& backend;
    std::span<const render::Rgb> colours;  ///< of every dwell; empty while they are of another picture
    bool may_begin = false;                ///< nothing else runs
    bool waits = false;                    ///< for all of it
  };
  /// Goes on, or begins, or takes back what is not of this scene. Throws DeviceFault.
  void follow(const Scene& scene);
  /// Scene::colours are others from here on.
  void recoloured() { ++colours_; }
  /// What there is, into `target`.
  void draw(render::Extent framebuffer, const render::Rect& target);
  /// What was begun ends, and does not begin again for the same scene.
  void cancel() { sampler_.cancel(); }

  /// On each axis, of what there is to draw; 1: nothing.
  int samplings() const { return sampler_.samplings(); }
  bool working() const { return sampler_.working(); }
  /// 0..1, of what is under way.
  double share() const { return sampler_.share(); }
  /// Why it ended without a picture, once.
  std::string take_problem() { return sampler_.take_problem(); }

 private:
  PictureSampler sampler_;
  std::uint64_t colours_ = 0;                       ///< another number for other colours
  std::optional<render::ColourRenderer> renderer_;  ///< once there is something to draw
  render::ColourTexture texture_;
};

}  // namespace loom::app
