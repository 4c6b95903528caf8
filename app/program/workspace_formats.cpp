#include "app/program/workspace_formats.h"

#include <array>

#include "app/workspaces/benchmark/benchmark_state.h"
#include "app/workspaces/life/document/life_state.h"
#include "app/workspaces/mandelbrot/document/mandelbrot_state.h"
#include "app/workspaces/solid/document/solid_state.h"

namespace loom::app {

scene::Formats workspace_formats() {
  static const LifeFormat life;
  static const MandelbrotFormat mandelbrot;
  static const SolidFormat solid;
  static const BenchmarkFormat benchmark;
  static const std::array<const scene::WorkspaceFormat*, 4> all = {&life, &mandelbrot, &solid, &benchmark};
  return all;
}

}  // namespace loom::app
