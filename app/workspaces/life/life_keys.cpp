#include "app/workspaces/life/life_keys.h"

#include <GLFW/glfw3.h>

#include <array>

#include "app/exercises/exercise.h"
#include "app/shell/shortcuts.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/pane_presets.h"
#include "compute/core/input_text.h"

namespace loom::app {
namespace {

std::function<void(LifeEdit&)> choose_map(MapKind map) {
  return [=](LifeEdit& edit) { set_map(edit.settings.config, map); };
}

std::function<bool(const LifeEdit&)> runs_map(MapKind map) {
  return [=](const LifeEdit& edit) { return edit.settings.config.method.map == map; };
}

std::function<void(LifeEdit&)> unless_bounding_box(void (*change)(FractalConfig&)) {
  return [=](LifeEdit& edit) {
    FractalConfig& config = edit.settings.config;
    if (config.method.map == MapKind::kBoundingBox)
      edit.commands.problem = "The bounding box has no such setting. Press 2 for λ or 3 for compact";
    change(config);
  };
}

/// `problem`: shown at the end of the list.
std::function<void(LifeEdit&)> next_block(int direction, const char* problem) {
  return [=](LifeEdit& edit) {
    const std::uint32_t before = edit.settings.config.tile_size;
    step_tile_size(edit.settings.config, direction);
    if (edit.settings.config.tile_size == before) edit.commands.problem = problem;
  };
}

std::function<void(LifeEdit&)> next_level(int direction, const char* problem) {
  return [=](LifeEdit& edit) {
    const int before = edit.settings.config.level;
    set_level(edit.settings.config, before + direction);
    if (edit.settings.config.level == before) edit.commands.problem = problem;
  };
}

}  // namespace

Shortcuts<LifeEdit> life_shortcuts() {
  Shortcuts<LifeEdit> keys;
  keys.add({"1", "bounding box", Menu::kCompare, "Bounding box map", "first method"}, key('1'),
           choose_map(MapKind::kBoundingBox), runs_map(MapKind::kBoundingBox));
  keys.add({"2", "λ", Menu::kCompare, "Lambda map", "second method"}, key('2'), choose_map(MapKind::kLambda),
           runs_map(MapKind::kLambda));
  keys.add({"3", "compact", Menu::kCompare, "Compact map", "third method"}, key('3'),
           choose_map(MapKind::kCompact), runs_map(MapKind::kCompact));
  keys.add({"A", "next map arithmetic", Menu::kCompare, "Next map arithmetic", "arithmetic"},
           without_shift(key('a')), unless_bounding_box(next_arithmetic));
  keys.add({"I", "next intra-block mapping", Menu::kCompare, "Next intra-block mapping",
            "use of a block's threads"},
           key('i'), unless_bounding_box(next_intra_block));
  keys.add(
      {"Shift W", "write a thread map in code, and back", Menu::kLearn, "Write a thread map"},
      with_shift('w'),
      [](LifeEdit& e) {
        e.settings.show_code = !e.settings.show_code;
        e.commands.focus_code = e.settings.show_code;
      },
      [](const LifeEdit& e) { return e.settings.show_code; });
  keys.add({"W", "next workload", Menu::kSimulation, "Next workload"}, without_shift(key('w')),
           [](LifeEdit& e) { next_workload(e.settings); });
  keys.add({"[", "smaller tiles", Menu::kSimulation, "Smaller tiles"}, character('['),
           next_block(-1, "There is no smaller tile size"));
  keys.add({"]", "larger tiles", Menu::kSimulation, "Larger tiles"}, character(']'),
           next_block(+1, "No larger tile size is allowed at this level"));
  keys.add({"< or PgDn", "one level down", Menu::kSimulation, "Level down", "page down"},
           any_of(character('<'), key(GLFW_KEY_PAGE_DOWN)), next_level(-1, "Level 0 is the lowest"));
  keys.add({"> or PgUp", "one level up", Menu::kSimulation, "Level up", "page up"},
           any_of(character('>'), key(GLFW_KEY_PAGE_UP)),
           next_level(+1, "This is the highest level of the fractal"));
  keys.add(
      {"Space", "play or pause", Menu::kSimulation, "Play or pause", "play"}, key(GLFW_KEY_SPACE),
      [](LifeEdit& e) { e.settings.playing = !e.settings.playing; },
      [](const LifeEdit& e) { return e.settings.playing; });
  keys.add({".", "one generation forward (pauses)", Menu::kSimulation, "Step forward", "step forward"},
           character('.'), [](LifeEdit& e) {
             e.settings.playing = false;
             ++e.commands.step;
           });
  keys.add({",", "one generation back (pauses)", Menu::kSimulation, "Step back", "step back"}, character(','),
           [](LifeEdit& e) {
             e.settings.playing = false;
             e.commands.undo_generation = true;
           });
  keys.add({"J", "slow motion: 4, 1 or ½ generations per second", Menu::kSimulation, "Slow motion"}, key('j'),
           [](LifeEdit& e) { next_slow_motion(e.settings); });
  keys.add(
      {"Shift R", "reseed: a new random start", Menu::kSimulation, "New random start", "", Effect::kDestroys},
      with_shift('r'), [](LifeEdit& e) {
        ++e.settings.start.seed;
        e.commands.restart = true;
      });
  keys.add({"Ctrl Bksp", "clear all cells", Menu::kEdit, "Clear all cells", "", Effect::kDestroys},
           with_ctrl({GLFW_KEY_BACKSPACE}), [](LifeEdit& e) { e.commands.clear = true; });
  keys.add(
      {"E", "edit mode: the mouse paints cells", Menu::kEdit, "Edit mode"}, key('e'),
      [](LifeEdit& e) { e.settings.edit_cells = !e.settings.edit_cells; },
      [](const LifeEdit& e) { return e.settings.edit_cells; });
  const auto pattern_key = [&](const Command& command, KeyMatcher match, PatternKey what) {
    keys.add(command, std::move(match), [what](LifeEdit& e) { e.commands.pattern_key = what; });
  };
  pattern_key(
      {"Ctrl V", "paste a pattern (RLE, .cells), then place it", Menu::kEdit, "Paste pattern", "paste"},
      with_ctrl({'v'}), PatternKey::kPaste);
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
  keys.add({"Ctrl N", "Fractal editor", Menu::kFile, "Fractal editor..."}, with_ctrl({'n'}),
           [](LifeEdit& e) { e.commands.draw_fractal = true; });
  keys.add({"D", "method of the next pane; arrow keys and Space choose", Menu::kCompare, "Pane settings..."},
           key('d'), [](LifeEdit& e) {
             e.commands.pane_method = true;
             if (e.settings.secondary_panes.empty())
               e.commands.problem = "There is no second pane. V or N opens one";
           });
  keys.add(
      {"X", "explain the thread under the cursor; a click pins it", Menu::kView, "Explain thread"}, key('x'),
      [](LifeEdit& e) { e.settings.show_thread = !e.settings.show_thread; },
      [](const LifeEdit& e) { return e.settings.show_thread; });
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
    keys.add(
        {"", "write the thread map of an exercise", Menu::kExercise, one.title.c_str()},
        [](const KeyPress&) { return false; },
        [name = one.name](LifeEdit& e) {
          begin_exercise(e.settings, name);
          e.commands.focus_code = true;
        });
  }
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
    keys.add(
        {one.keys, one.meaning}, [](const KeyPress&) { return false; }, [](LifeEdit&) {});
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
      KeyHelp{"Click or drag in edit mode", "paint: the first cell flips, the rest take its state"},
      KeyHelp{"Hover", "cell, tile and thread under the cursor"},
  };
  return kGestures;
}

}  // namespace loom::app
