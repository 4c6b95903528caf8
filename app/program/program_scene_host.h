#pragma once

#include <optional>

#include "app/document/bookmarks/window/bookmark_manager.h"
#include "app/document/scene/window/scene_host.h"
#include "app/program/program.h"

namespace loom::app {

/// Connects scene files with the program: both workspaces, whichever is active.
class ProgramSceneHost final : public scene::SceneHost {
 public:
  ProgramSceneHost(Application& application, LifeWorkspace& life, MandelbrotWorkspace& mandelbrot)
      : application_(application), life_(life), mandelbrot_(mandelbrot) {}

  scene::Scene describe() const override;
  void request_cells() override;
  bool asked() const override;
  std::optional<FieldCells> advance() override;
  void show(const scene::Scene& scene, ShellEdit& shell) override;
  bool is_asset(const std::filesystem::path& file) const override;
  void open_asset(const std::filesystem::path& file, ShellEdit& shell) override;
  UndoHistory& undo() override { return application_.undo(); }
  scene::CapacityCheck capacity_check() const override;

  /// Sets the bookmarks that scenes contain.
  void set_bookmarks(bookmarks::BookmarkManager& bookmarks) { bookmarks_ = &bookmarks; }

  /// The whole scene immediately; running work ends first. Fields of more than kMaxCellsSaved cells are
  /// described by the cells known to the host: a snapshot, or the start.
  scene::Scene whole();
  /// The scene after a device failure: uses no engine.
  scene::Scene without_engines() const;
  static constexpr std::uint64_t kMaxCellsSaved = std::uint64_t{1} << 27;

 private:
  FieldCells known_cells() const;
  Application& application_;
  LifeWorkspace& life_;
  MandelbrotWorkspace& mandelbrot_;
  bookmarks::BookmarkManager* bookmarks_ = nullptr;
};

}  // namespace loom::app
