#pragma once

#include "app/report/report_value.h"

namespace loom::app {

struct MandelbrotStats;
struct MethodScore;

/// Adds the values that lessons may use, for the picture at full resolution: counted regions, pixels and
/// iterations, measured times, and the cost model while it is shown. A value is a row of one of the tables in
/// mandelbrot_report.cpp.
void add_report(nlohmann::ordered_json& json, const MandelbrotStats& now);

/// Adds the values of one method in a comparison.
void add_report(nlohmann::ordered_json& json, const MethodScore& score);

/// The members of the report that the workspace writes for lessons.
void add_mandelbrot_fields(ReportFields& fields);

}  // namespace loom::app
