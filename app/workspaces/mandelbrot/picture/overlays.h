#pragma once

#include <imgui.h>

#include <cstddef>
#include <glm/vec2.hpp>
#include <span>
#include <string_view>

#include "app/gui/layout.h"
#include "app/workspaces/mandelbrot/picture/region_marks.h"
#include "app/workspaces/mandelbrot/scene/complex_view.h"
#include "app/workspaces/mandelbrot/scene/dwell_runner.h"
#include "app/workspaces/mandelbrot/scene/warp_divergence.h"
#include "compute/engine/mandelbrot_engine.h"
#include "render/colour_texture.h"

namespace loom::app {

/// The colour of a device.
ImU32 colour_of_device(std::size_t device);

/// Tints the rows by the device that computed them. The picture begins at the corner of `area`; `scale` is
/// rows per unit.
void draw_devices(ImDrawList& list, const Area& area, float scale, std::span<const DwellPartition> parts);

/// Up to this number of differing pixels, each has a ring; more rings would hide each other and the picture.
inline constexpr std::size_t kMaxRings = 500;
/// Squares per axis; above kMaxRings, squares with differing pixels are tinted.
inline constexpr int kSquares = 128;

/// Marks the pixels that differ from the exhaustive method, over a picture that covers `area` with `scale`
/// pixels per unit: with rings, or above kMaxRings with squares that are no smaller than a ring.
void draw_differences(ImDrawList& list, const Area& area, float scale, const DwellDifferences& differences);

/// Uploads divergence as colours, pixel by pixel; transparent where nothing is computed.
void upload_divergence(const DivergenceCounts& counts, render::ColourTexture& texture);

/// Draws it over a picture that begins at the corner of `area` and has `scale` pixels per unit.
void draw_divergence(ImDrawList& list, const Area& area, float scale, const DivergenceCounts& counts,
                     const render::ColourTexture& texture);

/// Draws the marks inside the clip rectangle of the list. The picture begins at the corner of `area` and has
/// `scale` pixels per unit.
void draw_marks(ImDrawList& list, const Area& area, float scale, std::span<const PictureMark> marks);

/// Draws an orbit: its start, the following points, and the lines between them.
void draw_orbit(ImDrawList& list, const Area& area, float scale, const ComplexView& view, glm::ivec2 picture,
                glm::dvec2 point, std::uint32_t limit);

/// Draws a line of text over the top of the picture; nothing if it is empty.
void draw_text_line(ImDrawList& list, const Area& area, std::string_view words);

/// Draws frame and label of the Julia set inset.
void draw_julia_frame(ImDrawList& list, const Area& area, glm::dvec2 point);

}  // namespace loom::app
