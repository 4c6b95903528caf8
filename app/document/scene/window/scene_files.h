#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/document/scene/window/file_browser.h"
#include "app/document/scene/window/scene_source.h"
#include "app/shell/document_handler.h"
#include "app/tasks/task.h"

namespace loom::app::scene {

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
  std::vector<std::filesystem::path> recent_;
  Message message_;
  bool failed_ = false;  ///< the last save failed or was cancelled
  std::string done_;     ///< description of what was last saved or opened
  std::map<std::string, Area, std::less<>> areas_;

  Task<std::uint64_t> write_task_;  ///< returns the size of the file
  Task<Scene> read_task_;
};

}  // namespace loom::app::scene
