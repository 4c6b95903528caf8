#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "app/mandelbrot/explorer_settings.h"
#include "compute/backend/engine_factory.h"
#include "compute/engine/fractal_engine.h"
#include "compute/workload/workload.h"

namespace loom::app {

/// What the window is for now. The engine of the other one is idle, and keeps its state.
enum class Workspace { kLife, kMandelbrot };
/// "life", "mandelbrot"; `parse_workspace` throws InputError that lists them.
std::string_view name_of(Workspace workspace);
Workspace parse_workspace(std::string_view name);

/// What the picture shows besides the cells.
struct ViewSettings {
  std::string palette = "cividis";
  bool cell_grid = true;   ///< drawn where a cell is at least 8 pixels
  bool block_grid = true;  ///< drawn where a block is at least 8 pixels
  bool show_timing = true;
  bool pause_timing = false;  ///< keep the timing figures as they are
  bool show_help = false;
  bool show_bench = false;  ///< the Bench panel; a sweep goes on only while it is shown
  bool edit_cells = false;  ///< the left mouse button paints cells
  float ui_pixels = 16;     ///< font size in pixels; the projector preset is 28
  friend bool operator==(const ViewSettings&, const ViewSettings&) = default;
};

/// Everything that the user has chosen: plain data, edited by panels as a copy, compared, validated once and
/// applied at the frame boundary.
struct Settings {
  FractalConfig config;
  BackendChoice backend = BackendChoice::kAuto;
  int device = 0;
  Workload workload = Workload::kLife;
  ReductionMethod reduction = ReductionMethod::kWarp;
  LifeRule rule;
  RandomStart start;
  bool playing = true;
  std::uint32_t generations_per_frame = 1;
  ViewSettings view;
  Workspace workspace = Workspace::kLife;
  ExplorerSettings explorer;  ///< of the Mandelbrot workspace

  /// What the engine runs.
  Work work() const { return {.workload = workload, .reduction = reduction, .rule = rule}; }
};

/// The default scene: Sierpinski gasket, level 9, lambda, block 16, life by B2/S23, seed 1, density 0.5. The
/// arithmetic, intra-block mapping and halo are those that are fastest on the CPU.
Settings default_settings();

}  // namespace loom::app
