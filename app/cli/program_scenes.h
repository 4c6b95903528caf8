#pragma once

#include <optional>

#include "app/cli/program.h"
#include "app/places/window/places.h"
#include "app/scene/window/scene_stage.h"

namespace loom::app {

/// The window program as scenes see it: both workspaces, whichever is shown.
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
  bool cells_changed() const override { return application_.undo().changed_cells(); }
  scene::CheckRoom room() const override;

  /// Where the places of scenes come from and go to.
  void set_places(places::Places& places) { places_ = &places; }

  /// The whole scene at once: what is under way ends first. Fields of more than kMostSavedAtOnce cells are
  /// kept as what the host knows of them, from which they begin.
  scene::Scene whole();
  /// The same after a device has failed: no engine is asked.
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
