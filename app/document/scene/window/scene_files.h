#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/document/scene/scene.h"
#include "app/document/scene/window/file_browser.h"
#include "app/shell/application.h"
#include "app/shell/document_handler.h"
#include "app/tasks/task.h"

namespace loom::app::scene {

/// The scene in the window: reads it from the shell and its workspaces, and shows another one.
class SceneSource {
 public:
  /// `application` must outlive it.
  SceneSource(Application& application, Formats formats) : application_(application), formats_(formats) {}
  /// Sets where the bookmarks that scenes contain come from, and where those of an opened scene go.
  using GetBookmarks = std::function<std::vector<Bookmark>()>;
  using AddBookmarks = std::function<void(const std::vector<Bookmark>&)>;
  void set_bookmarks(GetBookmarks get, AddBookmarks add) {
    get_bookmarks_ = std::move(get);
    add_bookmarks_ = std::move(add);
  }

  Formats formats() const { return formats_; }
  Application& application() const { return application_; }
  /// The current scene.
  Scene describe(StateNeed need = StateNeed::kDescribed) const;
  /// Starts a copy of the data of all workspaces. A new request replaces the previous one.
  void request_data();
  /// False once the user has cancelled the copy.
  bool data_requested() const { return !cancelled_; }
  /// A scene from describe() with its data; nothing until the copy is complete. Call once a frame.
  std::optional<Scene> with_data(const Scene& described);
  /// Shows the scene with the next frame. Call before the workspace's frame begins.
  void show(const Scene& scene, ShellEdit& shell);

  /// Opens a file that is no whole scene: one of a workspace, a lesson, a palette, which it selects. Throws
  /// InputError.
  void open_asset(const std::filesystem::path& file, FileKind kind, ShellEdit& shell);
  /// The memory check for the running backend.
  CapacityCheck capacity_check() const;
  BackendSelection backend() const { return application_.shown().status().backend; }

 private:
  Application& application_;
  Formats formats_;
  GetBookmarks get_bookmarks_;
  AddBookmarks add_bookmarks_;
  std::map<std::string, StatePtr, std::less<>> copied_;  ///< states of the running copy that are complete
  bool cancelled_ = false;
};

/// Scene files of the window: save, open, drop, and restore the last session.
class SceneFiles final : public DocumentHandler {
 public:
  /// `source` must outlive it.
  explicit SceneFiles(SceneSource& source);

  void begin(ShellEdit& shell) override;
  bool press(const KeyPress& press) override { return keys_.press(press, command_); }
  std::span<const Command> commands() const override { return keys_.commands(); }
  void run(std::size_t command) override { keys_.run(command, command_); }
  void on_file_dropped(const std::filesystem::path& file) override { dropped_.push_back(file); }
  void file_menu_items() override;
  void notice() override;
  void dialogs() override;
  bool dialog_open() const override { return browser_.is_open() || request_.has_value(); }
  Progress progress() const override;
  void cancel() override;
  std::string unsaved() const override;
  bool take_failure() override { return std::exchange(failed_, false); }
  std::string_view file_name() const override { return file_name_; }
  void ask_for_file(SaveRequest request) override;
  bool is_asking_for_file() const override;
  Message take_message() override { return std::exchange(message_, {}); }
  void add_state(nlohmann::ordered_json& json) override;

  /// Reads the scene of the last session in order to offer it.
  void load_last_session();
  /// Whether the user has restored it.
  bool has_restored() const { return restored_; }
  /// Whether it is offered and nothing was done since: then it stays the last session.
  bool keeps_last_session() const;
  /// Sets the file of the current scene.
  void set_file(const std::filesystem::path& file);

  enum class Request { kNone, kOpen, kSave, kSaveAs };
  static Shortcuts<Request> shortcuts();

 private:
  enum class Phase { kNothing, kCopying, kWriting, kReading, kReadingLastSession };
  void browse(FileBrowser::Mode what);
  /// The folder of the current scene's file; empty if it has none.
  std::filesystem::path folder() const { return file_ ? file_->parent_path() : std::filesystem::path(); }
  bool is_free();
  void save(const std::filesystem::path& file);
  void read(const std::filesystem::path& file, bool to_offer);
  void act();
  void open_assets(ShellEdit& shell);
  void write(Scene scene);
  void take_written();
  void take_read();
  void restore();
  void request_dialog();

  SceneSource& source_;
  Shortcuts<Request> keys_;
  Request command_ = Request::kNone;
  Phase phase_ = Phase::kNothing;
  FileBrowser browser_;
  std::optional<SaveRequest> request_;  ///< a save request of another module, until its file is chosen
  FileBrowser request_browser_;
  std::optional<std::filesystem::path> file_;    ///< file of the current scene
  std::string file_name_;                        ///< its name without the folder
  std::uint64_t saved_state_ = 0;                ///< UndoHistory::scene_state() of the scene being written
  std::optional<std::filesystem::path> target_;  ///< file being written or read
  std::deque<std::filesystem::path> dropped_;    ///< dropped files, opened one after another
  std::vector<std::pair<std::filesystem::path, FileKind>> parts_;  ///< no scenes, opened by the next frame
  std::optional<Scene> pending_scene_;  ///< scene that was read; shown by the next frame
  bool pending_is_file_ = false;        ///< it belongs to `file_`
  std::optional<Scene> last_;           ///< scene of the last session, until restored
  std::string last_session_text_;
  bool offers_last_session_ = false;  ///< offered at the top of the controls as well as in the menu
  bool restored_ = false;
  std::vector<std::filesystem::path> recent_;
  Message message_;
  bool failed_ = false;  ///< the last save failed or was cancelled
  std::string done_;     ///< description of what was last saved or opened
  std::map<std::string, Area, std::less<>> areas_;

  Task<std::uint64_t> write_task_;  ///< returns the size of the file
  Task<Scene> read_task_;
};

}  // namespace loom::app::scene
