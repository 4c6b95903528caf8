#pragma once

#include <imgui.h>

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/layout.h"
#include "app/shell/dock.h"
#include "app/shell/frame_rate.h"
#include "app/shell/frame_times.h"
#include "app/shell/message.h"
#include "app/shell/save_request.h"
#include "app/shell/shell_settings.h"
#include "app/shell/shortcuts.h"
#include "app/shell/undo_history.h"
#include "render/context/graphics_context.h"

namespace loom::app {

/// Services of the shell for every workspace. References live as long as the program.
struct ShellServices {
  render::GraphicsContext& context;
  const CudaStatus& cuda;
  const BackendSelection& backend;  ///< that the user's choice comes to; changes when the choice does
  const std::vector<int>& devices;  ///< devices for distribution (devices_from()); the selected one is first
  const FrameTimes& times;
  const FrameRate& rate;
  bool waits = false;        ///< frames wait for all work, as pictures that are made off screen need it
  bool is_pipelined = true;  ///< a device may begin the next frame's work before this frame is shown
  UndoHistory& undo;         ///< of all workspaces
};

/// Background work.
struct Progress {
  std::string what;  ///< "building level 9 of sierpinski-carpet"; empty: no work
  double share = 0;  ///< 0..1; below 0 where it is not known
};

/// Status of a workspace for the status line and the shell.
struct WorkspaceStatus {
  const BackendSelection& backend;  ///< active backend, which may still differ from the selected one
  std::string_view backend_name;    ///< "cpu: 2 threads"
  std::string_view picture_path;    ///< "CUDA-OpenGL interop", or "CPU copy: " and the reason
  Progress progress;
};

/// A workspace: Life, Mandelbrot. The shell shows one at a time and makes these calls in each frame, in this
/// order. Other workspaces are idle and keep their state. A frame is ended by the workspace that began it; a
/// switch takes effect in the next frame.
class Workspace {
 public:
  virtual ~Workspace() = default;

  /// "life": on the command line and in the state.
  virtual std::string_view name() const = 0;
  /// The label, such as "Life", and a sentence about it.
  virtual const char* label() const = 0;
  virtual const char* hint() const = 0;
  /// What its keys and the mouse over its picture do, for the list of keys.
  virtual std::span<const KeyHelp> keys() const = 0;
  virtual std::span<const KeyHelp> gestures() const = 0;

  /// A frame begins: from here on panels and keys edit a copy of the workspace's settings, and `shell`, which
  /// lives until the next begin().
  virtual void begin(ShellEdit& shell) = 0;
  /// Handles the key if it is one of its own, and returns whether it is.
  virtual bool press(const KeyPress& press) = 0;
  /// The panels of the controls' column.
  virtual void controls() = 0;
  /// The current content for the dock.
  virtual DockContent dock_content() const = 0;
  /// Additional height of the main metrics in the dock, in font sizes.
  virtual float more_dock_lines() const { return 0; }
  /// Draws the content of the dock.
  virtual void dock(const DockSpace& room) = 0;
  /// Whether panels() wants the place of the controls too; they are left out then.
  virtual bool covers_controls(const Layout&) const { return false; }
  /// Draws the panels around and on the picture. Returns the remaining area.
  virtual Area panels(const Layout& layout) = 0;
  /// Mouse and view commands move the view over a picture at `picture`, of `scale` framebuffer pixels a unit.
  virtual void update(const Area& picture, float scale) = 0;
  /// Validates and takes the edited settings. Throws DeviceFault.
  virtual void apply() = 0;
  /// Computes the frame; long work continues in the background. Nothing of the frame is drawn yet, so a
  /// device may write its image into the texture. Throws DeviceFault.
  virtual void compute(FrameClock& clock) = 0;
  /// What there is to see into the texture, where it is not there, and onto the framebuffer.
  virtual void show(FrameClock& clock) = 0;
  /// Draws the overlays of the picture.
  virtual void overlays(ImDrawList& list) = 0;
  /// Called after the draw calls of the frame: a device may start the work of the next frame.
  virtual void begin_next(FrameClock&) {}

  /// A message for the user that came up since the last call; empty where none did.
  virtual Message take_message() = 0;
  virtual WorkspaceStatus status() const = 0;
  /// Cancels background work as soon as possible; the previous state stays.
  virtual void cancel() = 0;
  /// Waits for background work; the next frames show its result.
  virtual void finish() = 0;
  /// True if the display changes without input, in addition to status().
  virtual bool is_animating() const = 0;
  /// What would be lost if the program ended now, in words; empty where nothing would.
  virtual std::string unsaved() const { return {}; }
  /// Begins to save it, where unsaved() names something; returns a request where the user is to say to which
  /// file.
  virtual std::optional<SaveRequest> save_unsaved() { return std::nullopt; }
  /// Whether that is being written.
  virtual bool saving() const { return false; }
  /// The key that this press is in this workspace; null where it is none.
  virtual const KeyHelp* key_of(const KeyPress& press) const = 0;
  /// Adds its state to the state report.
  virtual void add_state(nlohmann::ordered_json& json) = 0;
};

}  // namespace loom::app
