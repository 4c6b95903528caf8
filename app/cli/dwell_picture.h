#pragma once

#include <filesystem>

#include "app/mandelbrot/scene/dwell_colours.h"
#include "compute/engine/mandelbrot_engine.h"
#include "render/palette.h"

namespace loom::app {

/// Throws InputError if a side exceeds 16384.
void check_picture_size(const MandelbrotView& view);

/// Host bytes per pixel besides its dwell.
std::uint64_t picture_bytes_a_pixel(Colouring colouring, int samplings);

/// Writes the dwells of an engine to a PNG as the window shows them, with samplings x samplings samples per
/// pixel, a few rows at a time. With several samples, the engine afterwards contains another sample of each
/// pixel. Throws as compute() and OutputFile do.
void write_dwell_picture(const std::filesystem::path& file, MandelbrotEngine& engine,
                         const render::Palette& palette, const DwellColouring& how, int samplings);

}  // namespace loom::app
