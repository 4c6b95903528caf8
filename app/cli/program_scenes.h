#pragma once

#include <optional>

#include "app/cli/program.h"
#include "app/places/window/places.h"
#include "app/scene/window/scene_stage.h"

namespace loom::app {

/// Connects scene files with the program: both workspaces, whichever is active.
class ProgramScenes final : public scene::SceneStage {
 public:
  ProgramScenes(Application& application, LifeWorkspace& life, MandelbrotWorkspace& mandelbrot)
      : application_(application), life_(life), mandelbrot_(mandelbrot) {}

  scene::Scene describe() const override;
  void ask_for_cells() override;
  bool asked() const override;
  std::optional<FieldCells> advance() override;
  void show(const scene::Scene& scene, ShellEdit& shell) override;
  bool is_part(const std::filesystem::path& file) const override;
  void open_part(const std::filesystem::path& file, ShellEdit& shell) override;
  UndoHistory& undo() override { return application_.undo(); }
  scene::CheckRoom room() const override;

  /// Sets the bookmarks that scenes contain.
  void set_places(places::Places& places) { places_ = &places; }

  /// The whole scene immediately; running work ends first. For fields of more than kMostSavedAtOnce cells it
  /// contains the cells known to the host, which are those of the start.
  scene::Scene whole();
  /// The same after a device failure: uses no engine.
  scene::Scene without_engines() const;
  static constexpr std::uint64_t kMostSavedAtOnce = std::uint64_t{1} << 27;

 private:
  FieldCells known_cells() const;
  Application& application_;
  LifeWorkspace& life_;
  MandelbrotWorkspace& mandelbrot_;
  places::Places* places_ = nullptr;
};

}  // namespace loom::app
