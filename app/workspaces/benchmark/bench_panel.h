#pragma once

#include <glm/vec2.hpp>
#include <map>
#include <optional>
#include <string>

#include "app/bench/sweep.h"
#include "app/gui/layout.h"
#include "app/workspaces/benchmark/bench_session.h"

namespace loom::app {

/// The scene around which a sweep is suggested.
struct BenchScene {
  const FractalConfig& config;
  LifeRule rule = {};
  RandomStart start = {};
  BackendChoice backend = BackendChoice::kAuto;
  int device = 0;                              ///< CUDA ordinal
  const NbbFractal* custom_fractal = nullptr;  ///< a custom fractal; null if there is none
};

/// A typed file name and the outcome of saving to it.
struct SaveField {
  std::string file;
  std::string saved;    ///< success message
  std::string problem;  ///< reason of a failure
  bool there_already = false;
};

/// State of the panel between frames, besides the session.
struct BenchPanelState {
  bool loaded = false;                 ///< the form was initialised
  std::optional<double> seconds = {};  ///< estimated duration of the sweep of the form
  SaveField opened;
  SaveField compared;
  SaveField results;
  SaveField figure;
  // Areas of the controls in window units, for tests; empty while not shown.
  std::map<std::string, Area, std::less<>> areas = {};
  std::optional<glm::vec2> last_point = {};
};

/// Fills the form with a preset, or with the sweep around the scene if the name is empty.
void load_sweep(BenchPanelState& state, BenchSession& session, const std::string& preset,
                const BenchScene& scene);

/// Reads the form after a change of its texts or its time limit.
void check_form(BenchPanelState& state, BenchSession& session, const BenchScene& scene);

/// Starts the sweep of the form, which must be ready, and suggests names for its files.
void start_sweep(BenchPanelState& state, BenchSession& session, const BenchScene& scene);

/// Draws the controls of a sweep: start and stop, progress, axes, files. The caller clears `state.areas` in
/// each frame.
void bench_panel(BenchPanelState& state, BenchSession& session, const BenchScene& scene);

}  // namespace loom::app
