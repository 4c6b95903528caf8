#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "app/shell/message.h"
#include "app/shell/save_request.h"
#include "app/shell/shell_settings.h"
#include "app/shell/shortcuts.h"
#include "app/shell/workspace.h"

namespace loom::app {

/// A complete frame in its framebuffer, with ImGui's draw lists.
struct RenderedFrame {
  const render::GraphicsContext& context;
  Area picture;                  ///< area without panels: pictures and legend
  bool is_picture_unobstructed;  ///< nothing that a user can close covers the picture
};

/// Saving and opening, for all workspaces. The shell makes these calls in each frame, in this order.
class DocumentHandler {
 public:
  virtual ~DocumentHandler() = default;
  /// Begins a frame, before the workspace does; applies what was opened.
  virtual void begin(ShellEdit& shell) = 0;
  /// Handles the key if it is one of its own, and returns whether it is.
  virtual bool press(const KeyPress& press) = 0;
  virtual std::span<const KeyHelp> keys() const = 0;
  /// Whether a file that is dropped on the window is one of its own; asked before dropped().
  virtual bool accepts(const std::filesystem::path&) const { return true; }
  virtual void on_file_dropped(const std::filesystem::path& file) = 0;
  /// Its button, `width` wide, at the top of the controls.
  virtual void button(float width) = 0;
  /// A notice below the button; usually none.
  virtual void notice() = 0;
  /// Its dialogs, over everything.
  virtual void dialogs() = 0;
  virtual bool dialog_open() const = 0;
  /// All of a frame was drawn, and is not shown yet.
  virtual void on_frame_rendered(const RenderedFrame&) {}
  /// The running background work.
  virtual Progress progress() const = 0;
  virtual void cancel() = 0;
  /// What would be lost if the program ended now, in words; empty where nothing would.
  virtual std::string unsaved() const { return {}; }
  /// Whether something that unsaved() named has failed, or was cancelled, since this was last asked.
  virtual bool take_failure() { return false; }
  /// The file of the scene, without its folder; empty where the scene has none.
  virtual std::string_view file_name() const { return {}; }
  /// Asks the user for a file by the dialog that scenes are saved by, and saves to it.
  virtual void ask_for_file(SaveRequest) {}
  /// Whether that dialog is open.
  virtual bool is_asking_for_file() const { return false; }
  virtual Message take_message() = 0;
  /// Adds its state to the state report.
  virtual void add_state(nlohmann::ordered_json& json) = 0;
};

}  // namespace loom::app
