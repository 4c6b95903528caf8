#pragma once

#include <imgui.h>

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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

/// How coordinates are labelled where they are typed.
struct CoordinateLabels {
  const char* label;                ///< "re, im, width"
  const char* hint;                 ///< tooltip of the field
  const char* paste_hint;           ///< tooltip of Paste
  const char* save_hint = nullptr;  ///< tooltip of Save; null: the workspace has no position files
};

/// What never changes of a workspace.
struct WorkspaceInfo {
  std::string_view id;                ///< on the command line, in scenes and in the state report: "life"
  const char* label;                  ///< "Life"
  const char* hint;                   ///< a one-sentence tooltip
  std::span<const KeyHelp> gestures;  ///< of the mouse over its picture, for the list of keys
  CoordinateLabels coordinates;
};

/// Status of a workspace for the status line and the shell.
struct WorkspaceStatus {
  const BackendSelection& backend;  ///< active backend, which may still differ from the selected one
  std::string_view backend_name;    ///< "cpu: 2 threads"
  std::string_view picture_path;    ///< "CUDA-OpenGL interop", or "CPU copy: " and the reason
  Progress progress = {};
  bool is_animating = false;         ///< the display changes without input, also without progress
  bool has_secondary_panes = false;  ///< panes beside the active one show the scene too
  std::string unsaved = {};          ///< what would be lost if the program ended now; empty: nothing
  bool is_saving = false;            ///< the data named by `unsaved` is being written
  double pixel_ms = 0;               ///< milliseconds per pixel of a saved image; 0: unknown
};

/// The panels of a workspace in this frame, for the layout.
struct PanelNeeds {
  std::span<const float> toolbar = {};        ///< widths of the toolbar's groups, in font sizes
  std::span<const float> brief_toolbar = {};  ///< where buttons with an icon have no text
  bool metrics = false;                       ///< the dock has metrics
  const char* details = nullptr;  ///< with metrics, what the dock has besides and the user opens: "Thread"
  bool details_open = false;
  /// panels() also uses the area of the controls, which are then left out.
  bool covers_controls = false;
  /// It takes the strip's place, as long as that is no list.
  bool covers_strip = false;
  bool has_editor = false;  ///< panels() has an editor of code, which ShellCommands::focus_editor enters
  Area marked = {};         ///< the selected part of the picture, which messages leave free
  Area legend = {};         ///< in the picture, which they leave free too
  /// The lower edge of the picture has text and controls, so that messages are at the upper right.
  bool messages_at_top = false;
};

/// Which state of a workspace is needed.
enum class StateNeed {
  kDescribed,  ///< the current one without data that takes long to copy
  kExactView,  ///< the same, and a fitted view is stored too, so that images of other sizes show this part
  kQuick,      ///< to return to after a lesson, at once; data that would block the window starts anew
  kComplete,   ///< with its data, at once; running work ends first
  kWithoutEngine,  ///< what can be saved after a device failure
};

/// A state with its data, while it is copied.
struct StateCopy {
  scene::StatePtr state = {};  ///< null until the copy is complete
  bool cancelled = false;      ///< by the user
};

/// The current view as bookmarks have it.
struct Place {
  scene::Json json;         ///< as WorkspaceFormat::read_place() returns it
  std::string name;         ///< for the bookmark
  std::string coordinates;  ///< in a form that Workspace::go_to_coordinates() reads
  std::string shown;        ///< the same, long numbers shortened
};

/// A part of a workspace that can be saved to a file of its own.
enum class SavedPart {
  kUnsaved,   ///< what WorkspaceStatus::unsaved names
  kPosition,  ///< the view; if CoordinateLabels::save_hint is set
};

/// A workspace, such as Life or Mandelbrot. The shell shows one workspace at a time and calls these functions
/// in each frame, in this order. Other workspaces are paused and keep their state. The workspace that began a
/// frame also ends it; a switch takes effect in the next frame.
class Workspace {
 public:
  /// `services` must outlive the workspace.
  Workspace(const WorkspaceInfo& info, const ShellServices& services) : services_(services), info_(info) {}
  virtual ~Workspace() = default;

  const WorkspaceInfo& info() const { return info_; }
  std::string_view id() const { return info_.id; }
  /// A message for the user since the last call; empty if there is none.
  Message take_message() { return std::exchange(message_, {}); }
  /// Area of the picture in ImGui units, and framebuffer pixels per unit.
  const Area& picture_area() const { return area_; }
  float picture_scale() const { return scale_; }

  /// Its commands for menus, the list of keys and key presses. They run between begin() and compute().
  virtual CommandSource commands() = 0;

  /// Begins a frame. Until the next begin(), panels and keys edit a copy of the workspace's settings and
  /// `shell`, which stays valid as long.
  virtual void begin(ShellEdit& shell) = 0;
  virtual PanelNeeds panel_needs() const = 0;
  /// Draws a group of the toolbar within its width, in one line.
  virtual void toolbar_group(std::size_t, bool /*brief*/) {}
  /// Draws the panels in the controls column.
  virtual void controls() = 0;
  /// Draws the content of the dock.
  virtual void dock(const DockSpace&) {}
  /// Draws the panels around and on the picture. Returns the remaining area.
  virtual Area panels(const Layout& layout) = 0;
  /// Applies mouse input and view commands to the view. `picture`: area of the picture; `scale`: framebuffer
  /// pixels per unit of it.
  virtual void update(const Area& picture, float scale) = 0;
  /// Validates and applies the edited settings, then computes the frame; long work continues in the
  /// background. Nothing of the frame is drawn yet, so a device may write its image into the texture. Throws
  /// DeviceFault.
  virtual void compute(FrameClock& clock) = 0;
  /// Transfers the image into the texture, unless it is already there, draws it into the framebuffer, and
  /// adds the overlays of the picture to `overlays`.
  virtual void show(FrameClock& clock, ImDrawList& overlays) = 0;
  /// Called after the draw calls of the frame; a device may start the work of the next frame.
  virtual void begin_next(FrameClock&) {}

  virtual WorkspaceStatus status() const = 0;
  /// Cancels background work as soon as possible. The previous state stays.
  virtual void cancel() {}
  /// Waits for background work; the next frames show its result.
  virtual void finish() {}
  /// Called when another workspace takes its place.
  virtual void hide() {}
  /// Starts to save a part. Returns a request if the user has to choose the file.
  virtual std::optional<SaveRequest> save(SavedPart) { return std::nullopt; }
  /// Adds its state to the state report.
  virtual void add_state(nlohmann::ordered_json& json) = 0;

  // Documents. The states are those of the workspace's WorkspaceFormat.

  virtual scene::StatePtr state(StateNeed need) = 0;
  /// Starts a copy of the data. A new request replaces the previous one.
  virtual void request_data() {}
  /// Adds the data to a state of kDescribed. `is_hidden`: another workspace is shown, so that this call has
  /// to continue the copy.
  virtual StateCopy with_data(scene::StatePtr described, bool /*is_hidden*/) {
    return {std::move(described)};
  }
  /// Shows a state with its next frame.
  virtual void restore(scene::StatePtr state) = 0;
  /// Opens a file with its next frame, or in the background. Returns false if it opens none of this kind.
  /// Throws InputError.
  virtual bool open_file(const std::filesystem::path&, FileKind) { return false; }

  // Bookmarks and coordinates.

  virtual Place place() const = 0;
  /// Shows a place with its next frame.
  virtual void go_to_place(const scene::Json& place) = 0;
  /// Shows the view with its next frame. Returns a sentence about ignored parts of the text. Throws
  /// InputError.
  virtual std::string go_to_coordinates(const std::string& text) = 0;

 protected:
  const ShellServices& services_;
  Message message_;  ///< for take_message()
  Area area_ = {};   ///< of the picture, set by update()
  float scale_ = 1;

 private:
  WorkspaceInfo info_;
};

}  // namespace loom::app
