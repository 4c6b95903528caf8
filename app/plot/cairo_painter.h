#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <string>
#include <vector>

#include "app/explain/diagram/diagram.h"
#include "app/plot/figure.h"

namespace loom::app::plot {

/// The widths of texts in DejaVu Sans and DejaVu Sans Mono.
diagram::TextWidth paper_text_width();

/// Draws a diagram as a PDF page or as a PNG with two pixels per point, with text of `text_size` points.
/// Returns the bytes of the file. Throws InputError if Cairo fails.
std::string paint_with_cairo(const diagram::Diagram& diagram, FigureFormat format, double text_size,
                             const std::string& title);

/// Draws a diagram on white, scaled to fit the picture, as rows of 3 bytes per pixel. Throws InputError if it
/// cannot be drawn.
void paint_pixels(const diagram::Diagram& diagram, glm::ivec2 size, std::vector<std::uint8_t>& rgb);

}  // namespace loom::app::plot
