#pragma once

#include <filesystem>

#include "app/mandelbrot/scene/dwell_colours.h"
#include "compute/engine/mandelbrot_engine.h"
#include "render/palette.h"

namespace loom::app {

/// Throws InputError where a side passes 16384.
void check_picture_size(const MandelbrotView& view);

/// What a pixel takes on the host beside its dwell.
std::uint64_t picture_bytes_a_pixel(Colouring colouring, int samplings);

/// Writes the engine's dwells as the window shows them, with samplings x samplings points a pixel, to a PNG,
/// a few rows at a time. What the engine holds afterwards is another point of each pixel where there are
/// several. Throws as its compute() and OutputFile do.
void write_dwell_picture(const std::filesystem::path& file, MandelbrotEngine& engine,
                         const render::Palette& palette, const DwellColouring& how, int samplings);

}  // namespace loom::app
