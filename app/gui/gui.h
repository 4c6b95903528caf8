#pragma once

#include <imgui.h>

#include <glm/vec2.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/input_queue.h"
#include "app/gui/theme.h"
#include "render/context/graphics_context.h"

struct GLFWwindow;

namespace loom::app {

/// Keyboard, mouse and drop events of a window, for ImGui and for shortcuts.
class WindowInput {
 public:
  /// Null: stays empty (off screen). Uses the window's user pointer and its callbacks.
  explicit WindowInput(GLFWwindow* window);
  ~WindowInput();
  WindowInput(const WindowInput&) = delete;
  WindowInput& operator=(const WindowInput&) = delete;

  /// Sends this frame's events to ImGui. Call before ImGui::NewFrame, after the backend's NewFrame.
  void begin_frame();

  /// Whether a page with a search field is shown, which printing keys are for.
  void set_searchable(bool searchable) { searchable_ = searchable; }
  /// True if a printing key waits until the search field has the keyboard focus.
  bool wants_search() const { return wants_search_; }

  /// True if this frame has input events or a button is held.
  bool had_input() const { return had_input_ || buttons_.any(); }

  /// This frame's key presses that are not text input: without those of a text field, except with Ctrl.
  std::vector<KeyPress> take_presses() { return std::exchange(presses_, {}); }

  /// The files that were dropped on the window since the last call.
  std::vector<std::string> take_dropped() { return std::exchange(dropped_, {}); }

 private:
  void show(const KeyEvent& event);
  void show(const CharacterEvent& event);
  void show(const MoveEvent& event);
  void show(const ButtonEvent& event);
  void show(const WheelEvent& event);
  GLFWwindow* window_;
  InputQueue queue_;
  MoveEvent mouse_;
  MouseButtons buttons_;
  bool searchable_ = false;
  bool wants_search_ = false;
  bool had_input_ = false;
  std::vector<KeyPress> presses_;
  std::vector<std::string> dropped_;
};

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

/// Sets the window's icon, the gasket in the threads of a loom, as in packaging/. Does nothing if the desktop
/// takes icons only from files (Wayland).
void set_window_icon(GLFWwindow* window);

}  // namespace loom::app
