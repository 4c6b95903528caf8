#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/shell/shell_settings.h"
#include "app/shell/shortcuts.h"
#include "app/shell/toasts.h"
#include "app/shell/workspace.h"

namespace loom::app {

/// A complete frame in its framebuffer, including ImGui's draw lists.
struct RenderedFrame {
  const render::GraphicsContext& context;
  Area picture;                  ///< area not covered by panels: pictures and legend
  bool is_picture_unobstructed;  ///< nothing that a user can close covers the picture
};

/// Saves and opens files for all workspaces. The shell calls these functions in each frame, in this order.
class DocumentHandler {
 public:
  virtual ~DocumentHandler() = default;
  /// Begins a frame, before the workspace does. Applies documents that were opened.
  virtual void begin(ShellEdit& shell) = 0;
  /// Handles the key if it belongs to this handler, and returns whether it does.
  virtual bool press(const KeyPress& press) = 0;
  virtual std::span<const Command> commands() const = 0;
  /// Runs the command with this index.
  virtual void run(std::size_t command) = 0;
  virtual void on_file_dropped(const std::filesystem::path&) {}
  /// Adds items that are not commands to the File menu, while it is open.
  virtual void file_menu_items() {}
  /// Draws a notice at the top of the controls; most frames have none.
  virtual void notice() = 0;
  /// Draws its dialogs over everything else.
  virtual void dialogs() = 0;
  virtual bool dialog_open() const = 0;
  /// Called when the frame is fully drawn but not yet presented.
  virtual void on_frame_rendered(const RenderedFrame&) {}
  /// Progress of the running background work.
  virtual Progress progress() const = 0;
  virtual void cancel() = 0;
  /// Describes what would be lost if the program ended now; empty if nothing would be lost.
  virtual std::string unsaved() const { return {}; }
  /// Whether work named by unsaved() has failed or was cancelled since the last call.
  virtual bool take_failure() { return false; }
  /// The file name of the scene without its folder; empty if the scene has no file.
  virtual std::string_view file_name() const { return {}; }
  /// Opens the scene dialog to choose a file, then saves to that file.
  virtual void ask_for_file(SaveRequest) {}
  /// Whether a dialog to choose the file to save to is open, or about to open.
  virtual bool is_asking_for_file() const { return false; }
  virtual Message take_message() = 0;
  /// Adds its state to the state report.
  virtual void add_state(nlohmann::ordered_json& json) = 0;
};

/// Combines several document handlers. Calls go to all of them, except that progress() and cancel() refer to
/// the first running work.
class DocumentHandlerSet final : public DocumentHandler {
 public:
  void add(std::unique_ptr<DocumentHandler> documents);

  void begin(ShellEdit& shell) override;
  bool press(const KeyPress& press) override;
  std::span<const Command> commands() const override { return commands_; }
  void run(std::size_t command) override;
  void on_file_dropped(const std::filesystem::path& file) override;
  void file_menu_items() override;
  void notice() override;
  void dialogs() override;
  void on_frame_rendered(const RenderedFrame& frame) override;
  bool dialog_open() const override;
  Progress progress() const override;
  void cancel() override;
  std::string unsaved() const override;
  bool take_failure() override;
  std::string_view file_name() const override;
  void ask_for_file(SaveRequest request) override;
  bool is_asking_for_file() const override;
  Message take_message() override;
  void add_state(nlohmann::ordered_json& json) override;

 private:
  /// They may change from frame to frame.
  void list_commands();

  std::vector<std::unique_ptr<DocumentHandler>> all_;
  std::vector<Command> commands_;  ///< of all, in their order
};

}  // namespace loom::app
