#include <GLFW/glfw3.h>

#include <array>

#include "app/exercises/exercise.h"
#include "app/patterns/pattern.h"
#include "app/shell/shortcuts.h"
#include "app/workspaces/life/panels/life_panels.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "compute/core/input_text.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {
namespace {

// The keys of life in two and three dimensions, in the order of the menus.

template <typename Edit>
void add_map_keys(Shortcuts<Edit>& keys) {
  const auto map_key = [&](const Command& command, int code, MapKind map) {
    keys.add(
        command, key(code), [map](Edit& e) { set_map(e.settings.config, map); },
        [map](const Edit& e) { return e.settings.config.method.map == map; });
  };
  map_key({"1", "bounding box", Menu::kCompare, "Bounding box map", "first method"}, '1',
          MapKind::kBoundingBox);
  map_key({"2", "λ", Menu::kCompare, "Lambda map", "second method"}, '2', MapKind::kLambda);
  map_key({"3", "compact", Menu::kCompare, "Compact map", "third method"}, '3', MapKind::kCompact);
  const auto method_key = [&](const Command& command, KeyMatcher match, auto change) {
    keys.add(command, std::move(match), [change](Edit& e) {
      if (e.settings.config.method.map == MapKind::kBoundingBox)
        e.commands.problem = "The bounding box has no such setting. Press 2 for λ or 3 for compact";
      else
        change(e.settings.config);
    });
  };
  method_key({"A", "next map arithmetic", Menu::kCompare, "Next map arithmetic", "arithmetic"},
             without_shift(key('a')), [](auto& config) { next_arithmetic(config); });
  method_key({"I", "next intra-block mapping", Menu::kCompare, "Next intra-block mapping",
              "use of a block's threads"},
             key('i'), [](auto& config) { next_intra_block(config); });
}

/// `highest`: shown at the highest level.
template <typename Edit>
void add_field_keys(Shortcuts<Edit>& keys, const char* highest) {
  // `problem`: shown at the end of the list.
  const auto step_key = [&](const Command& command, KeyMatcher match, auto value, const char* problem) {
    keys.add(command, std::move(match), [value, problem](Edit& e) {
      const auto before = value(e.settings.config, 0);
      if (value(e.settings.config, 1) == before) e.commands.problem = problem;
    });
  };
  const auto tiles = [](int direction) {
    return [direction](auto& config, int times) {
      if (times > 0) step_tile_size(config, direction);
      return config.tile_size;
    };
  };
  const auto level = [](int direction) {
    return [direction](auto& config, int times) {
      if (times > 0) set_level(config, config.level + direction);
      return config.level;
    };
  };
  step_key({"[", "smaller tiles", Menu::kSimulation, "Smaller tiles"}, character('['), tiles(-1),
           "There is no smaller tile size");
  step_key({"]", "larger tiles", Menu::kSimulation, "Larger tiles"}, character(']'), tiles(+1),
           "No larger tile size is allowed at this level");
  step_key({"< or PgDn", "one level down", Menu::kSimulation, "Level down", "page down"},
           any_of(character('<'), key(GLFW_KEY_PAGE_DOWN)), level(-1), "Level 0 is the lowest");
  step_key({"> or PgUp", "one level up", Menu::kSimulation, "Level up", "page up"},
           any_of(character('>'), key(GLFW_KEY_PAGE_UP)), level(+1), highest);
  keys.add_switch({"Space", "play or pause", Menu::kSimulation, "Play or pause", "play"}, key(GLFW_KEY_SPACE),
                  &decltype(Edit::settings)::playing);
  keys.add({".", "one generation forward (pauses)", Menu::kSimulation, "Step forward", "step forward"},
           character('.'), [](Edit& e) {
             e.settings.playing = false;
             ++e.commands.step;
           });
}

template <typename Edit>
void add_reseed_key(Shortcuts<Edit>& keys) {
  keys.add({"Shift R", "random start with the next seed", Menu::kSimulation, "Reseed", "", Effect::kDestroys},
           with_shift('r'), [](Edit& e) {
             ++e.settings.start.seed;
             e.commands.restart = true;
           });
}

template <typename Edit>
void add_edit_key(Shortcuts<Edit>& keys, const char* meaning) {
  keys.add_switch({"E", meaning, Menu::kEdit, "Edit mode"}, key('e'), &decltype(Edit::settings)::edit_cells);
}

template <typename Edit>
void add_explain_key(Shortcuts<Edit>& keys, const char* meaning) {
  keys.add_switch({"X", meaning, Menu::kView, "Explain thread"}, key('x'),
                  &decltype(Edit::settings)::show_thread);
}

template <typename Edit>
void add_editor_key(Shortcuts<Edit>& keys) {
  keys.add({"Ctrl N", "Fractal editor", Menu::kFile, "Fractal editor..."}, with_ctrl({'n'}),
           [](Edit& e) { e.commands.draw_fractal = true; });
}

}  // namespace

Shortcuts<LifeEdit> life_shortcuts() {
  Shortcuts<LifeEdit> keys;
  add_map_keys(keys);
  keys.add(
      {"Shift W", "write a thread map in code, and back", Menu::kLearn, "Write a thread map", "code editor"},
      with_shift('w'),
      [](LifeEdit& e) {
        e.settings.show_code = !e.settings.show_code;
        e.commands.focus_code = e.settings.show_code;
      },
      [](const LifeEdit& e) { return e.settings.show_code; });
  keys.add({"W", "next workload", Menu::kSimulation, "Next workload"}, without_shift(key('w')),
           [](LifeEdit& e) { next_workload(e.settings); });
  add_field_keys(keys, "This is the highest level of the fractal");
  keys.add({",", "one generation back (pauses)", Menu::kSimulation, "Step back", "step back"}, character(','),
           [](LifeEdit& e) {
             e.settings.playing = false;
             e.commands.undo_generation = true;
           });
  keys.add({"J", "slow motion: 4, 1 or ½ generations per second", Menu::kSimulation, "Slow motion"}, key('j'),
           [](LifeEdit& e) { next_slow_motion(e.settings); });
  add_reseed_key(keys);
  keys.add({"Ctrl Bksp", "clear all cells", Menu::kEdit, "Clear all cells", "", Effect::kDestroys},
           with_ctrl({GLFW_KEY_BACKSPACE}), [](LifeEdit& e) { e.commands.clear = true; });
  add_edit_key(keys, "edit mode: the mouse paints cells");
  const auto pattern_key = [&](const Command& command, KeyMatcher match, PatternKey what) {
    keys.add(command, std::move(match), [what](LifeEdit& e) { e.commands.pattern_key = what; });
  };
  pattern_key(
      {"Ctrl V", "paste a pattern (RLE, .cells), then place it", Menu::kEdit, "Paste pattern", "paste"},
      with_ctrl({'v'}), PatternKey::kPaste);
  keys.add({"", "bundled patterns with their pictures, by words or from a list", Menu::kEdit, "Patterns..."},
           no_key(), [](LifeEdit& e) { e.commands.browse_patterns = true; });
  pattern_key({"Enter", "place the pattern, or pin the thread at the picture's cursor (F10)", Menu::kEdit,
               "Place pattern", "confirm"},
              any_of(key(GLFW_KEY_ENTER), key(GLFW_KEY_KP_ENTER)), PatternKey::kPlace);
  pattern_key({"Ctrl A", "select all cells", Menu::kEdit, "Select all cells"}, with_ctrl({'a'}),
              PatternKey::kSelectAll);
  pattern_key({"Ctrl C", "copy the selection as RLE", Menu::kEdit, "Copy"}, without_shift(with_ctrl({'c'})),
              PatternKey::kCopy);
  pattern_key({"Ctrl X", "cut the selection", Menu::kEdit, "Cut", "", Effect::kDestroys}, with_ctrl({'x'}),
              PatternKey::kCut);
  pattern_key({"Ctrl Del", "clear the selection", Menu::kEdit, "Clear selection", "", Effect::kDestroys},
              with_ctrl({GLFW_KEY_DELETE}), PatternKey::kClear);
  keys.add({"G", "grids of cells and tiles", Menu::kView, "Cell and tile grids", "grid"}, key('g'),
           [](LifeEdit& e) {
             const bool on = !(e.settings.cell_grid || e.settings.tile_grid);
             e.settings.cell_grid = e.settings.tile_grid = on;
           });
  keys.add({"S", "teaching example: low level, small tiles, grids", Menu::kLearn, "Teaching example"},
           key('s'), [](LifeEdit& e) {
             set_teaching_example(e.settings);
             e.shell.view.fit = true;
           });
  const auto pane_key = [&](const Command& command, KeyMatcher match, PaneContent content) {
    keys.add(
        command, std::move(match), [content](LifeEdit& e) { toggle_pane(e.settings, content); },
        [content](const LifeEdit& e) { return shows_pane(e.settings, content); });
  };
  pane_key({"Shift T", "metrics of the three maps, and back", Menu::kCompare, "Map metrics"}, with_shift('t'),
           PaneContent::kMapMetrics);
  pane_key({"Shift M", "race: the three maps at rising levels, and back", Menu::kCompare, "Race maps"},
           with_shift('m'), PaneContent::kRace);
  keys.add({"V", "the three maps side by side, and back", Menu::kCompare, "Compare maps", "compare"},
           without_shift(key('v')), [](LifeEdit& e) {
             const PanePreset preset =
                 e.settings.secondary_panes.empty() ? PanePreset::kMaps : PanePreset::kSingle;
             set_panes(e.settings, preset);
           });
  keys.add({"U", "launch and memory: cells, threads, memory, steps", Menu::kView, "Launch and memory"},
           key('u'), [](LifeEdit& e) {
             const bool shown = e.settings.secondary_panes.size() == 3 &&
                                e.settings.secondary_panes[0].shows == PaneContent::kThreads;
             set_panes(e.settings, shown ? PanePreset::kSingle : PanePreset::kLaunchAndMemory);
           });
  keys.add({"Q", "timeline of a launch, and back", Menu::kView, "Timeline"}, key('q'), [](LifeEdit& e) {
    const bool shown = e.settings.secondary_panes.size() == 1 &&
                       e.settings.secondary_panes[0].shows == PaneContent::kTimeline;
    set_panes(e.settings, shown ? PanePreset::kSingle : PanePreset::kTimeline);
  });
  keys.add({"F5", "Show me: from the bounding box to compact, in one minute", Menu::kLearn, "Show me"},
           key(GLFW_KEY_F5), [](LifeEdit& e) { e.commands.show_me = true; });
  keys.add({"N", "pin this method as a pane", Menu::kCompare, "Pin as pane"}, key('n'), [](LifeEdit& e) {
    if (e.settings.secondary_panes.size() + 1 == kMaxPanes)
      e.commands.problem = "There are four panes already. Close one first";
    pin_as_pane(e.settings);
  });
  keys.add({"Ctrl E", "export a figure of what a pane shows", Menu::kFile, "Export figure..."},
           with_ctrl({'e'}), [](LifeEdit& e) { e.commands.save_figure = 0; });
  add_editor_key(keys);
  keys.add({"D", "method of the next pane; arrow keys and Space choose", Menu::kCompare, "Pane settings..."},
           key('d'), [](LifeEdit& e) {
             e.commands.pane_method = true;
             if (e.settings.secondary_panes.empty())
               e.commands.problem = "There is no second pane. V or N opens one";
           });
  add_explain_key(keys, "explain the thread under the cursor; a click pins it");
  keys.add({"C", "colour by tile, thread, warp, address ...", Menu::kView, "Next colouring"}, key('c'),
           [](LifeEdit& e) {
             explain::Colouring& colouring = e.settings.colouring;
             do {
               colouring.by = next_choice(explain::kColourings, colouring.by);
             } while (!no_colouring_reason(e.settings, colouring.by).empty());
           });
  keys.add({"K", "benchmark all maps, and loop, back to back", Menu::kCompare, "Benchmark maps", "benchmark"},
           without_shift(key('k')), measure_maps);
  for (const BundledExercise& one : bundled_exercises()) {
    keys.add({"", "write the thread map of an exercise", Menu::kExercise, one.title.c_str()}, no_key(),
             [name = one.name](LifeEdit& e) {
               begin_exercise(e.settings, name);
               e.commands.focus_code = true;
             });
  }
  for (const NbbFractal& fractal : built_in_fractals()) {
    keys.add({"", "select this fractal", Menu::kFractal, fractal.name().c_str()}, no_key(),
             [&fractal](LifeEdit& e) { e.commands.chosen_level = set_fractal(e.settings.config, fractal); });
  }
  for (const patterns::BundledPattern& one : patterns::bundled_patterns()) {
    keys.add({"", "load this pattern with its fractal and rule", Menu::kPattern, one.name.c_str()}, no_key(),
             [&one](LifeEdit& e) { e.commands.show_pattern = one.name; });
  }
  static constexpr std::array kSettings = {
      std::pair{"Fractal", Control::kFractal},
      std::pair{"Level", Control::kLevel},
      std::pair{"Map", Control::kMap},
      std::pair{"Tile size ρ", Control::kBlock},
      std::pair{"Rule", Control::kRule},
      std::pair{"Density and seed of the random start", Control::kStart},
      std::pair{"Workload", Control::kWorkload},
      std::pair{"Map arithmetic", Control::kArithmetic},
      std::pair{"Intra-block mapping", Control::kIntraBlock},
      std::pair{"Tiles per thread block", Control::kTiles},
      std::pair{"Halo", Control::kHalo},
      std::pair{"Panes", Control::kPanes},
      std::pair{"Grids", Control::kGrids},
  };
  add_settings<LifeEdit>(keys, kSettings);
  // Keys of the map editor, which has them before this table: for the list of keys.
  static constexpr std::array kStepKeys = {
      KeyHelp{"F11, F10", "map editor: step into, step over"},
      KeyHelp{"Shift F11", "map editor: step out, to the caller"},
      KeyHelp{"Shift F10", "map editor: one statement back"},
      KeyHelp{"Ctrl F10", "map editor: run to the cursor"},
      KeyHelp{"F5, Shift F5", "map editor: continue to a breakpoint, stop"},
      KeyHelp{"F9", "map editor: breakpoint at the line of the cursor"},
  };
  for (const KeyHelp& one : kStepKeys) {
    keys.add({one.keys, one.meaning}, no_key(), [](LifeEdit&) {});
  }
  return keys;
}

std::span<const KeyHelp> life_gestures() {
  static constexpr std::array kGestures = {
      KeyHelp{"Wheel", "zoom at the cursor"},
      KeyHelp{"Drag", "move the picture"},
      KeyHelp{"Right or middle drag", "move the picture, in edit mode too"},
      KeyHelp{"Shift + drag", "zoom into a box"},
      KeyHelp{"Ctrl + drag", "select cells; commands appear below the picture"},
      KeyHelp{"Ctrl + hold", "zoom in while held; with the right button, zoom out"},
      KeyHelp{"Click", "pin a cell and explain its thread; Esc unpins"},
      KeyHelp{"Click or drag in edit mode", "paint: the first cell flips, the rest take its state"},
      KeyHelp{"Hover", "cell, tile and thread under the cursor"},
  };
  return kGestures;
}

Shortcuts<SolidSceneEdit> solid_shortcuts() {
  Shortcuts<SolidSceneEdit> keys;
  add_map_keys(keys);
  add_field_keys(keys, "This is the highest level that has a picture");
  add_reseed_key(keys);
  keys.add_switch(
      {"\\", "living cells only, or all cells", Menu::kView, "Living cells only"}, character('\\'),
      [](auto& settings) -> auto& { return settings.look.living_only; });
  keys.add(
      {"/", "cut plane: none, x, y, z", Menu::kView, "Next cut plane"}, character('/'),
      [](SolidSceneEdit& e) { e.settings.look.cut_axis = next_choice(kCutAxes, e.settings.look.cut_axis); });
  keys.add_switch({"V", "the three maps side by side, and back", Menu::kCompare, "Compare maps", "compare"},
                  without_shift(key('v')), &SolidSettings::compare);
  keys.add({"C", "colour by state, tile, thread, warp, address", Menu::kView, "Next colouring"}, key('c'),
           [](SolidSceneEdit& e) {
             e.settings.look.colouring = next_choice(kSolidColourings, e.settings.look.colouring);
           });
  keys.add_switch(
      {"G", "empty tiles as translucent boxes", Menu::kView, "Empty tiles", "grid"}, key('g'),
      [](auto& settings) -> auto& { return settings.look.empty_tiles; });
  add_explain_key(keys, "explain the thread of the selected cell; a click pins it");
  add_editor_key(keys);
  add_edit_key(keys, "edit mode: a click changes the state of a cell");
  return keys;
}

std::span<const KeyHelp> solid_gestures() {
  static constexpr std::array kGestures = {
      KeyHelp{"Drag", "turn the fractal"},
      KeyHelp{"Right or middle drag, Shift + drag", "move the picture"},
      KeyHelp{"Click", "pin a cell; in edit mode, change its state"},
      KeyHelp{"Esc", "unpin"},
      KeyHelp{"Wheel", "zoom at the cursor"},
      KeyHelp{"Ctrl + wheel", "move the cut plane"},
  };
  return kGestures;
}

}  // namespace loom::app
