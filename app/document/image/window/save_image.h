#pragma once

#include <imgui.h>

#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/image/image.h"
#include "app/document/image/window/save_dialog.h"
#include "app/gui/layout.h"
#include "render/png.h"

namespace loom::app::image {

/// A copy of ImGui's drawing over a part of the window (grids, regions, orbits, legend), which any thread can
/// render at any size. Lines and text scale. Textures other than the font are left out.
class Overlay {
 public:
  /// Copies the draw lists of the last rendered frame: the background and the windows that belong to a
  /// picture, without dialogs, messages and tooltips.
  Overlay(const ImDrawData& drawn, ImFontAtlas& atlas, const Area& part);

  const Area& part() const { return part_; }
  /// Blends rows, rendered at `scale` pixels per unit, over `rgb`, which is `width` pixels wide.
  void blend(float scale, int width, int first_row, int count, std::vector<std::uint8_t>& rgb) const;

 private:
  struct Command {
    glm::vec4 clip{0};  ///< x0, y0, x1, y1 in units
    std::size_t first = 0;
    std::size_t count = 0;    ///< number of indices
    std::size_t texture = 0;  ///< index into glyphs_
  };
  /// The alpha channel of a font texture, row by row; empty if it cannot be read.
  struct Glyphs {
    glm::ivec2 size{0};
    std::vector<std::uint8_t> alpha = {};
    float coverage(glm::vec2 uv) const;
  };
  struct Canvas;
  void triangle(const Canvas& canvas, const Command& command, const ImDrawVert* const (&corners)[3]) const;

  Area part_;
  std::vector<ImDrawVert> vertices_;
  std::vector<std::uint32_t> indices_;
  std::vector<Command> commands_;
  std::vector<Glyphs> glyphs_;
};

/// An image inside a larger one, with the overlay around and over it.
class FramedRows final : public ImageRows {
 public:
  /// `picture` is drawn at `at` in an image of `size` with background `ground`. Both must outlive this
  /// object.
  FramedRows(ImageRows& picture, const Overlay& overlay, float scale, glm::ivec2 size, render::Rect<int> at,
             std::uint32_t background);
  glm::ivec2 size() const override { return size_; }
  void rows(int first, int count, std::vector<std::uint8_t>& rgb, ProgressMonitor* watch) override;

 private:
  ImageRows& picture_;
  const Overlay& overlay_;
  float scale_;
  glm::ivec2 size_{0};
  render::Rect<int> at_;
  std::uint32_t background_;  ///< as ImU32
  std::vector<std::uint8_t> inner_;
};

/// The dialog that saves an image of the window as PNG, at any size.
class SaveImage final : public SaveDialog {
 public:
  explicit SaveImage(scene::SceneSource& source);

  void begin(ShellEdit& shell) override;
  void on_frame_rendered(const RenderedFrame& frame) override;
  void cancel() override;

 private:
  /// The specification of an image, once it is complete.
  struct Job {
    std::string file;
    glm::ivec2 size{0};
    bool overlays = true;
    bool closed = false;        ///< a frame without the dialog has started
    bool as_on_screen = false;  ///< overlays at screen size: copy the framebuffer
    std::shared_ptr<const Overlay> overlay = {};
    std::optional<render::RgbImage> screen = {};
    Area area = {};          ///< of the picture, in ImGui units
    float screen_scale = 1;  ///< framebuffer pixels per unit
    float scale = 1;         ///< pixels per unit, with overlays
    std::uint32_t background = 0;
  };

  std::string on_open() override;
  void rows() override;
  std::string name_hint() const override { return file(); }
  std::string disabled_reason() const override;
  std::string remark() const override;
  void check() const override;
  void start() override;
  void on_data_copied(scene::Scene scene) override;
  /// What of the picture is in the image.
  std::string content_text() const;
  /// Whether the image has the overlays that are chosen: with several panes only at screen size.
  bool has_overlays() const;
  /// Pixels, bytes and the time of the chosen size.
  std::string cost_text() const;
  void size_rows();
  void over_row();
  std::optional<glm::ivec2> chosen_size() const;
  static std::uint64_t run(const Job& job, const scene::Scene& scene, const BackendSelection& backend,
                           ProgressMonitor& watch);

  std::size_t size_ = 0;  ///< index of the choice
  std::string other_size_ = "3840x2160";
  bool overlays_ = true;
  std::optional<Job> job_;
};

}  // namespace loom::app::image
