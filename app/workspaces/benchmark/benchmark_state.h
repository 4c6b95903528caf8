#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/bench/plan.h"
#include "app/document/scene/workspace_state.h"
#include "app/workspaces/benchmark/bench_session.h"

namespace loom::app {

/// The axes of a sweep as the user typed them, valid or not.
struct SweepTexts {
  std::string preset;  ///< preset of the texts; empty for none
  bench::SweepKind kind = bench::SweepKind::kMaps;
  bench::AxisTexts axes = {};
  float max_seconds = 2;  ///< as in bench::SweepForm
};

/// What a scene stores of the Benchmark workspace: the sweep. Results have files of their own.
struct BenchmarkState final : scene::WorkspaceState {
  static constexpr std::string_view kId = "benchmark";

  std::optional<SweepTexts> sweep = {};                            ///< empty: the sweep around the scene
  std::shared_ptr<const BenchSession::Picture> picture = nullptr;  ///< the plot, for images; not stored

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

scene::Json to_json(const SweepTexts& sweep);
/// Throws InputError for members that are not texts of axes.
SweepTexts read_sweep(const JsonReader& json);

}  // namespace loom::app
