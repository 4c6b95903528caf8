#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/layout.h"
#include "app/gui/theme.h"
#include "app/palette/custom_palettes.h"
#include "app/widgets/control.h"
#include "compute/device/device.h"

namespace loom::app {

inline constexpr float kDefaultUiPixels = 16;
inline constexpr float kLectureUiPixels = 24;  ///< for a window of kLectureHeight
inline constexpr float kLectureHeight = 720;
inline constexpr float kMinUiPixels = 10;
inline constexpr float kMaxUiPixels = 48;

/// Settings that lecture mode replaces, as they were before it.
struct OutsideLecture {
  float ui_pixels = kDefaultUiPixels;
  bool show_side_panel = true;
  bool show_timing = true;
  friend bool operator==(const OutsideLecture&, const OutsideLecture&) = default;
};

/// The palette of a scene or lesson. While it is shown, the user's own choice is another one.
struct ScenePalette {
  std::string shown;
  std::string own;
  friend bool operator==(const ScenePalette&, const ScenePalette&) = default;
};

/// The tabs of the side panel where metrics have no column of their own.
enum class SideTab { kMain, kDetails, kMetrics };

/// Settings of the whole program, for all workspaces.
struct ShellSettings {
  BackendChoice backend = BackendChoice::kAuto;
  int device = 0;
  std::vector<int> devices = {};    ///< selected devices for distribution; empty: all devices
  std::string palette = "cividis";  ///< palette of Life; the Mandelbrot workspace has its own
  std::optional<ScenePalette> scene_palette = {};
  CustomPalettes custom_palettes = {};  ///< custom palettes, in addition to the built-in ones
  Theme theme = Theme::kDark;
  bool animations = true;              ///< tiles move when the map changes, an arrow follows the thread
  float ui_pixels = kDefaultUiPixels;  ///< font size in pixels
  bool show_timing = true;             ///< the dock with metrics
  /// The user's own choice of that while the program overrides it to show a benchmark result or what a lesson
  /// points at. Empty: not overridden.
  std::optional<bool> chosen_timing = {};
  std::optional<SideTab> side_tab = {};  ///< the selected tab; set in each frame, empty without tabs
  bool show_panels = true;
  bool show_side_panel = true;                         ///< the column of the controls
  std::optional<OutsideLecture> outside_lecture = {};  ///< empty: not in lecture mode
  bool full_screen = false;
  bool pause_timing = false;    ///< freeze the timing metrics
  bool picture_cursor = false;  ///< arrow keys move a cursor in the picture instead of the view
  bool show_help = false;
  bool show_start = false;    ///< the start screen of a first visit
  std::size_t workspace = 0;  ///< index of the shown workspace
  friend bool operator==(const ShellSettings&, const ShellSettings&) = default;
};

/// One-time commands to the shell.
struct ShellCommands {
  bool quit = false;
  bool dismiss = false;  ///< Escape: close the help, the message or the start screen, disarm the box zoom
  bool keyboard_navigation = false;          ///< the keys go to the next area of the window
  bool focus_editor = false;                 ///< the keys go to the editor of code
  bool close_overlays = false;               ///< only close what covers the picture
  bool cancel = false;                       ///< cancel the running background work
  bool reset_times = false;                  ///< clear the timing statistics
  bool undo = false;                         ///< undo the last step
  bool redo = false;                         ///< redo the step undone last
  bool find_command = false;                 ///< open the command palette
  bool previous_workspace = false;           ///< show the workspace that was shown before this one
  bool documentation = false;                ///< open or close the documentation
  const char* documentation_page = nullptr;  ///< open this page, from the folder of README.md
  bool pen = false;                          ///< take up the pen or put it down
  bool spotlight = false;                    ///< show the spotlight
  bool about = false;                        ///< open the About dialog
  std::optional<Control> show_control = {};  ///< show this control, and ring it for a while
  bool hide_insets = false;                  ///< leave out insets in the picture regardless of the settings
};

/// One-time commands to the lessons.
struct LessonCommands {
  bool list = false;                 ///< toggle the list of lessons
  std::optional<std::string> start;  ///< start the bundled lesson with this name, or that of this file
};

/// A request to save something other than a scene to a file that the user chooses.
struct SaveRequest {
  const char* title = "";      ///< dialog title: "Save benchmark results"
  const char* nothing = "";    ///< text shown for a folder without such files
  std::string name = {};       ///< suggested file name
  const char* extension = "";  ///< ".json"
  /// Starts to write the file and may replace an existing one. Throws InputError, FileError.
  std::function<void(const std::filesystem::path&)> save = {};
};

/// Changes of the view in the picture of the shown workspace, applied in the order of the members.
struct ViewCommands {
  bool fit = false;           ///< fit everything into the picture
  bool arm_box_zoom = false;  ///< the next drag draws a zoom box
  int zoom = 0;               ///< steps in (+) or out (-) about the picture's centre
  glm::ivec2 pan{0};          ///< steps; the view moves right and down (+) or left and up (-)
  glm::ivec2 large_pan{0};    ///< large steps
  /// The steps above move a cursor in the picture instead of the view.
  bool cursor = false;
};
inline constexpr double kZoomStep = 1.25;
/// Steps of the view, as fractions of the picture.
inline constexpr double kPanStep = 0.1;
inline constexpr double kLargePanStep = 0.5;
/// The move of the view, as a fraction of the picture.
inline glm::dvec2 pan_fraction(const ViewCommands& view) {
  return kPanStep * glm::dvec2(view.pan) + kLargePanStep * glm::dvec2(view.large_pan);
}

/// The requests of one frame to the shell: a copy of its settings to edit, and commands.
struct ShellEdit {
  ShellSettings settings = {};
  ShellCommands commands = {};
  LessonCommands lessons = {};
  ViewCommands view = {};
  std::optional<SaveRequest> save = {};
};

/// The requests of one frame to a workspace: a copy of its settings to edit, and one-time commands. The
/// workspace compares, validates and applies it at the frame boundary.
template <typename Settings, typename Commands>
struct SceneEdit {
  Settings settings;
  Commands commands;
  ShellEdit& shell;
};

/// Chooses the backend of a device, and a CUDA device by its ordinal.
void choose_device(ShellSettings& settings, const Device& device);
/// The palette of Life that suits the theme: holes of the light one are as light as the window.
std::string_view default_palette(Theme theme);
/// Changes the theme, and the palette if it is the default one of the theme so far.
void choose_theme(ShellSettings& settings, Theme theme);
/// Sets the font size, clamped to what is readable and fits.
void set_ui_pixels(ShellSettings& settings, float pixels);
/// Shows the palette of a scene or lesson without changing the user's own choice, which own_palette()
/// returns.
void show_palette(ShellSettings& settings, const std::string& palette);
const std::string& own_palette(const ShellSettings& settings);
/// Whether metrics are shown: in their column, or in the selected tab.
bool shows_metrics(const ShellSettings& settings);
/// Shows or hides them, as the user's own choice.
void toggle_metrics(ShellSettings& settings);
/// Shows them without changing the user's own choice; open_metrics() also selects their tab.
void show_timing(ShellSettings& settings);
void open_metrics(ShellSettings& settings);
/// Records what the user changed since `before` as the user's own choice.
void keep_choice(ShellSettings& settings, const ShellSettings& before);
/// Lecture mode: text for a projector, side panel and metrics folded, so that the picture has most of the
/// window. Its text grows with the window.
inline bool is_lecture_mode(const ShellSettings& settings) {
  return settings.outside_lecture.has_value();
}
/// The size of text in a window of this height, in pixels.
float text_pixels(const ShellSettings& settings, float window_height);
void toggle_lecture_mode(ShellSettings& settings);

/// Settings of a user that persist between sessions.
struct PersistentSettings {
  std::optional<std::string> palette = {};  ///< palette name; the palette may no longer exist
  std::optional<double> text_scale = {};    ///< relative to the default for the screen
  std::optional<Theme> theme = {};
  std::optional<bool> animations = {};
  std::optional<glm::ivec2> window = {};
  std::optional<bool> show_timing = {};
  friend bool operator==(const PersistentSettings&, const PersistentSettings&) = default;
};

/// The text of the settings file. The reader throws InputError with the reason and skips unknown members.
std::string text_of(const PersistentSettings& settings);
PersistentSettings read_persistent_settings(std::string_view text);

/// The path of the settings file; nothing if there is no folder for it.
std::optional<std::filesystem::path> settings_file();
/// The saved settings. If the file cannot be read, returns the defaults, renames the file and reports the
/// reason in `problem`.
PersistentSettings load_settings(std::string& problem);
/// Saves the settings that differ from `before`, those of this window when it opened. All others keep what
/// the file says: options of the command line are in `before`, and another window may have written the file.
/// Returns why it failed; empty on success.
std::string save_settings(const PersistentSettings& before, const PersistentSettings& now);

/// The current state shown by the row of backends.
struct BackendRowInfo {
  const CudaStatus& cuda;
  const BackendSelection& backend;  ///< active backend
  std::string_view name;            ///< "cpu: 2 threads"
  const char* cpu;                  ///< tooltip of the CPU button
};

/// The row of controls that chooses where all workspaces compute.
void backend_row(BackendChoice& chosen, const BackendRowInfo& now);

/// One choice of the devices row: a number of devices.
struct DeviceCountOption {
  std::uint32_t count = 1;
  std::string label = {};
  std::string problem = {};  ///< reason why it is not available; empty: it can be chosen
  std::string hint = {};
  Area place = {};  ///< area of its button, for tests
};

/// The choices with their labels. GPUs: one, two and all. Simulated devices of the CPU: one, two, four and
/// eight.
std::vector<DeviceCountOption> device_counts(std::size_t there, const Device& device);

/// "2 GPUs", "2 simulated devices (CPU)", "1 GPU".
std::string devices_text(std::size_t devices, const Device& device);
/// The reason, for the window, why `devices` devices are not available; empty if they are. `there`: available
/// GPUs, or simulated devices of the CPU.
std::string missing_devices_reason(std::size_t devices, std::size_t there, const Device& device);

/// Draws the row of controls that selects the number of devices.
void devices_row(std::span<DeviceCountOption> counts, std::uint32_t& chosen, bool simulated,
                 std::string_view hint);

// Rows of program-wide settings.

/// State of the text size slider between frames.
struct TextSizeState {
  float ui_pixels = 0;  ///< text size under the slider while it is dragged; applied on release
  bool dragging = false;
};
void text_size_row(TextSizeState& state, ShellSettings& view);

inline constexpr const char* kLectureLabel = "Lecture";
/// Toggles lecture mode. Returns true if the button was pressed.
bool lecture_button(ShellSettings& view, float width);

}  // namespace loom::app
