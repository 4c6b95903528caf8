#pragma once

#include <imgui.h>

#include <glm/vec2.hpp>

#include "app/gui/fonts.h"
#include "app/gui/theme_choice.h"
#include "app/gui/window_input.h"
#include "render/context/graphics_context.h"

namespace loom::app {

/// The ImGui context and its backends: GLFW and OpenGL for a window, only OpenGL off screen. At most one
/// object may exist.
class Gui {
 public:
  Gui(const render::GraphicsContext& context, float ui_pixels, Theme theme);
  ~Gui();
  Gui(const Gui&) = delete;
  Gui& operator=(const Gui&) = delete;

  /// Begins a frame in a theme. Rebuilds the fonts if `ui_pixels` has changed.
  void begin_frame(float ui_pixels, Theme theme);
  /// Ends the frame and builds its draw lists.
  void end_frame();
  /// Draws the frame into the bound framebuffer.
  void draw();
  WindowInput& input() { return input_; }
  const WindowInput& input() const { return input_; }

 private:
  void set_scale(float ui_pixels, Theme theme);
  void take_sizes();
  const render::GraphicsContext& context_;
  WindowInput input_;
  Fonts fonts_;
  float ui_pixels_ = 0;
  Theme theme_ = Theme::kDark;
  glm::vec2 size_ = {1, 1};   ///< size of the window in window units
  glm::vec2 scale_ = {1, 1};  ///< pixels per unit
};

}  // namespace loom::app
