#pragma once

#include <imgui.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/scene/workspace_state.h"
#include "app/files/file_kind.h"
#include "app/gui/layout.h"
#include "app/shell/dock.h"
#include "app/shell/frame_times.h"
#include "app/shell/shell_settings.h"
#include "app/shell/shortcuts.h"
#include "app/shell/toasts.h"
#include "app/shell/undo_history.h"
#include "app/tasks/task.h"
#include "render/context/graphics_context.h"

namespace loom::app {

/// Services of the shell for every workspace. References live as long as the program.
struct ShellServices {
  render::GraphicsContext& context;
  const CudaStatus& cuda;
  const BackendSelection&
      backend;  ///< backend resolved from the user's choice; updated when the choice changes
  const std::vector<Device>& devices;  ///< for distribution (devices_from()); the selected one is first
  const FrameTimes& times;
  const FrameRate& rate;
  bool waits = false;        ///< frames wait for all work, as off-screen images require
  bool is_pipelined = true;  ///< a device may begin the next frame's work before this frame is shown
  UndoHistory& undo;         ///< history of all workspaces
};

/// Status of a workspace for the status line and the shell.
struct WorkspaceStatus {
  const BackendSelection& backend;  ///< active backend, which may still differ from the selected one
  std::string_view backend_name;    ///< "cpu: 2 threads"
  std::string_view picture_path;    ///< "CUDA-OpenGL interop", or "CPU copy: " and the reason
  Progress progress;
};

/// How coordinates are labelled where they are typed.
struct CoordinateLabels {
  const char* label;                ///< "re, im, width"
  const char* hint;                 ///< tooltip of the field
  const char* paste_hint;           ///< tooltip of Paste
  const char* save_hint = nullptr;  ///< tooltip of Save; null: the workspace has no position files
};

/// A workspace, such as Life or Mandelbrot. The shell shows one workspace at a time and calls these functions
/// in each frame, in this order. Other workspaces are paused and keep their state. The workspace that began a
/// frame also ends it; a switch takes effect in the next frame.
class Workspace {
 public:
  virtual ~Workspace() = default;

  /// Identifier on the command line, in scenes and in the state report: "life".
  virtual std::string_view id() const = 0;
  /// The label, such as "Life", and a one-sentence tooltip.
  virtual const char* label() const = 0;
  virtual const char* hint() const = 0;
  /// Its commands, and the mouse gestures over its picture, for menus and the list of keys.
  virtual std::span<const Command> commands() const = 0;
  /// Runs the command with this index, as its key does. Called between begin() and apply().
  virtual void run(std::size_t command) = 0;
  /// Whether the menu item of this command has a check mark.
  virtual bool checked(std::size_t) const { return false; }
  virtual std::span<const KeyHelp> gestures() const = 0;

  /// Begins a frame. Until the next begin(), panels and keys edit a copy of the workspace's settings and
  /// `shell`, which stays valid as long.
  virtual void begin(ShellEdit& shell) = 0;
  /// Handles the key if it belongs to the workspace, and returns whether it does.
  virtual bool press(const KeyPress& press) = 0;
  /// The widths of the groups of its toolbar, in font sizes. `brief`: buttons with an icon have no text.
  virtual std::span<const float> toolbar_groups(bool /*brief*/) const { return {}; }
  /// Draws a group within its width, in one line.
  virtual void toolbar_group(std::size_t, bool /*brief*/) {}
  /// Draws the panels in the controls column.
  virtual void controls() = 0;
  /// The current content for the dock.
  virtual DockContent dock_content() const = 0;
  /// Additional height of the main metrics in the dock, in font sizes.
  virtual float more_dock_lines() const { return 0; }
  /// Draws the content of the dock.
  virtual void dock(const DockSpace& room) = 0;
  /// Whether panels() also uses the area of the controls, which are then left out.
  virtual bool covers_controls() const { return false; }
  /// Draws the panels around and on the picture. Returns the remaining area.
  virtual Area panels(const Layout& layout) = 0;
  /// Whether the lower edge of the picture has text and controls, so that messages are at the upper right.
  virtual bool messages_at_top() const { return false; }
  /// Applies mouse input and view commands to the view. `picture`: area of the picture; `scale`: framebuffer
  /// pixels per unit of it.
  virtual void update(const Area& picture, float scale) = 0;
  /// Validates and applies the edited settings. Throws DeviceFault.
  virtual void apply() = 0;
  /// Computes the frame; long work continues in the background. Nothing of the frame is drawn yet, so a
  /// device may write its image into the texture. Throws DeviceFault.
  virtual void compute(FrameClock& clock) = 0;
  /// Transfers the image into the texture, unless it is already there, and draws it into the framebuffer.
  virtual void show(FrameClock& clock) = 0;
  /// Draws the overlays of the picture.
  virtual void overlays(ImDrawList& list) = 0;
  /// Called after the draw calls of the frame; a device may start the work of the next frame.
  virtual void begin_next(FrameClock&) {}

  /// A message for the user since the last call; empty if there is none.
  virtual Message take_message() = 0;
  virtual WorkspaceStatus status() const = 0;
  /// Cancels background work as soon as possible. The previous state stays.
  virtual void cancel() = 0;
  /// Waits for background work; the next frames show its result.
  virtual void finish() = 0;
  /// Called when another workspace takes its place.
  virtual void hide() {}
  /// True if the display changes without input, in addition to status().
  virtual bool is_animating() const = 0;
  /// Describes what would be lost if the program ended now; empty if nothing would be lost.
  virtual std::string unsaved() const { return {}; }
  /// Starts to save what unsaved() names. Returns a request if the user has to choose the file.
  virtual std::optional<SaveRequest> save_unsaved() { return std::nullopt; }
  /// Whether the data named by unsaved() is being written.
  virtual bool saving() const { return false; }
  /// The command of this workspace whose key matches the press; null if there is none.
  virtual const Command* command_of(const KeyPress& press) const = 0;
  /// Adds its state to the state report.
  virtual void add_state(nlohmann::ordered_json& json) = 0;

  // Documents. The states are those of the workspace's WorkspaceFormat.

  /// The current state without data that takes long to copy. With `exact_view`, the view is stored even if it
  /// is fitted, so that images of other sizes show the same part.
  virtual scene::StatePtr describe(bool exact_view = false) const = 0;
  /// Starts a copy of the data. A new request replaces the previous one.
  virtual void request_data() {}
  /// Whether the copy is requested and not taken yet; false also after the user cancelled it.
  virtual bool data_requested() const { return true; }
  /// Continues the copy while another workspace is shown.
  virtual void advance_hidden() {}
  /// A state from describe() with its data; null until the copy is complete.
  virtual scene::StatePtr with_data(scene::StatePtr described) { return described; }
  /// The complete state at once; running work ends first.
  virtual scene::StatePtr complete_state() { return describe(); }
  /// What can be saved after a device failure: uses no engine.
  virtual scene::StatePtr state_without_engine() const { return describe(); }
  /// The state to return to after a lesson, at once. Data that would block the window starts anew.
  virtual scene::StatePtr quick_state() const { return describe(); }
  /// Shows a state with its next frame.
  virtual void restore(scene::StatePtr state) = 0;

  // Bookmarks and coordinates.

  /// The current view as WorkspaceFormat::read_place() returns it, and a name for it.
  virtual scene::Json place() const = 0;
  virtual std::string place_name() const = 0;
  /// Shows a place with its next frame.
  virtual void go_to_place(const scene::Json& place) = 0;
  /// The coordinates of the current view, in a form that go_to_coordinates() reads; with `for_screen`, long
  /// numbers are shortened to be shown.
  virtual std::string coordinates(bool for_screen = false) const = 0;
  virtual const CoordinateLabels& coordinate_labels() const = 0;
  /// Shows the view with its next frame. Returns a sentence about ignored parts of the text. Throws
  /// InputError.
  virtual std::string go_to_coordinates(const std::string& text) = 0;

  // Pictures and files.

  /// Area of the picture in ImGui units, and framebuffer pixels per unit.
  virtual const Area& picture_area() const = 0;
  virtual float picture_scale() const = 0;
  /// Whether panes beside the active one show the scene too.
  virtual bool has_secondary_panes() const { return false; }
  /// From the next frame on, leaves out insets in the picture regardless of the settings.
  virtual void hide_insets(bool) {}
  /// Opens a file with its next frame, or in the background. Returns false if it opens none of this kind.
  /// Throws InputError.
  virtual bool open_file(const std::filesystem::path&, FileKind) { return false; }
  /// The request to save the view as a position file.
  virtual SaveRequest save_position() { return {}; }
};

}  // namespace loom::app
