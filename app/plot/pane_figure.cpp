#include "app/plot/pane_figure.h"

#include <fmt/format.h>

#include "app/explain/diagram/diagrams.h"
#include "app/files/file_kind.h"
#include "app/plot/diagram_file.h"
#include "compute/core/error.h"

namespace loom::app::plot {
namespace {

constexpr float kStepsWidth = 100;          ///< in font sizes
constexpr std::uint64_t kMostWarps = 1024;  ///< number of sampled warps for the average over a launch

explain::Space space_of(PaneFigure figure) {
  if (figure == PaneFigure::kThreads) return explain::Space::kThreads;
  return figure == PaneFigure::kMemory ? explain::Space::kMemory : explain::Space::kCells;
}

bool by_tensor_cores(const MapMethod& method) {
  if (method.map == MapKind::kBoundingBox) return false;
  return method.arithmetic != MapArithmetic::kLoop && method.arithmetic != MapArithmetic::kTable &&
         method.arithmetic != MapArithmetic::kShuffle;
}

bool is_table(const std::string& file) {
  return lower_extension(file) == ".csv" || lower_extension(file) == ".tex";
}

}  // namespace

std::string_view name_of(PaneFigure figure) {
  static constexpr std::array<std::string_view, 7> kNames = {"cells",     "threads",  "memory", "steps",
                                                             "fragments", "timeline", "lens"};
  return kNames[static_cast<std::size_t>(figure)];
}

diagram::Diagram pane_diagram(const FigureJob& job) {
  const explain::ThreadSpace threads(job.config);
  switch (job.what) {
    case PaneFigure::kFragments:
      if (!by_tensor_cores(job.config.method)) {
        throw InputError(fmt::format(
            "{} has no fragments; allowed: --arithmetic tensor-1, tensor-2, tensor-3, tensor, tensor-fp16",
            to_string(job.config.method)));
      }
      [[fallthrough]];
    case PaneFigure::kSteps:
      return diagram::steps_diagram(threads, {.tile = job.thread.value_or(explain::ThreadRef{}).tile,
                                              .neighbour = job.neighbour,
                                              .width = kStepsWidth,
                                              .counted_radius = job.counted_radius})
          .diagram;
    case PaneFigure::kTimeline:
      if (job.timeline == nullptr) throw InputError("no timeline was recorded; allowed: after Capture");
      return diagram::timeline_diagram(*job.timeline, {});
    case PaneFigure::kMemoryAccess:
      return diagram::memory_access_diagram(
          explain::warp_memory_access(threads, job.thread.value_or(explain::ThreadRef{})),
          explain::launch_traffic(threads, kMostWarps));
    case PaneFigure::kCells:
    case PaneFigure::kThreads:
    case PaneFigure::kMemory:
      break;
  }
  return diagram::space_diagram(explain::SpaceLayout(threads, space_of(job.what)),
                                {.colouring = job.colouring,
                                 .thread = job.thread,
                                 .alive = job.alive ? &*job.alive : nullptr,
                                 .part = job.part});
}

std::string title_of(PaneFigure figure, const FractalConfig& config) {
  return fmt::format("{} of {} level {}, {}", name_of(figure), config.fractal.name(), config.level,
                     to_string(config.method));
}

bool has_tables(PaneFigure figure) {
  return figure == PaneFigure::kSteps || figure == PaneFigure::kFragments ||
         figure == PaneFigure::kTimeline || figure == PaneFigure::kMemoryAccess;
}

void check_extension(PaneFigure figure, const std::string& file) {
  if (!is_table(file)) {
    format_of(file);
  } else if (!has_tables(figure)) {
    throw InputError(fmt::format("{}: {} has no table; allowed: .svg, .pdf, .png", file, name_of(figure)));
  }
}

std::string bytes_of(const diagram::Diagram& diagram, const std::string& file, double text_size,
                     const std::string& title) {
  if (lower_extension(file) == ".csv") return tables_as_csv(diagram);
  if (lower_extension(file) == ".tex") return tables_as_latex(diagram);
  return draw_diagram(diagram, format_of(file), text_size, title);
}

}  // namespace loom::app::plot
