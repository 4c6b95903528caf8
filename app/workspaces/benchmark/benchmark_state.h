#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/bench/plan.h"
#include "app/document/scene/workspace_state.h"
#include "app/workspaces/benchmark/bench_session.h"

namespace loom::app {

/// What a scene stores of the Benchmark workspace: the sweep. Results have files of their own.
struct BenchmarkState final : scene::WorkspaceState {
  static constexpr std::string_view kId = "benchmark";

  std::optional<bench::SweepTexts> sweep = {};            ///< empty: the sweep around the scene
  std::shared_ptr<const plot::Figure> picture = nullptr;  ///< the plot, for images; not stored

  scene::Json to_json(const scene::WriteContext& context) const override;
  std::string description() const override;
  std::string file_stem() const override { return "benchmark"; }
  /// Draws the plot. Throws InputError if there is none.
  std::unique_ptr<scene::StateRenderer> renderer(const scene::RenderRequest& request,
                                                 ProgressMonitor* watch = nullptr) const override;

  static scene::StatePtr read(const JsonReader& json, const scene::ReadContext& context);
  static scene::Json read_place(const JsonReader& json);
  static std::string describe_place(const scene::Json& place);
};

scene::Json to_json(const bench::SweepTexts& sweep);
/// Throws InputError for members that are not texts of axes.
bench::SweepTexts read_sweep(const JsonReader& json);

}  // namespace loom::app
