#pragma once

#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/image/image.h"
#include "app/document/scene/workspace_state.h"
#include "app/explain/colour_by.h"
#include "app/explain/space_layout.h"
#include "app/workspaces/life/scene/cell_source.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_view.h"
#include "compute/engine/fractal_config.h"
#include "compute/engine/fractal_engine.h"
#include "render/camera.h"
#include "render/palette.h"

namespace loom::app {

/// What a scene stores of the Life workspace.
struct LifeState final : scene::WorkspaceState {
  static constexpr std::string_view kId = "life";

  LifeSettings settings = default_life_settings();
  CellSource cells{settings.start};               ///< without edits, of the fractal and level in `settings`
  std::optional<render::Camera::View> view = {};  ///< empty: the whole field, fitted
  /// Of `cells`, so that they need not be recomputed; not stored in files. Null: they are recomputed.
  std::shared_ptr<const CellBits> bits = {};

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

/// The cells of an engine without overlays, with the values and colours of the window.
class LifeRows final : public image::ImageRows {
 public:
  /// `camera` belongs to the field of the engine and the size of the image. `engine` must outlive this
  /// object; its cells may change between images.
  /// `states` as in Viewport.
  LifeRows(FractalEngine& engine, const render::Camera& camera, const render::Palette& palette,
           std::uint32_t states = 2);
  glm::ivec2 size() const override { return size_; }
  void rows(int first, int count, std::vector<std::uint8_t>& rgb, ProgressMonitor* watch) override;

 private:
  FractalEngine& engine_;
  glm::ivec2 size_{0};
  render::Rect<int> field_;  ///< area of the square
  glm::u8vec3 outside_{0};
  std::vector<std::int64_t> y_edges_;
  Viewport band_;
  std::vector<glm::u8vec3> colours_;  ///< colour of each value
};

/// Draws the cells of a state with an engine of its own.
class LifeRenderer final : public scene::StateRenderer {
 public:
  /// Creates the engine and its cells; `watch` may cancel this. Throws InputError, CapacityError,
  /// MachineError, OperationCancelled.
  LifeRenderer(const LifeState& state, const scene::RenderRequest& request, ProgressMonitor* watch = nullptr);
  ~LifeRenderer() override;

  image::ImageRows& rows() override;
  void show_frame(int frame, int frames, ProgressMonitor* watch) override;
  /// Runs this number of generations. Throws OperationCancelled.
  void step(std::uint32_t times, ProgressMonitor* watch = nullptr);
  std::uint64_t generation() const { return engine_->generation(); }
  std::uint64_t cells() const { return engine_->cell_count(); }
  /// The cells, for a scene.
  CellSource scene_cells() const { return saved_cells(*engine_, cells_); }

 private:
  Work work_;
  CellSource cells_;
  std::uint32_t generations_per_frame_;
  std::unique_ptr<FractalEngine> engine_;
  std::unique_ptr<image::ImageRows> rows_;
  std::unique_ptr<image::ImageRows> coloured_;  ///< colours over the cells, or null
};

/// An image of cells coloured by tile, thread, address and so on, as in the window: each pixel has the colour
/// of the point under its centre, and living cells shine through.
class ColouredRows final : public image::ImageRows {
 public:
  /// Whether the colouring of a scene can be drawn: the map has tiles, and a recording belongs to it.
  static bool can_draw(const FractalConfig& config, const explain::Colouring& colouring);

  /// `cells` is the image of a field of `config` seen by `camera`, and must outlive this object.
  ColouredRows(image::ImageRows& cells, const FractalConfig& config, const explain::Colouring& colouring,
               const render::Camera& camera);
  glm::ivec2 size() const override { return cells_.size(); }
  void rows(int first, int count, std::vector<std::uint8_t>& rgb, ProgressMonitor* watch) override;

 private:
  struct Layout {
    explicit Layout(const FractalConfig& config);
    explain::ThreadSpace threads;
    explain::SpaceLayout cells;
  };
  void find_row(std::size_t row);

  image::ImageRows& cells_;
  std::unique_ptr<const Layout> layout_;
  explain::Colouring colouring_;
  std::vector<std::int64_t> x_edges_;
  std::vector<std::int64_t> y_edges_;
  std::vector<glm::u8vec4> row_;  ///< colour over each pixel; alpha 0 for none
  std::int64_t row_y_ = -1;       ///< the row of points in row_
};

}  // namespace loom::app
