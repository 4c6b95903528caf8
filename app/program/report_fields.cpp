#include "app/program/workspace_formats.h"
#include "app/workspaces/life/panes/panes.h"
#include "app/workspaces/mandelbrot/panes/method_comparison.h"
#include "app/workspaces/solid/panels/solid_panels.h"

namespace loom::app {

ReportFields report_fields() {
  ReportFields fields = {{"workspace", ReportField::Kind::kText, "life, mandelbrot, solid or benchmark"}};
  add_life_fields(fields);
  add_mandelbrot_fields(fields);
  add_solid_fields(fields);
  return fields;
}

}  // namespace loom::app
