#include "app/program/workspace_formats.h"

#include <array>

#include "app/workspaces/benchmark/benchmark_state.h"
#include "app/workspaces/life/document/life_state.h"
#include "app/workspaces/mandelbrot/document/mandelbrot_state.h"
#include "app/workspaces/solid/document/solid_state.h"

namespace loom::app {

scene::Formats workspace_formats() {
  static constexpr std::array kAll = {scene::kFormatOf<LifeState>, scene::kFormatOf<MandelbrotState>,
                                      scene::kFormatOf<SolidState>, scene::kFormatOf<BenchmarkState>};
  return kAll;
}

}  // namespace loom::app
