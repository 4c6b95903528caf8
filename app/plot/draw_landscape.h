#pragma once

#include <string>

#include "app/plot/format.h"
#include "app/plot/landscape.h"

namespace loom::app::plot {

/// The landscape as a file's bytes: a heat map over B and g for each r, fast cells bright, each with its
/// milliseconds, on one logarithmic scale of colours.
std::string draw_landscape(const Landscape& landscape, Format format);

}  // namespace loom::app::plot
