#pragma once

#include <imgui.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "app/gui/layout.h"
#include "app/picture/picture_rows.h"

namespace loom::app::picture {

/// What ImGui drew over a part of the window (grids, regions, orbits, the legend), copied, to be drawn again
/// at any size and by any thread. Lines and letters grow with it. Textures other than the font's are left
/// out.
class Overlay {
 public:
  /// From the lists of the frame that was rendered last: those of the background and of the windows that
  /// belong to a picture. Dialogs, messages and tooltips do not.
  Overlay(const ImDrawData& drawn, ImFontAtlas& atlas, const Area& part);

  const Area& part() const { return part_; }
  /// Blends rows of the part, drawn with `scale` pixels a unit, over `rgb`, which is `width` pixels wide.
  void blend(float scale, int width, int first_row, int count, std::vector<std::uint8_t>& rgb) const;

 private:
  struct Command {
    ImVec4 clip;  ///< x0, y0, x1, y1, in units
    std::size_t first = 0;
    std::size_t count = 0;    ///< of indices
    std::size_t texture = 0;  ///< its place in glyphs_
  };
  /// The alpha of a texture of fonts, row by row; empty where it cannot be read.
  struct Glyphs {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> alpha = {};
    float coverage(float u, float v) const;
  };
  struct Canvas;
  void triangle(const Canvas& canvas, const Command& command, const ImDrawVert* const (&corners)[3]) const;

  Area part_;
  std::vector<ImDrawVert> vertices_;
  std::vector<std::uint32_t> indices_;
  std::vector<Command> commands_;
  std::vector<Glyphs> glyphs_;
};

/// A picture in its place among what is drawn around and over it.
class FramedRows final : public PictureRows {
 public:
  /// `picture` is drawn at `at` of a picture of `size`, whose ground is `ground`; both must outlive it.
  FramedRows(PictureRows& picture, const Overlay& overlay, float scale, render::Extent size, render::Rect at,
             std::uint32_t ground);
  render::Extent size() const override { return size_; }
  void rows(int first, int count, std::vector<std::uint8_t>& rgb, Watch* watch) override;

 private:
  PictureRows& picture_;
  const Overlay& overlay_;
  float scale_;
  render::Extent size_;
  render::Rect at_;
  std::uint32_t ground_;  ///< as ImU32
  std::vector<std::uint8_t> inner_;
};

}  // namespace loom::app::picture
