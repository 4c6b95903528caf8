#include "app/mandelbrot/picture/sampled_picture.h"

namespace loom::app {

// Any change takes the points back: what is seen is never of another picture, or of other colours.
void SampledPicture::follow(const Scene& scene) {
  const DwellRunner& runner = scene.runner;
  if (scene.settings.samplings == 1 || !runner.has_picture() || runner.divisor() != 1 ||
      scene.colours.empty())
    return sampler_.forget();
  const DwellWish& done = runner.wish();
  if (!(done.view == scene.view) || done.picture != scene.picture || scene.settings.measure)
    return sampler_.forget();
  const PictureSampler::Of wish{.config = done.config,
                                .view = mandelbrot_view(done.view, done.picture),
                                .backend = {scene.backend.kind, scene.backend.device, {}},
                                .smooth = runner.is_smooth(),
                                .samplings = scene.settings.samplings,
                                .colours = colours_};
  if (!sampler_.is_of(wish)) sampler_.forget();
  if (!scene.may_begin && !sampler_.working()) return;
  const auto patience = scene.waits ? DwellRunner::kForever : DwellRunner::Patience{0};
  do {
    if (sampler_.advance(wish, scene.colours, patience)) {
      texture_.upload({sampler_.width(), sampler_.height()}, sampler_.picture());
    }
  } while (scene.waits && sampler_.working());
}

void SampledPicture::draw(render::Extent framebuffer, const render::Rect& target) {
  if (sampler_.samplings() == 1) return;
  if (!renderer_) renderer_.emplace();
  renderer_->draw(texture_, framebuffer, target);
}

}  // namespace loom::app
