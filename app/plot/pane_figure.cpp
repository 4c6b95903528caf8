#include "app/plot/pane_figure.h"

#include <fmt/format.h>

#include "app/plot/sketch_file.h"
#include "app/sketch/lens_sketch.h"
#include "app/sketch/space_sketch.h"
#include "app/sketch/steps_sketch.h"
#include "app/sketch/timeline_sketch.h"
#include "compute/core/error.h"

namespace loom::app::plot {
namespace {

constexpr float kStepsWidth = 100;          ///< font sizes
constexpr std::uint64_t kMostWarps = 1024;  ///< that a launch's average is of

teach::Space space_of(PaneFigure figure) {
  if (figure == PaneFigure::kThreads) return teach::Space::kThreads;
  return figure == PaneFigure::kMemory ? teach::Space::kMemory : teach::Space::kCells;
}

bool by_tensor_cores(const MapMethod& method) {
  if (method.map == MapKind::kBoundingBox) return false;
  return method.arithmetic != MapArithmetic::kLoop && method.arithmetic != MapArithmetic::kTable &&
         method.arithmetic != MapArithmetic::kShuffle;
}

bool is_table(const std::string& file) {
  return file.ends_with(".csv") || file.ends_with(".tex");
}

}  // namespace

std::string_view name_of(PaneFigure figure) {
  static constexpr std::array<std::string_view, 7> kNames = {"cells",     "threads",  "memory", "steps",
                                                             "fragments", "timeline", "lens"};
  return kNames[static_cast<std::size_t>(figure)];
}

sketch::Sketch pane_sketch(PaneFigure figure, const PaneSubject& subject) {
  const teach::ThreadSpace& threads = subject.threads;
  switch (figure) {
    case PaneFigure::kFragments:
      if (!by_tensor_cores(threads.config().method)) {
        throw InputError(fmt::format(
            "{} has no fragments; allowed: --arithmetic tensor-1, tensor-2, tensor-3, tensor, tensor-fp16",
            to_string(threads.config().method)));
      }
      [[fallthrough]];
    case PaneFigure::kSteps:
      return sketch::steps_sketch(threads, {.block = subject.thread.value_or(teach::ThreadRef{}).block,
                                            .neighbour = subject.neighbour,
                                            .width = kStepsWidth})
          .sketch;
    case PaneFigure::kTimeline:
      if (subject.timeline == nullptr) throw InputError("no timeline was recorded; allowed: after Capture");
      return sketch::timeline_sketch(*subject.timeline, {});
    case PaneFigure::kLens:
      return sketch::lens_sketch(teach::warp_lens(threads, subject.thread.value_or(teach::ThreadRef{})),
                                 teach::launch_traffic(threads, kMostWarps));
    case PaneFigure::kCells:
    case PaneFigure::kThreads:
    case PaneFigure::kMemory:
      break;
  }
  return sketch::space_sketch(teach::SpaceLayout(threads, space_of(figure)), {.colouring = subject.colouring,
                                                                              .thread = subject.thread,
                                                                              .alive = subject.alive,
                                                                              .part = subject.part});
}

std::string title_of(PaneFigure figure, const FractalConfig& config) {
  return fmt::format("{} of {} level {}, {}", name_of(figure), config.fractal.name(), config.level,
                     to_string(config.method));
}

bool has_tables(PaneFigure figure) {
  return figure == PaneFigure::kSteps || figure == PaneFigure::kFragments ||
         figure == PaneFigure::kTimeline || figure == PaneFigure::kLens;
}

void check_ending(PaneFigure figure, const std::string& file) {
  if (!is_table(file)) {
    format_of(file);
  } else if (!has_tables(figure)) {
    throw InputError(fmt::format("{}: {} has no table; allowed: .svg, .pdf, .png", file, name_of(figure)));
  }
}

std::string bytes_of(const sketch::Sketch& sketch, const std::string& file, double text_size,
                     const std::string& title) {
  if (file.ends_with(".csv")) return tables_as_csv(sketch);
  if (file.ends_with(".tex")) return tables_as_latex(sketch);
  return draw_sketch(sketch, format_of(file), text_size, title);
}

}  // namespace loom::app::plot
