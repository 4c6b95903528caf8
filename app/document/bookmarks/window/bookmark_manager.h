#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/document/scene/scene.h"
#include "app/document/scene/window/scene_files.h"
#include "app/document/scene/workspace_state.h"
#include "app/shell/document_handler.h"
#include "app/tasks/task.h"
#include "render/colour_texture.h"

namespace loom::app::bookmarks {

/// The file of the user's bookmarks; empty if there is no folder for it.
std::optional<std::filesystem::path> bookmarks_file();

struct LoadedBookmarks {
  std::vector<scene::Bookmark> bookmarks;
  std::string problem;  ///< reason why the file was moved away; empty if it was read or does not exist
};
/// Reads the bookmarks. An unreadable file is moved away, never overwritten.
LoadedBookmarks load_bookmarks(const std::filesystem::path& file, scene::Formats formats);

/// Three-way merge of `mine` and `theirs` (the content of the file), which both started from `before`.
/// Bookmarks added by others are appended while there is room; those deleted by others are left out.
std::vector<scene::Bookmark> merge_bookmarks(const std::vector<scene::Bookmark>& before,
                                             const std::vector<scene::Bookmark>& mine,
                                             const std::vector<scene::Bookmark>& theirs);

/// Writes `mine`, merged with changes of other windows since `before`. Returns the new content. Throws
/// std::runtime_error if it cannot be written.
std::vector<scene::Bookmark> save_bookmarks(const std::filesystem::path& file,
                                            const std::vector<scene::Bookmark>& before,
                                            const std::vector<scene::Bookmark>& mine, scene::Formats formats);

/// The user's bookmarks with thumbnails: add, go to and delete. Also handles typed, copied and pasted
/// coordinates, and the command line of the scene.
class BookmarkManager final : public DocumentHandler {
 public:
  /// Returns the command line that opens the current scene. Throws InputError with the reason if there is
  /// none.
  using CommandLine = std::function<std::string()>;
  /// `source` must outlive it.
  BookmarkManager(scene::SceneSource& source, CommandLine command_line);
  /// Loads the saved bookmarks; changes are saved from now on.
  void load();

  void begin(ShellEdit& shell) override;
  bool press(const KeyPress& press) override;
  std::span<const Command> commands() const override { return commands_; }
  void run(std::size_t command) override;
  void notice() override {}
  void dialogs() override;
  void on_frame_rendered(const RenderedFrame& frame) override;
  bool dialog_open() const override { return open_; }
  Progress progress() const override { return {}; }
  void cancel() override {}
  Message take_message() override { return std::exchange(message_, {}); }
  void add_state(nlohmann::ordered_json& json) override;
  /// Called when the window ends: saves what is not saved yet. Returns why it failed; empty on success.
  std::string finish();

  const std::vector<scene::Bookmark>& all() const { return bookmarks_; }
  /// Adds the bookmarks of an opened scene.
  void add_from_scene(const std::vector<scene::Bookmark>& bookmarks);

  enum class Request { kNone, kOpen, kAdd, kCopyCommand };
  static Shortcuts<Request> shortcuts();

 private:
  struct ThumbnailTexture {
    render::ColourTexture picture;
    bool uploaded = false;
    std::string description = {};
  };
  void act(ShellEdit& shell);
  /// Lists the commands anew, because they refer to the names of the bookmarks.
  void list_commands();
  void go_to_text(const std::string& text);
  void coordinates_rows();
  void bookmark_list();
  bool bookmark_row(std::size_t number, float width);
  void start_save();
  void take_saved(Task<std::vector<scene::Bookmark>>::Outcome outcome);

  Workspace& workspace() const { return source_.application().shown(); }
  std::string description_of(const scene::Bookmark& bookmark) const;

  scene::SceneSource& source_;
  CommandLine command_line_;
  Shortcuts<Request> keys_;
  Request request_ = Request::kNone;
  std::vector<Command> commands_;  ///< with a key, then one for each bookmark
  bool begin_ = false;
  bool open_ = false;
  bool to_picture_ = false;  ///< make a bookmark from the next frame
  std::optional<std::size_t> go_;
  std::optional<std::size_t> selected_;  ///< has the keyboard focus; Enter goes there
  std::optional<std::size_t> focused_;   ///< the same, while the list is drawn
  bool close_ = false;                   ///< the dialog has done its work
  std::optional<std::size_t> remove_;    ///< delete it after this frame
  std::optional<std::string> go_text_;
  bool save_position_ = false;
  std::vector<scene::Bookmark> bookmarks_;
  std::vector<ThumbnailTexture> shown_;
  std::string name_;
  std::string coordinates_;
  bool typing_ = false;  ///< coordinates are being edited
  std::string problem_;
  std::string feedback_;
  Message message_;
  std::map<std::string, Area, std::less<>> areas_;

  bool autosave_ = false;
  bool save_pending_ = false;
  bool failed_ = false;                           ///< the last attempt to save failed
  std::vector<scene::Bookmark> last_saved_;       ///< content of the file when last read or written
  Task<std::vector<scene::Bookmark>> save_task_;  ///< returns the new content of the file
};

}  // namespace loom::app::bookmarks
