#include <GLFW/glfw3.h>

#include <array>

#include "app/workspaces/mandelbrot/panels/mandelbrot_panels.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"
#include "compute/core/input_text.h"

namespace loom::app {
namespace {

std::function<void(MandelbrotEdit&)> choose_method(MandelbrotMethod method) {
  return [=](MandelbrotEdit& edit) {
    set_method(edit.settings.config, method);
    edit.settings.automatic = false;
  };
}

std::function<bool(const MandelbrotEdit&)> runs_method(MandelbrotMethod method) {
  return [=](const MandelbrotEdit& edit) { return edit.settings.config.method == method; };
}

std::function<bool(const MandelbrotEdit&)> is_on(bool MandelbrotSettings::*setting) {
  return [=](const MandelbrotEdit& edit) { return edit.settings.*setting; };
}

}  // namespace

Shortcuts<MandelbrotEdit> mandelbrot_shortcuts() {
  Shortcuts<MandelbrotEdit> keys;
  keys.add({"1", "exhaustive", Menu::kCompare, "Exhaustive", "first method"}, key('1'),
           choose_method(MandelbrotMethod::kExhaustive), runs_method(MandelbrotMethod::kExhaustive));
  keys.add({"2", "DP: dynamic parallelism", Menu::kCompare, "Dynamic parallelism (DP)", "second method"},
           key('2'), choose_method(MandelbrotMethod::kDp), runs_method(MandelbrotMethod::kDp));
  keys.add(
      {"3", "ASK: adaptive serial kernels", Menu::kCompare, "Adaptive serial kernels (ASK)", "third method"},
      key('3'), choose_method(MandelbrotMethod::kAsk), runs_method(MandelbrotMethod::kAsk));
  keys.add({"Shift A", "automatic: the fastest method, initial regions g, subdivision r and smallest side B",
            Menu::kSimulation, "Automatic tuning"},
           with_shift('a'), [](MandelbrotEdit& e) { e.commands.toggle_automatic = true; });
  keys.add({"I", "scheme: single block per region (SBR) or multiple blocks per region (MBR)",
            Menu::kSimulation, "Next scheme", "use of a block's threads"},
           key('i'), [](MandelbrotEdit& e) {
             RegionScheme& scheme =
                 e.settings.volume.shown ? e.settings.volume.config.scheme : e.settings.config.scheme;
             scheme = next_choice(kRegionSchemes, scheme);
           });
  keys.add({"A", "next precision that can show the view", Menu::kSimulation, "Next precision", "arithmetic"},
           without_shift(key('a')), [](MandelbrotEdit& e) { ++e.commands.next_precision; });
  keys.add(
      {"V", "the three methods side by side, and back", Menu::kCompare, "Compare methods", "compare"},
      without_shift(key('v')), [](MandelbrotEdit& e) { set_compare(e.settings, !e.settings.compare); },
      is_on(&MandelbrotSettings::compare));
  keys.add(
      {"C", "colouring: adaptive, smooth, bands, histogram; of a set in space dwell, level, region, block",
       Menu::kView, "Next colouring"},
      key('c'), [](MandelbrotEdit& e) {
        VolumeSettings& volume = e.settings.volume;
        if (volume.shown)
          volume.colouring = next_choice(kVolumeColourings, volume.colouring);
        else
          e.settings.colouring = next_choice(kColourings, e.settings.colouring);
      });
  keys.add({"/", "cut plane of a set in space: none, x, y, z", Menu::kView, "Next cut plane"}, character('/'),
           [](MandelbrotEdit& e) {
             VolumeSettings& volume = e.settings.volume;
             if (volume.shown) volume.cut_axis = next_choice(kCutAxes, volume.cut_axis);
           });
  keys.add(
      {"", "mark the samples of a set in space that were filled wrongly, in red", Menu::kView, "Misses"},
      no_key(), [](MandelbrotEdit& e) { e.settings.volume.misses = !e.settings.volume.misses; },
      [](const MandelbrotEdit& e) { return e.settings.volume.misses; });
  for (const VolumeSet set : kVolumeSets) {
    keys.add(
        {"", hint_of(set), Menu::kSimulation, label_of(set)}, no_key(),
        [set](MandelbrotEdit& e) { show_volume(e.settings.volume, set); },
        [set](const MandelbrotEdit& e) {
          return e.settings.volume.shown && e.settings.volume.config.set == set;
        });
  }
  keys.add(
      {"", "the sets in the plane: the last one that was shown", Menu::kSimulation, "Set in the plane"},
      no_key(), [](MandelbrotEdit& e) { e.settings.volume.shown = false; },
      [](const MandelbrotEdit& e) { return !e.settings.volume.shown; });
  keys.add(
      {"", "compute the cube that the picture of a set in space shows", Menu::kNavigate, "Refine this part"},
      no_key(), [](MandelbrotEdit& e) { e.commands.refine = true; });
  keys.add({"Ctrl J", "next formula", Menu::kSimulation, "Next formula"}, without_shift(with_ctrl({'j'})),
           [](MandelbrotEdit& e) {
             if (VolumeSettings& volume = e.settings.volume; volume.shown)
               return show_volume(volume, next_choice(kVolumeSets, volume.config.set));
             Formula& formula = e.settings.config.set.formula;
             formula = kFormulas[(static_cast<std::size_t>(formula) + 1) % kFormulas.size()].formula;
           });
  keys.add(
      {"Shift W", "write a formula in code, and back", Menu::kLearn, "Write a formula", "code editor"},
      with_shift('w'),
      [](MandelbrotEdit& e) {
        e.settings.show_formula = !e.settings.show_formula;
        e.commands.focus_formula = e.settings.show_formula;
      },
      is_on(&MandelbrotSettings::show_formula));
  keys.add({"Bksp", "previous view", Menu::kNavigate, "Previous view"},
           without_shift(key(GLFW_KEY_BACKSPACE)), [](MandelbrotEdit& e) { --e.commands.history; });
  keys.add({"Shift Bksp", "next view", Menu::kNavigate, "Next view"}, with_shift(GLFW_KEY_BACKSPACE),
           [](MandelbrotEdit& e) { ++e.commands.history; });
  keys.add({"Ctrl V", "go to the position in the clipboard", Menu::kEdit, "Paste position", "paste"},
           with_ctrl({'v'}), [](MandelbrotEdit& e) { e.commands.paste_view = true; });
  keys.add({"Ctrl M", "center on the nearest minibrot", Menu::kSimulation, "Center on nearest minibrot"},
           without_shift(with_ctrl({'m'})), [](MandelbrotEdit& e) { e.commands.find_minibrot = true; });
  keys.add(
      {"Ctrl Shift M", "autopilot: zoom towards detail; any key stops it", Menu::kSimulation, "Autopilot"},
      with_ctrl_shift('m'), [](MandelbrotEdit& e) { e.commands.toggle_autopilot = true; });
  constexpr double kTurn = 15;  // degrees
  keys.add({"{", "turn the view by 15° counterclockwise", Menu::kNavigate, "Turn left"}, character('{'),
           [](MandelbrotEdit& e) { e.commands.turn += kTurn; });
  keys.add({"}", "turn the view by 15° clockwise", Menu::kNavigate, "Turn right"}, character('}'),
           [](MandelbrotEdit& e) { e.commands.turn -= kTurn; });
  keys.add({"", "play the tour from stop to stop; Esc or Space pauses it", Menu::kNavigate, "Play tour"},
           no_key(), [](MandelbrotEdit& e) { e.commands.play_tour = true; });
  keys.add({"R", "next stop of the tour", Menu::kNavigate, "Next tour stop"}, without_shift(key('r')),
           [](MandelbrotEdit& e) { ++e.commands.tour; });
  keys.add({"G", "regions: off, levels, kinds, divergence, devices; of a set in space the filled boxes",
            Menu::kView, "Next region overlay", "grid"},
           key('g'), [](MandelbrotEdit& e) {
             if (VolumeSettings& volume = e.settings.volume; volume.shown)
               volume.boxes = !volume.boxes;
             else
               e.settings.overlay = next_choice(kRegionOverlays, e.settings.overlay);
           });
  keys.add({"Space", "show the levels of the subdivision one after another", Menu::kSimulation, "Play levels",
            "play"},
           key(GLFW_KEY_SPACE), [](MandelbrotEdit& e) { e.commands.play_levels = true; });
  keys.add({",", "one level fewer", Menu::kSimulation, "Level back", "step back"}, character(','),
           [](MandelbrotEdit& e) { --e.commands.step_level; });
  keys.add({".", "one level more", Menu::kSimulation, "Level forward", "step forward"}, character('.'),
           [](MandelbrotEdit& e) { ++e.commands.step_level; });
  keys.add_switch({"O", "orbit of the point under the cursor", Menu::kView, "Orbit"}, without_shift(key('o')),
                  &MandelbrotSettings::orbit);
  keys.add_switch({"Shift O", "Julia set of the point under the cursor", Menu::kView, "Julia set"},
                  with_shift('o'), &MandelbrotSettings::julia);
  keys.add(
      {"Ctrl Shift J", "from the point under the cursor to its Julia set, and back", Menu::kView,
       "Julia set in full"},
      with_ctrl_shift('j'), [](MandelbrotEdit& e) { e.commands.toggle_julia = true; },
      [](const MandelbrotEdit& e) { return e.settings.config.set.julia.has_value(); });
  keys.add_switch({"Shift K", "compute and time every frame", Menu::kSimulation, "Compute every frame"},
                  with_shift('k'), &MandelbrotSettings::measure);
  keys.add({"K", "benchmark the exhaustive method at this view", Menu::kCompare, "Benchmark exhaustive",
            "benchmark"},
           without_shift(key('k')), [](MandelbrotEdit& e) { e.commands.measure_exhaustive = true; });
  keys.add({"Shift V", "verify against the exhaustive method", Menu::kCompare, "Verify"}, with_shift('v'),
           [](MandelbrotEdit& e) { e.commands.check = true; });
  keys.add_switch({"Q", "timeline: which thread block ran when", Menu::kView, "Timeline"}, key('q'),
                  &MandelbrotSettings::show_timeline);
  keys.add_switch({"M", "cost model and landscape", Menu::kCompare, "Cost model", "panel of costs"},
                  without_shift(key('m')), &MandelbrotSettings::show_model);
  const std::vector<TourStop>& tour = built_in_tour();
  for (std::size_t i = 0; i < tour.size(); ++i) {
    keys.add({"", tour[i].note.c_str(), Menu::kTour, tour[i].name.c_str()}, no_key(),
             [i](MandelbrotEdit& e) { e.commands.tour_stop = i; });
  }
  static constexpr std::array kSettings = {
      std::pair{"Method", Control::kMethod},
      std::pair{"Position and width", Control::kPlace},
      std::pair{"Dwell limit", Control::kDwell},
      std::pair{"Precision", Control::kPrecision},
      std::pair{"Initial regions g, subdivision r, smallest side B", Control::kCut},
      std::pair{"Region overlay", Control::kRegions},
  };
  add_settings<MandelbrotEdit>(keys, kSettings);
  return keys;
}

std::span<const KeyHelp> mandelbrot_gestures() {
  static constexpr std::array kGestures = {
      KeyHelp{"Wheel", "zoom at the cursor"},
      KeyHelp{"Drag", "move the picture"},
      KeyHelp{"Shift + drag", "zoom into a box"},
      KeyHelp{"Shift + right drag", "turn the picture about its middle"},
      KeyHelp{"Ctrl + hold", "zoom in while held; with the right button, zoom out"},
      KeyHelp{"Side buttons", "previous view, next view"},
      KeyHelp{"Hover", "dwell, orbit and Julia set of the point under the cursor"},
      KeyHelp{"Click", "pin the point whose Julia set the inset shows; Esc unpins"},
      KeyHelp{"Right click", "open the Julia set of the point; in a Julia set, back"},
      KeyHelp{"Click on the inset", "to the Julia set that it shows, and back"},
      KeyHelp{"Drag in the inset", "move the point of the Julia set"},
  };
  return kGestures;
}

}  // namespace loom::app
