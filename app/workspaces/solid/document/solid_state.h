#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/document/scene/workspace_state.h"
#include "app/workspaces/solid/scene/solid_settings.h"

namespace loom::app {

/// What a scene stores of the 3-D workspace. Its cells begin with the start of the settings.
struct SolidState final : scene::WorkspaceState {
  static constexpr std::string_view kId = "solid";

  SolidSettings settings = default_solid_settings();
  SolidCamera camera = {};
  CellSourceOf<3> cells{settings.start};

  scene::Json to_json(const scene::WriteContext& context) const override;
  std::string description() const override;
  std::string file_stem() const override;
  bool has_turntable() const override { return true; }
  std::unique_ptr<scene::StateRenderer> renderer(const scene::RenderRequest& request,
                                                 ProgressMonitor* watch = nullptr) const override;

  static scene::StatePtr read(const JsonReader& json, const scene::ReadContext& context);
  static scene::Json read_place(const JsonReader& json);
  static std::string describe_place(const scene::Json& place);
};

/// A camera as JSON: the place of a bookmark. The reader throws InputError.
scene::Json to_json(const SolidCamera& camera);
SolidCamera read_camera(const JsonReader& json);
/// The camera on the way through keyframes, at time 0 the first and at 1 the last.
SolidCamera camera_between(std::span<const SolidCamera> keyframes, float time);

}  // namespace loom::app
