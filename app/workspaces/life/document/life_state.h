#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/document/scene/workspace_state.h"
#include "app/workspaces/life/scene/cell_source.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_view.h"

namespace loom::app {

/// What a scene stores of the Life workspace.
struct LifeState final : scene::WorkspaceState {
  static constexpr std::string_view kId = "life";

  LifeSettings settings = default_life_settings();
  CellSource cells{settings.start};               ///< without edits, of the fractal and level in `settings`
  std::optional<render::Camera::View> view = {};  ///< empty: the whole field, fitted

  LifeState() = default;
  LifeState(LifeSettings of_settings, CellSource of_cells, std::optional<render::Camera::View> of_view = {})
      : settings(std::move(of_settings)), cells(std::move(of_cells)), view(of_view) {}

  scene::Json to_json(const scene::WriteContext& context) const override;
  std::string description() const override;
  std::string file_stem() const override;
  std::string overlays_left_out() const override;
  std::unique_ptr<scene::StateRenderer> renderer(const scene::RenderRequest& request,
                                                 ProgressMonitor* watch = nullptr) const override;

  static scene::StatePtr read(const JsonReader& json, const scene::ReadContext& context);
  static scene::Json read_place(const JsonReader& json);
  static std::string describe_place(const scene::Json& place);
};

/// The place of a bookmark: a view of the cells of a fractal.
struct LifePlace {
  NbbFractal fractal;
  int level = 0;
  std::optional<render::Camera::View> view = {};  ///< empty: the whole field
};
/// Throws InputError.
LifePlace read_life_place(const JsonReader& json);
scene::Json to_json(const LifePlace& place);
/// "sierpinski-gasket, level 9, region"
std::string describe(const LifePlace& place);

/// Cells per compressed part; a multiple of 8.
inline constexpr std::uint64_t kPackedCells = std::uint64_t{1} << 26;

/// One Zstandard frame (RFC 8878) with checksum per kPackedCells cells, one after another. Throws
/// OperationCancelled, std::bad_alloc.
std::string pack(const CellBits& bits, ProgressMonitor* watch = nullptr);

/// Unpacks the bits of `count` cells. Never allocates more than the cells need, whatever a frame claims.
/// Throws InputError with the fault, OperationCancelled, std::bad_alloc.
CellBits unpack(std::string_view frames, std::uint64_t count, std::uint32_t planes = 1,
                ProgressMonitor* watch = nullptr);

}  // namespace loom::app
