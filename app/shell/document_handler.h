#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/shell/shell_settings.h"
#include "app/shell/shortcuts.h"
#include "app/shell/toasts.h"
#include "app/shell/workspace.h"

namespace loom::app {

/// A complete frame in its framebuffer, including ImGui's draw lists.
struct RenderedFrame {
  const render::GraphicsContext& context;
  Area picture;                  ///< area of the pictures, without panels and the line below them
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

/// The document handlers. Calls go to all of them, except that progress() and cancel() refer to the first
/// running work.
class DocumentHandlerSet {
 public:
  void add(std::unique_ptr<DocumentHandler> documents) {
    all_.push_back(std::move(documents));
    list_commands();
  }
  void begin(ShellEdit& shell) {
    for (const auto& one : all_) one->begin(shell);
    list_commands();
  }
  bool press(const KeyPress& press) {
    return std::ranges::any_of(all_, [&](const auto& one) { return one->press(press); });
  }
  std::span<const Command> commands() const { return commands_; }
  void run(std::size_t command) {
    for (const auto& one : all_) {
      const std::size_t count = one->commands().size();
      if (command < count) return one->run(command);
      command -= count;
    }
  }
  /// Calls a function of every handler.
  template <typename Function, typename... Args>
  void each(Function function, Args&&... args) {
    for (const auto& one : all_) std::invoke(function, *one, args...);
  }
  bool dialog_open() const {
    return std::ranges::any_of(all_, [](const auto& one) { return one->dialog_open(); });
  }
  Progress progress() const {
    for (const auto& one : all_) {
      if (Progress progress = one->progress(); !progress.what.empty()) return progress;
    }
    return {};
  }
  void cancel() {
    for (const auto& one : all_) {
      if (!one->progress().what.empty()) return one->cancel();
    }
  }
  std::string unsaved() const {
    std::string all;
    for (const auto& one : all_) {
      const std::string lost = one->unsaved();
      if (!lost.empty()) all += (all.empty() ? "" : "\n") + lost;
    }
    return all;
  }
  bool take_failure() {
    bool failed = false;
    for (const auto& one : all_) failed |= one->take_failure();
    return failed;
  }
  std::string_view file_name() const {
    for (const auto& one : all_) {
      if (const std::string_view name = one->file_name(); !name.empty()) return name;
    }
    return {};
  }
  bool is_asking_for_file() const {
    return std::ranges::any_of(all_, [](const auto& one) { return one->is_asking_for_file(); });
  }
  Message take_message() {
    Message message;
    for (const auto& one : all_) {
      if (Message next = one->take_message(); !next.empty()) message = std::move(next);
    }
    return message;
  }

 private:
  /// They may change from frame to frame.
  void list_commands() {
    commands_.clear();
    for (const auto& one : all_) {
      const auto commands = one->commands();
      commands_.insert(commands_.end(), commands.begin(), commands.end());
    }
  }

  std::vector<std::unique_ptr<DocumentHandler>> all_;
  std::vector<Command> commands_;  ///< of all, in their order
};

}  // namespace loom::app
