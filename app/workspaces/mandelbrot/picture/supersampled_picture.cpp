#include "app/workspaces/mandelbrot/picture/supersampled_picture.h"

namespace loom::app {

// Any change drops the samples, so that the result never belongs to another picture or to other colours.
void SupersampledPicture::follow(const Scene& scene) {
  const DwellRunner& runner = scene.runner;
  // A picture that is waited for does not depend on the machine's speed.
  const int choice = scene.settings.samples_per_axis;
  const int samples = scene.waits ? samples_in_file(choice)
                                  : samples_at_rest(choice, runner.expected_ms(scene.picture).value_or(0));
  if (samples == 1 || !runner.has_picture() || runner.divisor() != 1 || scene.colours.empty())
    return sampler_.forget();
  const DwellRequest& done = runner.request();
  if (!(done.view == scene.view) || done.picture != scene.picture || scene.settings.measure)
    return sampler_.forget();
  const Supersampler::Request request{.config = done.config,
                                      .view = mandelbrot_view(done.view, done.picture, done.config.precision),
                                      .backend = {scene.backend.device, {}},
                                      .smooth = runner.is_smooth(),
                                      .samples_per_axis = samples,
                                      .colours = colours_};
  if (!sampler_.is_of(request)) sampler_.forget();
  if (!scene.may_begin && !sampler_.working()) return;
  const auto timeout = scene.waits ? kNoTimeout : TaskTimeout{0};
  do {
    if (sampler_.advance(request, scene.colours, timeout)) {
      texture_.upload({sampler_.width(), sampler_.height()}, sampler_.picture());
    }
  } while (scene.waits && sampler_.working());
}

void SupersampledPicture::draw(glm::ivec2 framebuffer, const render::Rect<int>& target) {
  if (sampler_.samples_per_axis() == 1) return;
  if (!renderer_) renderer_.emplace();
  renderer_->draw(texture_, framebuffer, target);
}

}  // namespace loom::app
