#pragma once

#include <imgui.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "app/gui/layout.h"
#include "app/picture/picture_rows.h"

namespace loom::app::picture {

/// A copy of ImGui's drawing over a part of the window (grids, regions, orbits, legend), which any thread can
/// render at any size. Lines and text scale. Textures other than the font are left out.
class Overlay {
 public:
  /// Copies the draw lists of the last frame that belong to a picture: background and picture windows,
  /// without dialogs, messages and tooltips.
  Overlay(const ImDrawData& drawn, const ImFontAtlas& atlas, const Area& part);

  const Area& part() const { return part_; }
  /// Blends rows, rendered at `scale` pixels per unit, over `rgb`, which is `width` pixels wide.
  void blend(float scale, int width, int first_row, int count, std::vector<std::uint8_t>& rgb) const;

 private:
  struct Command {
    ImVec4 clip;  ///< x0, y0, x1, y1 in units
    std::size_t first = 0;
    std::size_t count = 0;  ///< number of indices
  };
  struct Canvas;
  void triangle(const Canvas& canvas, const ImVec4& clip, const ImDrawVert* const (&corners)[3]) const;
  float coverage(float u, float v) const;

  Area part_;
  std::vector<ImDrawVert> vertices_;
  std::vector<std::uint32_t> indices_;
  std::vector<Command> commands_;
  int atlas_width_ = 0;
  int atlas_height_ = 0;
  std::vector<std::uint8_t> atlas_;  ///< the font's alpha
};

/// An image inside a larger one, with the overlay around and over it.
class FramedRows final : public PictureRows {
 public:
  /// `picture` is drawn at `at` in an image of `size` with background `ground`. Both must outlive this
  /// object.
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
