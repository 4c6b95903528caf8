#pragma once

#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string>

#include "app/workspaces/mandelbrot/scene/dwell_runner.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/pixel_samples.h"
#include "render/colour_texture.h"

namespace loom::app {

/// The picture with more samples per pixel, drawn over that of DwellRunner, which is idle during the
/// computation.
class SupersampledPicture {
 public:
  /// The picture and settings of a frame.
  struct Scene {
    const DwellRunner& runner;
    const MandelbrotSettings& settings;
    const ComplexView& view;
    glm::ivec2 picture{0};
    const BackendSelection& backend;
    render::DwellTable colours;  ///< empty while they belong to another picture
    bool may_begin = false;      ///< nothing else is running
    bool waits = false;          ///< wait until it is complete
  };
  /// Starts or continues the work for this scene, and drops work for another one. Throws DeviceFault.
  void follow(const Scene& scene);
  /// Scene::colours have changed.
  void recoloured() { ++colours_; }
  /// Draws the finished part into `target`.
  void draw(glm::ivec2 framebuffer, const render::Rect<int>& target);
  /// Ends the running work; it is not restarted for the same scene.
  void cancel() { sampler_.cancel(); }

  /// Samples per axis of the drawable picture; 1: none.
  int samples_per_axis() const { return sampler_.samples_per_axis(); }
  bool working() const { return sampler_.working(); }
  /// Progress of the running work, 0 to 1.
  double share() const { return sampler_.share(); }
  /// Takes the reason for a failure, once.
  std::string take_problem() { return sampler_.take_problem(); }

 private:
  Supersampler sampler_;
  std::uint64_t colours_ = 0;                       ///< changes with the colours
  std::optional<render::ColourRenderer> renderer_;  ///< created with the first picture
  render::ColourTexture texture_;
};

}  // namespace loom::app
