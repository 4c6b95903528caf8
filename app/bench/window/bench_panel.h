#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>

#include "app/bench/sweep.h"
#include "app/bench/window/bench_session.h"
#include "app/gui/layout.h"

namespace loom::app {

/// What the panel knows of the scene beside it.
struct BenchScene {
  const FractalConfig& config;
  LifeRule rule = {};
  RandomStart start = {};
  BackendChoice backend = BackendChoice::kAuto;
  int device = 0;                           ///< CUDA ordinal
  const NbbFractal* own_fractal = nullptr;  ///< one beside the catalogue's; null if there is none
  bool plays = false;                       ///< generations are played, unless a sweep holds the scene
};

/// What the user asked the panel for in one frame that others must do.
struct BenchWishes {
  bool close = false;                    ///< hide the panel, which pauses its sweep
  std::optional<bench::Case> show = {};  ///< make this measured configuration the scene's
};

/// A file name that the user types, and how saving to it went.
struct SaveField {
  std::string file;
  std::string saved;    ///< what was written; empty before
  std::string problem;  ///< why it was not
  bool there_already = false;
};

/// What the panel remembers between frames beside the session.
struct BenchPanelState {
  bool loaded = false;  ///< the form has had its first texts
  bool form_open = true;
  bool tall = true;  ///< enough for the open form and what is below it
  Area area = {};    ///< that the panel was fitted to
  SaveField opened;
  SaveField results;
  SaveField figure;
  // Where things are, for tests: in window units, empty while not shown.
  std::map<std::string, Area, std::less<>> places = {};
  std::optional<std::array<float, 2>> last_point = {};
};

/// Fills the form with a preset, or for an empty name with the sweep around the scene.
void load_sweep(BenchPanelState& state, BenchSession& session, const std::string& preset,
                const BenchScene& scene);

/// Starts the sweep of the form, which must be ready, and suggests names for its files.
void start_sweep(BenchPanelState& state, BenchSession& session, const BenchScene& scene);

/// The Bench panel over `area`: the sweep's axes, its progress, its figure. While it is not shown, `places`
/// of the state is its caller's to clear.
void bench_panel(BenchPanelState& state, BenchSession& session, const Area& area, const BenchScene& scene,
                 BenchWishes& wishes);

}  // namespace loom::app
