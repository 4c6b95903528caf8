#pragma once

#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>

#include "app/document/scene/workspace_state.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"

namespace loom::app {

/// What a scene stores of the Mandelbrot workspace.
struct MandelbrotState final : scene::WorkspaceState {
  static constexpr std::string_view kId = "mandelbrot";

  MandelbrotSettings settings = {};
  std::optional<ComplexView> view = {};             ///< empty: the default view
  std::shared_ptr<const ViewHistory> history = {};  ///< restores all views; not stored in files

  MandelbrotState() = default;
  explicit MandelbrotState(MandelbrotSettings of_settings, std::optional<ComplexView> of_view = {})
      : settings(std::move(of_settings)), view(of_view) {}

  scene::Json to_json(const scene::WriteContext& context) const override;
  std::string description() const override;
  std::string file_stem() const override { return "mandelbrot"; }
  std::vector<scene::Json> flight(glm::ivec2 size) const override;
  std::unique_ptr<scene::StateRenderer> renderer(const scene::RenderRequest& request,
                                                 ProgressMonitor* watch = nullptr) const override;

  static scene::StatePtr read(const JsonReader& json, const scene::ReadContext& context);
  static scene::Json read_place(const JsonReader& json);
  static std::string describe_place(const scene::Json& place);
};

/// The place of a bookmark, or a keyframe of a video.
struct MandelbrotPlace {
  ComplexView view;
  std::optional<std::uint32_t> dwell_limit = {};
  EscapeTimeSet set = {};
};
/// Throws InputError.
MandelbrotPlace read_mandelbrot_place(const JsonReader& json);
scene::Json to_json(const MandelbrotPlace& place);

}  // namespace loom::app
