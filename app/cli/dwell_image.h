#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

#include "app/workspaces/mandelbrot/scene/dwell_colours.h"
#include "compute/engine/mandelbrot_engine.h"
#include "render/palette.h"

namespace loom::app {

/// Throws InputError if a side exceeds 16384.
void check_image_size(const MandelbrotView& view);

/// Host bytes per pixel in addition to its dwell.
std::uint64_t bytes_per_pixel(Colouring colouring, int samples_per_axis);

/// Writes the dwells of an engine to a PNG as the window shows them, with samples_per_axis x samples_per_axis
/// samples per pixel, a few rows at a time. With several samples, the engine afterwards contains another
/// sample of each pixel. Throws as compute() and OutputFile do.
void write_dwell_image(const std::filesystem::path& file, MandelbrotEngine& engine,
                       const render::Palette& palette, const DwellColouring& how, int samples_per_axis);

/// Writes a NumPy array (height, width) of uint32, little-endian, C order (format version 1.0). `read` fills
/// complete rows from the given one on and is called with a few rows at a time. Throws as OutputFile does.
void write_npy(const std::filesystem::path& file, std::uint32_t width, std::uint32_t height,
               const std::function<void(std::uint32_t first_row, std::span<std::uint32_t> rows)>& read);

}  // namespace loom::app
