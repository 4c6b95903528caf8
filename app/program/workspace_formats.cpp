#include "app/program/workspace_formats.h"

#include <array>

#include "app/workspaces/life/document/life_state.h"
#include "app/workspaces/life/life_report.h"
#include "app/workspaces/mandelbrot/document/mandelbrot_state.h"
#include "app/workspaces/mandelbrot/mandelbrot_report.h"

namespace loom::app {

scene::Formats workspace_formats() {
  static const LifeFormat life;
  static const MandelbrotFormat mandelbrot;
  static const std::array<const scene::WorkspaceFormat*, 2> all = {&life, &mandelbrot};
  return all;
}

ReportFields report_fields() {
  ReportFields fields = {{"workspace", ReportField::Kind::kText, "life or mandelbrot"}};
  add_life_fields(fields);
  add_mandelbrot_fields(fields);
  return fields;
}

}  // namespace loom::app
