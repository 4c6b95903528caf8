#include "app/workspaces/mandelbrot/document/mandelbrot_renderer.h"

#include <utility>

namespace loom::app {
namespace {

ComplexView view_in(const MandelbrotState& state, glm::ivec2 size) {
  return state.view.value_or(default_view(size));
}

std::vector<ComplexView> keyframes_of(const MandelbrotState& state, const scene::RenderRequest& request) {
  std::vector<ComplexView> views;
  for (const scene::Json& place : request.keyframes)
    views.push_back(read_mandelbrot_place(JsonReader(place, "keyframe")).view);
  if (views.empty()) views.push_back(view_in(state, request.size));
  return views;
}

}  // namespace

MandelbrotRenderer::MandelbrotRenderer(const MandelbrotState& state, const scene::RenderRequest& request)
    : rows_(state.settings, view_in(state, request.size), request.size,
            palette_or_first(request.custom_palettes, state.settings.palette), request.backend),
      path_(keyframes_of(state, request)) {}

void MandelbrotRenderer::show_frame(int frame, int frames, ProgressMonitor* watch) {
  // The reference orbit of the deepest frame serves the others too.
  if (!std::exchange(orbit_prepared_, true)) rows_.prepare(path_.deepest(), watch);
  rows_.look_at(path_.at(frames > 1 ? static_cast<double>(frame) / (frames - 1) : 0));
}

std::vector<scene::Json> MandelbrotState::flight(glm::ivec2 size) const {
  const auto place = [](const ComplexView& at) {
    return loom::app::to_json(MandelbrotPlace{at, std::nullopt});
  };
  return {place(default_view(size)), place(view_in(*this, size))};
}

std::unique_ptr<scene::StateRenderer> MandelbrotState::renderer(const scene::RenderRequest& request,
                                                                ProgressMonitor*) const {
  return std::make_unique<MandelbrotRenderer>(*this, request);
}

}  // namespace loom::app
