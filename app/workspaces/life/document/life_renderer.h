#pragma once

#include <memory>

#include "app/workspaces/life/document/life_rows.h"
#include "app/workspaces/life/document/life_state.h"

namespace loom::app {

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
  /// The cells, for a scene; `before` are the initial ones.
  FieldCells field_cells(const FieldCells& before) const;

 private:
  Work work_;
  std::uint32_t generations_per_frame_;
  std::unique_ptr<FractalEngine> engine_;
  std::unique_ptr<image::ImageRows> rows_;
  std::unique_ptr<image::ImageRows> coloured_;  ///< colours over the cells, or null
};

}  // namespace loom::app
