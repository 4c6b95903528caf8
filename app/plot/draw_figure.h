#pragma once

#include <string>

#include "app/plot/figure.h"
#include "app/plot/format.h"

namespace loom::app::plot {

/// The figure as a file's bytes.
std::string draw_figure(const Figure& figure, Format format);

}  // namespace loom::app::plot
