#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>

#include "app/bench/window/bench_session.h"
#include "app/gui/layout.h"
#include "app/life/scene/life_facts.h"
#include "app/shell/edit.h"

namespace loom::app {

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
  SaveField results;
  SaveField figure;
  // Where things are, for tests: in window units, empty while not shown.
  std::map<std::string, Area, std::less<>> places = {};
  std::optional<std::array<float, 2>> last_point = {};
};

/// Fills the form with a preset, or for an empty name with the sweep around the scene.
void load_sweep(BenchPanelState& state, BenchSession& session, const std::string& preset,
                const Settings& settings, const NbbFractal* own_fractal);

/// Starts the sweep of the form, which must be ready, and suggests names for its files.
void start_sweep(BenchPanelState& state, BenchSession& session, const Settings& settings);

/// The Bench panel over `area`: the sweep's axes, its progress, its figure. `own_fractal` is one beside the
/// catalogue's, null if there is none.
void bench_panel(BenchPanelState& state, BenchSession& session, const Area& area, Edit& edit,
                 const NbbFractal* own_fractal);

}  // namespace loom::app
