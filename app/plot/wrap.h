#pragma once

#include <string>
#include <vector>

#include "app/plot/canvas.h"

namespace loom::app::plot {

/// Words in lines of at most `width`; a word that is wider has a line to itself.
std::vector<std::string> wrap(Canvas& canvas, const std::string& text, const TextStyle& style, double width);

}  // namespace loom::app::plot
