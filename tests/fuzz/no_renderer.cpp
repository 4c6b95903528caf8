// The readers draw nothing: the engines behind these functions are not linked.
#include <cstdlib>

#include "app/workspaces/benchmark/benchmark_state.h"
#include "app/workspaces/life/document/life_state.h"
#include "app/workspaces/mandelbrot/document/mandelbrot_state.h"
#include "app/workspaces/solid/document/solid_state.h"

namespace loom::app {

std::unique_ptr<scene::StateRenderer> LifeState::renderer(const scene::RenderRequest&,
                                                          ProgressMonitor*) const {
  std::abort();
}

std::unique_ptr<scene::StateRenderer> MandelbrotState::renderer(const scene::RenderRequest&,
                                                                ProgressMonitor*) const {
  std::abort();
}

std::unique_ptr<scene::StateRenderer> SolidState::renderer(const scene::RenderRequest&,
                                                           ProgressMonitor*) const {
  std::abort();
}

std::unique_ptr<scene::StateRenderer> BenchmarkState::renderer(const scene::RenderRequest&,
                                                               ProgressMonitor*) const {
  std::abort();
}

std::vector<scene::Json> MandelbrotState::flight(glm::ivec2) const {
  std::abort();
}

}  // namespace loom::app
