#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/palette/custom_palettes.h"
#include "compute/backend/engine_factory.h"

namespace loom::app {

inline constexpr float kDefaultUiPixels = 16;
inline constexpr float kProjectorUiPixels = 24;  ///< leaves three fifths of 1280 pixels to the picture
inline constexpr float kMinUiPixels = 10;
inline constexpr float kMaxUiPixels = 48;

/// Settings of the whole program, for all workspaces.
struct ShellSettings {
  BackendChoice backend = BackendChoice::kAuto;
  int device = 0;
  std::vector<int> devices = {};        ///< selected devices for distribution; empty: all devices
  std::string palette = "cividis";      ///< of Life; the Mandelbrot set has its own
  CustomPalettes custom_palettes = {};  ///< custom palettes, in addition to the built-in ones
  float ui_pixels = kDefaultUiPixels;   ///< font size in pixels
  bool show_timing = true;              ///< the dock with figures
  bool show_all_metrics = false;        ///< all metrics, if the dock shares the column of the controls
  /// The user's choice of these two while the program shows more: a benchmark result, or what a lesson points
  /// at. Empty: they are as the user chose.
  std::optional<bool> chosen_timing = {};
  std::optional<bool> chosen_all_figures = {};
  bool show_panels = true;
  bool full_screen = false;
  bool pause_timing = false;  ///< keep the timing figures as they are
  bool show_help = false;
  bool show_start = false;    ///< the cards that a first visit begins with
  std::size_t workspace = 0;  ///< which of the program's workspaces is shown
  friend bool operator==(const ShellSettings&, const ShellSettings&) = default;
};

/// One-time commands to the shell.
struct ShellCommands {
  bool quit = false;
  bool dismiss = false;              ///< Escape: close the help, the message, an armed box
  bool keyboard_navigation = false;  ///< keys are to move through the controls, or no longer
  bool close_overlays = false;       ///< close what covers the picture, and nothing else
  bool cancel = false;               ///< end the long work that is under way
  bool reset_times = false;          ///< forget the timing window
  bool undo = false;                 ///< the last step
  bool redo = false;                 ///< redo the step undone last
};

/// One-time commands to the lessons.
struct LessonCommands {
  bool list = false;                 ///< the list of lessons, and back from it
  std::optional<std::string> start;  ///< the bundled lesson of this name
};

/// Where to look, in the picture of the workspace that is shown.
struct ViewCommands {
  bool fit = false;           ///< all of it into the picture
  bool arm_box_zoom = false;  ///< the next drag draws a zoom box
  int zoom = 0;               ///< steps in (+) or out (-) about the picture's centre
  int pan_x = 0;              ///< steps; the view moves right (+) or left (-)
  int pan_y = 0;              ///< the view moves down (+) or up (-)
};
inline constexpr double kZoomStep = 1.25;
inline constexpr double kPanStep = 0.1;  ///< of the picture

/// The requests of one frame to the shell: a copy of its settings to edit, and commands.
struct ShellEdit {
  ShellSettings settings = {};
  ShellCommands commands = {};
  LessonCommands lessons = {};
  ViewCommands view = {};
};

/// Sets the font size, clamped to what is readable and fits.
void set_ui_pixels(ShellSettings& settings, float pixels);
/// Shows the timing figures, or all figures, without making it the user's choice.
void show_timing(ShellSettings& settings);
void show_all_figures(ShellSettings& settings);
/// What the user changed in a frame that began with `before` is their choice.
void keep_choice(ShellSettings& settings, const ShellSettings& before);
/// Between the projector's size and the default one.
void toggle_projector(ShellSettings& settings);

}  // namespace loom::app
