#include "app/life/life_keys.h"

#include <GLFW/glfw3.h>

#include <array>

#include "app/life/scene/device_share.h"
#include "app/life/scene/pane_presets.h"
#include "app/life/scene/setting_steps.h"
#include "app/shell/key_match.h"
#include "compute/core/named_choice.h"

namespace loom::app {
namespace {

std::function<void(LifeEdit&)> choose_map(MapKind map) {
  return [=](LifeEdit& edit) { set_map(edit.settings.config, map); };
}

std::function<void(LifeEdit&)> unless_bounding_box(void (*change)(FractalConfig&)) {
  return [=](LifeEdit& edit) {
    FractalConfig& config = edit.settings.config;
    if (config.method.map == MapKind::kBoundingBox)
      edit.commands.why_not = "The bounding box has no such choice; press 2 for λ or 3 for compact";
    change(config);
  };
}

/// `why_not` is said at the end of the list.
std::function<void(LifeEdit&)> next_block(int direction, const char* why_not) {
  return [=](LifeEdit& edit) {
    const std::uint32_t before = edit.settings.config.block;
    step_block(edit.settings.config, direction);
    if (edit.settings.config.block == before) edit.commands.why_not = why_not;
  };
}

std::function<void(LifeEdit&)> next_level(int direction, const char* why_not) {
  return [=](LifeEdit& edit) {
    const int before = edit.settings.config.level;
    set_level(edit.settings.config, before + direction);
    if (edit.settings.config.level == before) edit.commands.why_not = why_not;
  };
}

}  // namespace

Shortcuts<LifeEdit> life_shortcuts() {
  Shortcuts<LifeEdit> keys;
  keys.add("1", "bounding box", key('1'), choose_map(MapKind::kBoundingBox));
  keys.add("2", "λ map", key('2'), choose_map(MapKind::kLambda));
  keys.add("3", "compact (λ and ν)", key('3'), choose_map(MapKind::kCompact));
  keys.add("A", "next arithmetic of λ and ν", key('a'), unless_bounding_box(next_arithmetic));
  keys.add("I", "next mapping in the block", key('i'), unless_bounding_box(next_intra_block));
  keys.add("W", "next workload", key('w'), [](LifeEdit& e) { next_workload(e.settings); });
  keys.add("[", "smaller blocks", character('['),
           next_block(-1, "[ does nothing: no smaller block size is allowed"));
  keys.add("]", "larger blocks", character(']'),
           next_block(+1, "] does nothing: no larger block size is allowed at this level"));
  keys.add("< or PgDn", "one level down", any_of(character('<'), key(GLFW_KEY_PAGE_DOWN)),
           next_level(-1, "< does nothing: level 0 is the lowest"));
  keys.add("> or PgUp", "one level up", any_of(character('>'), key(GLFW_KEY_PAGE_UP)),
           next_level(+1, "> does nothing: this is the highest level of the fractal"));
  keys.add("Space", "play or pause", key(GLFW_KEY_SPACE),
           [](LifeEdit& e) { e.settings.playing = !e.settings.playing; });
  keys.add(".", "one generation (pauses)", character('.'), [](LifeEdit& e) {
    e.settings.playing = false;
    ++e.commands.step;
  });
  keys.add(",", "a generation back (pauses)", character(','), [](LifeEdit& e) {
    e.settings.playing = false;
    e.commands.step_back = true;
  });
  keys.add("J", "slow motion, and full speed again", key('j'),
           [](LifeEdit& e) { next_slow_motion(e.settings); });
  keys.add("R", "reseed: a new random start", key('r'), [](LifeEdit& e) {
    ++e.settings.start.seed;
    e.commands.restart = true;
  });
  keys.add("C", "clear all cells", key('c'), [](LifeEdit& e) { e.commands.clear = true; });
  keys.add("E", "edit: the mouse paints cells", key('e'),
           [](LifeEdit& e) { e.settings.edit_cells = !e.settings.edit_cells; });
  const auto pattern_key = [&](const char* name, const char* meaning, Match match, PatternKey what) {
    keys.add(name, meaning, std::move(match), [what](LifeEdit& e) { e.commands.pattern_key = what; });
  };
  pattern_key("Ctrl V", "paste a pattern (RLE, .cells), then place it", with_ctrl({'v'}), PatternKey::kPaste);
  pattern_key("Enter", "place the pattern", any_of(key(GLFW_KEY_ENTER), key(GLFW_KEY_KP_ENTER)),
              PatternKey::kPlace);
  pattern_key("Ctrl A", "select all cells", with_ctrl({'a'}), PatternKey::kSelectAll);
  pattern_key("Ctrl C", "copy the selection as RLE", with_ctrl({'c'}), PatternKey::kCopy);
  pattern_key("Ctrl X", "cut the selection", with_ctrl({'x'}), PatternKey::kCut);
  pattern_key("Del", "clear the selection", key(GLFW_KEY_DELETE), PatternKey::kClear);
  keys.add("G", "grids of cells and blocks", key('g'), [](LifeEdit& e) {
    const bool on = !(e.settings.cell_grid || e.settings.block_grid);
    e.settings.cell_grid = e.settings.block_grid = on;
  });
  keys.add("S", "a small scene to explain: low level, small blocks, grids", key('s'), [](LifeEdit& e) {
    set_scene_to_explain(e.settings);
    e.shell.view.fit = true;
  });
  keys.add("V", "side by side: the three maps, and one pane again", key('v'), [](LifeEdit& e) {
    const PanePreset preset = e.settings.beside.empty() ? PanePreset::kMaps : PanePreset::kOne;
    set_panes(e.settings, preset, BackendKind::kCpu);
  });
  keys.add(
      "U", "under the hood: cells, threads, memory and steps, and one pane again", key('u'), [](LifeEdit& e) {
        const bool shown = e.settings.beside.size() == 3 && e.settings.beside[0].shows == PaneShows::kThreads;
        set_panes(e.settings, shown ? PanePreset::kOne : PanePreset::kSpaces, BackendKind::kCpu);
      });
  keys.add("Q", "timeline: which thread block ran when, and one pane again", key('q'), [](LifeEdit& e) {
    const bool shown = e.settings.beside.size() == 1 && e.settings.beside[0].shows == PaneShows::kTimeline;
    set_panes(e.settings, shown ? PanePreset::kOne : PanePreset::kTimeline, BackendKind::kCpu);
  });
  keys.add("N", "keep this method in a pane beside", key('n'), [](LifeEdit& e) {
    if (e.settings.beside.size() + 1 == kMostPanes)
      e.commands.why_not = "N does nothing: there is room for 4 panes";
    keep_beside(e.settings);
  });
  keys.add("Ctrl E", "save figure: what a pane shows, as a file", with_ctrl({'e'}),
           [](LifeEdit& e) { e.commands.save_figure = 0; });
  keys.add("Ctrl N", "draw a fractal of your own", with_ctrl({'n'}),
           [](LifeEdit& e) { e.commands.draw_fractal = true; });
  keys.add("D", "the next pane's own method: arrow keys and Space choose", key('d'), [](LifeEdit& e) {
    e.commands.pane_method = true;
    if (e.settings.beside.empty())
      e.commands.why_not = "D does nothing: there is no second pane (V or N opens one)";
  });
  keys.add("X", "explain the thread under the cursor; a click pins it", key('x'),
           [](LifeEdit& e) { e.settings.show_thread = !e.settings.show_thread; });
  keys.add("O", "colour by block, warp, address ...", key('o'), [](LifeEdit& e) {
    teach::Colouring& colouring = e.settings.colouring;
    do {
      colouring.by = next_in(teach::kColourings, colouring.by);
    } while (!why_not_coloured(e.settings, colouring.by).empty());
  });
  keys.add("K", "benchmark all maps, and loop, with rendering paused", key('k'), measure_maps);
  keys.add("M", "measure a sweep: the Bench panel", key('m'),
           [](LifeEdit& e) { e.settings.show_bench = !e.settings.show_bench; });
  return keys;
}

std::span<const KeyHelp> life_gestures() {
  static constexpr std::array kGestures = {
      KeyHelp{"Wheel", "zoom at the cursor"},
      KeyHelp{"Drag", "move the picture"},
      KeyHelp{"Right or middle drag", "move the picture, also while editing"},
      KeyHelp{"Shift + drag", "zoom into a box"},
      KeyHelp{"Ctrl + drag", "select cells: copy, cut, turn, fill below the picture"},
      KeyHelp{"Ctrl + hold", "zoom in for as long; with the right button out"},
      KeyHelp{"Click or drag in edit mode", "paint cells: the first one flips, the rest follow it"},
      KeyHelp{"Hover", "cell, block and thread under the cursor"},
  };
  return kGestures;
}

}  // namespace loom::app
