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

/// What the shell has for every workspace. References live as long as the program.
struct ShellServices {
  render::GraphicsContext& context;
  const CudaStatus& cuda;
  const BackendSelection& backend;  ///< that the user's choice comes to; changes when the choice does
  const std::vector<int>& devices;  ///< that cells may be shared out to (devices_from()): its own first
  const FrameTimes& times;
  const FrameRate& rate;
  bool waits = false;  ///< frames wait for all work, as pictures that are made off screen need it
  bool ahead = true;   ///< a device may begin the next frame's work before this frame is shown
  UndoHistory& undo;   ///< of all workspaces
};

/// Work that goes on beside the frames.
struct Progress {
  std::string what;  ///< "building level 9 of sierpinski-carpet"; empty: nothing goes on
  double share = 0;  ///< 0..1; below 0 where it is not known
};

/// What the status line and the shell say of a workspace.
struct WorkspaceStatus {
  const BackendSelection& backend;  ///< that runs, which may still differ from the one that was chosen
  std::string_view backend_name;    ///< "cpu: 2 threads"
  std::string_view picture_path;    ///< "CUDA-OpenGL interop", or "host upload: " and why
  Progress progress;
};

/// One use of the window: Life, Mandelbrot. The shell shows one at a time and gives it each frame by these
/// calls, in this order; none of the others does anything meanwhile, and each keeps its state. A frame that
/// one has begun it also ends: another is shown from the next frame on.
class Workspace {
 public:
  virtual ~Workspace() = default;

  /// "life": on the command line and in the state.
  virtual std::string_view name() const = 0;
  /// "Life", and what it is in a sentence.
  virtual const char* label() const = 0;
  virtual const char* hint() const = 0;
  /// What its keys and the mouse over its picture do, for the list of keys.
  virtual std::span<const KeyHelp> keys() const = 0;
  virtual std::span<const KeyHelp> gestures() const = 0;

  /// A frame begins: from here on panels and keys edit a copy of the workspace's settings, and `shell`, which
  /// lives until the next begin().
  virtual void begin(ShellEdit& shell) = 0;
  /// Whether the key is one of its own; if so, it did what the key means.
  virtual bool press(const KeyPress& press) = 0;
  /// The panels of the controls' column.
  virtual void controls() = 0;
  /// What it has for the dock now.
  virtual DockContent dock_content() const = 0;
  /// What the dock's main figures take more than usual, in font sizes.
  virtual float more_dock_lines() const { return 0; }
  /// The content of the dock beside the picture.
  virtual void dock(const DockRoom& room) = 0;
  /// Whether panels() wants the place of the controls too; they are left out then.
  virtual bool covers_controls(const Layout&) const { return false; }
  /// What stands around and on the picture. Returns the area that is left for the picture.
  virtual Area panels(const Layout& layout) = 0;
  /// Mouse and view commands move the view over a picture at `picture`, of `scale` framebuffer pixels a unit.
  virtual void update(const Area& picture, float scale) = 0;
  /// Validates and takes the edited settings. Throws DeviceFault.
  virtual void apply() = 0;
  /// The frame's work, as far as it has time for it; long work goes on beside the frames. Nothing of the
  /// frame is drawn yet, so that a picture from a device may go into its texture at once. Throws DeviceFault.
  virtual void compute(FrameClock& clock) = 0;
  /// What there is to see into the texture, where it is not there, and onto the framebuffer.
  virtual void show(FrameClock& clock) = 0;
  /// What is drawn over the picture.
  virtual void overlays(ImDrawList& list) = 0;
  /// OpenGL was asked for all of the frame; what the next one is to take may be begun, where a device does
  /// it.
  virtual void begin_next(FrameClock&) {}

  /// A message for the user that came up since the last call; empty where none did.
  virtual Message take_message() = 0;
  virtual WorkspaceStatus status() const = 0;
  /// Ends the long work that goes on beside the frames, as soon as it can; what there was before it stays.
  virtual void cancel() = 0;
  /// Waits for the work beside the frames; the next frames then show what came of it.
  virtual void finish() = 0;
  /// Whether what it shows changes although nobody does anything, beside what status() names.
  virtual bool moves() const = 0;
  /// What would be lost if the program ended now, in words; empty where nothing would.
  virtual std::string unsaved() const { return {}; }
  /// Begins to save it, where unsaved() names something; returns a request where the user is to say to which
  /// file.
  virtual std::optional<SaveRequest> save_unsaved() { return std::nullopt; }
  /// Whether that is being written.
  virtual bool saving() const { return false; }
  /// The key that this press is in this workspace; null where it is none.
  virtual const KeyHelp* key_of(const KeyPress& press) const = 0;
  /// Adds what it is doing to the program's state.
  virtual void add_state(nlohmann::ordered_json& json) = 0;
};

}  // namespace loom::app
