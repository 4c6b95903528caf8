#include "app/program/report_fields.h"

#include "app/workspaces/life/life_report.h"
#include "app/workspaces/mandelbrot/mandelbrot_report.h"
#include "app/workspaces/solid/solid_report.h"

namespace loom::app {

ReportFields report_fields() {
  ReportFields fields = {{"workspace", ReportField::Kind::kText, "life, mandelbrot, solid or benchmark"}};
  add_life_fields(fields);
  add_mandelbrot_fields(fields);
  add_solid_fields(fields);
  return fields;
}

}  // namespace loom::app
