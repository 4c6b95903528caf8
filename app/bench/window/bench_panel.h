#pragma once

#include <glm/vec2.hpp>
#include <map>
#include <optional>
#include <string>

#include "app/bench/sweep.h"
#include "app/bench/window/bench_session.h"
#include "app/gui/layout.h"

namespace loom::app {

/// The data of the scene that the panel uses.
struct BenchScene {
  const FractalConfig& config;
  LifeRule rule = {};
  RandomStart start = {};
  BackendChoice backend = BackendChoice::kAuto;
  int device = 0;                              ///< CUDA ordinal
  const NbbFractal* custom_fractal = nullptr;  ///< a custom fractal; null if there is none
  bool plays = false;                          ///< the simulation runs, unless a sweep pauses it
};

/// Requests of the panel in one frame, for its caller.
struct BenchRequests {
  bool close = false;                    ///< hide the panel, which pauses its sweep
  std::optional<bench::Case> show = {};  ///< apply this measured configuration to the scene
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
  bool loaded = false;  ///< the form was initialised
  bool form_open = true;
  bool tall = true;  ///< high enough for the open form and the plot
  Area area = {};    ///< area that the panel was fitted to
  SaveField opened;
  SaveField results;
  SaveField figure;
  // Areas of the controls in window units, for tests; empty while not shown.
  std::map<std::string, Area, std::less<>> areas = {};
  std::optional<glm::vec2> last_point = {};
};

/// Fills the form with a preset, or with the sweep around the scene if the name is empty.
void load_sweep(BenchPanelState& state, BenchSession& session, const std::string& preset,
                const BenchScene& scene);

/// Starts the sweep of the form, which must be ready, and suggests names for its files.
void start_sweep(BenchPanelState& state, BenchSession& session, const BenchScene& scene);

/// Draws the Benchmark panel over `area`: axes, progress, plot. While it is not shown, the caller clears
/// `state.areas`.
void bench_panel(BenchPanelState& state, BenchSession& session, const Area& area, const BenchScene& scene,
                 BenchRequests& requests);

}  // namespace loom::app
