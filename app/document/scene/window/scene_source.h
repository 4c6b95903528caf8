#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/document/scene/scene_file.h"
#include "app/shell/application.h"

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

}  // namespace loom::app::scene
