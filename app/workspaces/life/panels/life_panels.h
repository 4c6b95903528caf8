#pragma once

#include <imgui_stdlib.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/explain/diagram/diagram.h"
#include "app/explain/memory.h"
#include "app/explain/show_me.h"
#include "app/gui/input_queue.h"
#include "app/gui/layout.h"
#include "app/palette/window/palette_editor.h"
#include "app/shell/dock.h"
#include "app/shell/shell_settings.h"
#include "app/shell/shortcuts.h"
#include "app/text/text.h"
#include "app/widgets/inputs.h"
#include "app/widgets/picture.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"
#include "app/workspaces/life/edit/cell_editor.h"
#include "app/workspaces/life/panes/panes.h"
#include "app/workspaces/life/picture/life_picture.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"
#include "app/workspaces/solid/scene/solid_settings.h"
#include "compute/core/error.h"
#include "compute/device/energy.h"
#include "compute/workload/rule_text.h"
#include "render/colour_texture.h"
#include "render/palette.h"

namespace loom::app {

/// The keys and mouse gestures of life in two and in three dimensions.
Shortcuts<LifeEdit> life_shortcuts();
std::span<const KeyHelp> life_gestures();
Shortcuts<SolidSceneEdit> solid_shortcuts();
std::span<const KeyHelp> solid_gestures();

/// State of the toolbar between frames.
struct LifeToolbarState {
  int level = -1;  ///< level under the slider while it is dragged; applied on release
  bool dragging = false;
};

/// Groups of the toolbar, in two and three dimensions: playback and speed; the map; fractal and level;
/// comparison and explanation. The widths are in font sizes. `brief`: buttons with an icon have no text.
/// `extra`: the fractal of --fractal-file, or null.
std::span<const float> life_toolbar_groups(bool brief);
void life_toolbar_group(std::size_t group, bool brief, LifeToolbarState& state, LifeEdit& edit,
                        const LifeStats& stats, const NbbFractal* extra);
std::span<const float> solid_toolbar_groups(bool brief);
void solid_toolbar_group(std::size_t group, bool brief, LifeToolbarState& state, SolidSceneEdit& edit);

/// Areas of the bar's buttons, for tests; empty while it is hidden.
using EditBarAreas = std::map<std::string, Area, std::less<>>;

/// A bar below the picture: commands for the pattern to be placed or for the selection; or, if all cells are
/// dead, a rule that survives. Takes the lower end of `area`; returns its height, 0 if there is nothing to
/// show.
float edit_bar(const Area& area, CellEditor& editor, LifeEdit& edit, const LifeStats& stats,
               EditBarAreas& areas);

/// State of the panel between frames: the labels and tooltips of the choices of a configuration.
struct MethodPanelState {
  struct Choice {
    std::string label;
    std::string problem;  ///< empty if it can be selected
    std::string hint;
  };
  struct TileSize : Choice {
    std::uint32_t rho_x = 1;
    std::uint32_t rho_y = 1;
  };
  std::optional<FractalConfig> of;  ///< the configuration that these choices belong to
  std::vector<TileSize> tile_sizes;
  std::array<Choice, kMapArithmetics.size()> arithmetics;
  std::array<Choice, kCellStorages.size()> storages;
  std::vector<DeviceCountOption> devices;  ///< choices of the number of devices
  std::size_t devices_available = 0;       ///< number of devices for which these choices hold
  bool simulated = true;                   ///< whether `devices` are simulated devices
  std::string bits;                        ///< bit-packed storage: cells per thread; otherwise empty
  std::string fp16_limits;
  std::string automatic_tiles;
  Area header;        ///< of the section, for tests
  bool open = false;  ///< whether it is unfolded
};

/// Rewrites the choices after the configuration, the devices or the backend have changed.
void update_method_choices(MethodPanelState& state, const FractalConfig& config, const LifeStats& stats);
/// What most users never set: storage, arithmetic, intra-block mapping, tiles per thread block, halo,
/// devices, backend. Folded at first, with a summary.
void method_panel(MethodPanelState& state, LifeEdit& edit, const LifeStats& stats);

/// Areas of the rows of a pane's settings, for tests; empty while they are hidden.
using PaneMethodAreas = std::map<std::string, Area, std::less<>>;

/// The rows of a pane's overriding settings: all method fields of the command line, tile size and backend. A
/// value that is not possible with the others is disabled and shows the reason.
void pane_method_rows(PaneSpec& spec, const FractalConfig& scene, const LifeStats& report,
                      PaneMethodAreas& areas);

/// The text field of a rule between frames.
template <typename Rule>
struct RuleField {
  std::string text = {};
  std::string problem = {};
  std::optional<Rule> written = {};  ///< the rule that `text` shows
};
/// Draws the field with the width of the next item. While the user types, the text is not rewritten; each
/// valid rule takes effect immediately.
template <typename Rule>
void rule_field(RuleField<Rule>& field, Rule& rule, Rule (*parse)(std::string_view)) {
  const bool edited = ImGui::InputText("##rule", &field.text);
  const bool typed = ImGui::IsItemDeactivated();  // the text may use another notation
  if (edited) {
    field.written.reset();
    try {
      rule = parse(field.text);
      field.problem.clear();
    } catch (const InputError& error) {
      field.problem = error.what();
    }
  } else if (!ImGui::IsItemActive() && field.problem.empty()) {
    if (field.written != rule || typed) field.text = to_string(rule);
    field.written = rule;
  }
}

/// Says why the selected configuration does not run, and what does, if anything; draws nothing without a
/// problem. Returns true if the user selects what runs.
template <typename Config>
bool select_running(std::string_view problem, const Config* runs) {
  if (problem.empty()) return false;
  warning(problem);
  if (runs == nullptr) return false;
  note(format_text("Running: level {} of {}, {}", runs->level, runs->fractal.name(),
                   label_of(runs->method.map)));
  return choice_button("Select what runs", false, remaining_width(), {},
                       "Sets the settings back to those of the picture");
}

/// State of the panel between frames: rule and seed while the user types them, and their errors.
struct BasicsPanelState {
  RuleField<LifeRule> rule;
  Area rule_field;  ///< area of the rule's text field; empty while it is hidden
  Area running;     ///< of "Select what runs"; only with a problem
  NumberFieldState seed;
  std::optional<LargerThanLife> dragged;             ///< the rule when the slider of its radius was taken
  std::map<std::string, Area, std::less<>> sliders;  ///< of Larger than Life, for tests
};

/// A rule of Larger than Life with another radius: its ranges stay the same parts of all neighbours.
LargerThanLife with_radius(LargerThanLife rule, std::uint32_t radius);

/// What most users set: tile size, rule and random start, below the numbers of the fractal and the launch.
void basics_panel(BasicsPanelState& state, const MethodPanelState& method, LifeEdit& edit,
                  const LifeStats& stats);
/// The workload, its progress, and editing of cells.
void workload_panel(LifeEdit& edit, const LifeStats& report);
/// The energy of the generations while the scene plays.
struct EnergyPanelState {
  std::optional<EnergyMeter> meter = {};
  std::optional<EnergyUse> use = {};  ///< of the last windows
  bool was_playing = false;
  std::uint64_t generations = 0;  ///< at the last frame
};

/// The metrics: the launch, its threads and memory, times of the maps, energy, and times of the program.
/// `compares_maps`: panes show the times of several maps, so that these are left out here.
void metrics_panel(EnergyPanelState& energy, LifeEdit& edit, const LifeStats& report, bool compares_maps);
/// Selects a rule from a list.
void choose_rule(BasicsPanelState& state, LifeEdit& edit, LifeRule rule);

/// A rule that suits a fractal.
struct FractalRule {
  LifeRule rule;
  /// True: named by the fractal's file. False: measured to survive on the fractal.
  bool of_file = false;
};
/// The rule for a fractal: from its file, or patterns::long_lived_rule() for built-in fractals; nothing for
/// others.
std::optional<FractalRule> rule_of(const LifeSettings& settings, const NbbFractal& fractal);
/// Sets the rule of life that the file of the selected fractal names, if it names one.
void take_rule_of_file(LifeSettings& settings);

/// The section with the pane presets and the button that adds a pane.
void panes_section(LifeEdit& edit, const LifeStats& report);
/// State of the headers between frames.
struct PaneHeaderState {
  std::optional<std::size_t> method_of;  ///< the pane whose settings are open
  std::size_t next = 0;                  ///< the pane whose settings the key opens next
  PaneMethodAreas method_areas;
  std::array<Text, kMaxPanes> shown = {};  ///< text of each header
  std::array<bool, kMaxPanes> cut = {};    ///< whether that text is cut off
};
/// The headers of the panes: what each runs, whether it agrees with the scene, and buttons that open its
/// settings, make it the active pane, or close it.
void pane_headers(PaneHeaderState& state, LifeEdit& edit, const LifeStats& report,
                  const SecondaryPanes& secondary_panes, const std::vector<PaneArea>& areas);

/// The scores of the panes of a comparison, in two or three dimensions.
class ScoreList {
 public:
  /// Draws what follows the score of a pane.
  using Below = std::function<void(std::size_t pane)>;
  /// `pane`: the index of its area. The accent is that of the map.
  void add(std::size_t pane, MapKind map, const MapScoreValues& values);
  std::size_t size() const { return count_; }
  MapScoreValues& values(std::size_t index) { return values_[index]; }
  /// verdict_of() the times; maps are its names, or panes where several have the same map.
  Text verdict() const;
  /// Draws time per generation, threads and memory as bars, with one scale for all panes, and their ratios to
  /// the bounding box: below each pane, or one after another without room there; and the verdict.
  /// `live_meaning`: tooltip of live times.
  void draw(const std::vector<PaneArea>& areas, const char* live_meaning, const Below& below) const;

 private:
  std::array<std::size_t, kMaxScores> panes_{};
  std::array<MapKind, kMaxScores> maps_{};
  std::array<MapScoreValues, kMaxScores> values_;
  std::size_t count_ = 0;
};

/// Height of a memory strip in font sizes.
inline constexpr float kStripHeight = 2.55f;

/// One generation in memory as a strip for each pane of a comparison, all to one scale, with the byte of the
/// selected cell.
class MemoryStrips {
 public:
  /// Begins a frame: the panes' configurations follow in order. `cell`: the selected cell, or the one under
  /// the cursor.
  void begin_frame(const std::optional<Coord64>& cell);
  /// `allocated`: bytes of the pane's engine.
  void add(std::size_t pane, const FractalConfig& config, std::uint64_t allocated);
  /// Draws the strip of a pane in the current window.
  void draw(std::size_t pane);
  /// The cell whose byte is under the cursor.
  const std::optional<Coord64>& hovered() const { return hovered_; }

  /// What is drawn for a pane.
  struct Drawn {
    Area area;                      ///< the bytes of the pane
    std::optional<float> marked_x;  ///< the byte of the selected cell
    std::optional<explain::MemoryStrip::Place> place;
  };
  const explain::MemoryStrip* strip(std::size_t pane) const {
    return panes_[pane].shown ? &*panes_[pane].strip : nullptr;
  }
  const Drawn& drawn(std::size_t pane) const { return panes_[pane].drawn; }

 private:
  struct PaneStrip {
    std::optional<explain::MemoryStrip> strip;
    render::ColourTexture columns;  ///< of the strip: one rectangle, where one for each column takes long
    bool shown = false;
    std::uint64_t allocated = 0;
    Drawn drawn;
  };
  double most_bytes() const;
  std::array<PaneStrip, kMaxPanes> panes_;
  std::optional<Coord64> cell_;
  std::optional<Coord64> hovered_;
};

/// The verdict on the panes of cells; empty without a comparison.
Text scoreboard_verdict(const LifeStats& stats, const SecondaryPanes& panes);

/// Height of a score with its memory strip in font sizes; 0 if there is nothing to compare.
float scoreboard_height(const SecondaryPanes& panes);
/// Below each pane of cells: its score, and its memory strip, which marks the byte of `cell`.
void scoreboard(const LifeStats& stats, const SecondaryPanes& panes, const std::vector<PaneArea>& areas,
                MemoryStrips& strips, const std::optional<Coord64>& cell);

/// Whether there are scores, but no room for them below the panes; then they are a section of the dock.
bool needs_scoreboard_section(const SecondaryPanes& panes, const std::vector<PaneArea>& areas);
void scoreboard_section(const LifeStats& stats, const SecondaryPanes& panes, MemoryStrips& strips,
                        const std::optional<Coord64>& cell);

/// A field that pins what is typed into it.
struct PointFieldState {
  std::string text;
  std::string problem;  ///< why the text pins nothing
  Text now;             ///< what it shows when nothing is typed
  Area area = {};
  bool takes_focus = false;  ///< after Enter on a text that names no point
};

/// State of the panel between frames.
struct ThreadPanelState {
  PointFieldState thread;
  PointFieldState cell;
};

/// What is known of the selected thread: its position, the steps of lambda for its tile, and the memory
/// accesses of its warp. A typed index selects a thread or a cell. Returns the square of the lambda level
/// under the cursor, to mark it in the picture.
std::optional<explain::CellRect> thread_panel(ThreadPanelState& state, LifeEdit& edit,
                                              const LifeStats& report, const ThreadExplanation& explanation,
                                              const ThreadPath& path);

/// Plays the animation of the maps (explain::ShowMe) in place of the scene. Changes nothing of the scene.
class ShowMePanel {
 public:
  /// Plays from the start. `from_start`: the workspace and start screen to which leaving it leads back.
  /// Throws InputError as explain::ShowMe does.
  void open(const NbbFractal& fractal, std::optional<std::size_t> from_start);
  void close() { show_me_.reset(); }
  bool is_open() const { return show_me_ != nullptr; }
  bool playing() const { return is_open() && playing_; }
  /// Space plays and pauses, arrow keys move by two seconds, Home and End go to the ends, Escape leaves.
  /// Returns whether the key was taken.
  bool press(const KeyPress& press, ShellEdit& shell);
  /// Its group of the toolbar, in place of those of the scene: says that it is shown, and goes to the scenes.
  static std::span<const float> toolbar_groups();
  void toolbar_group(ShellEdit& shell);
  /// `lecture`: for a projector, with less room around the page.
  void show(const Area& area, bool lecture, ShellEdit& shell);
  nlohmann::ordered_json state() const;

 private:
  void go_to(double seconds);
  void go_to_chapter(std::size_t chapter);
  void mark_chapters() const;
  void leave(ShellEdit& shell);

  std::unique_ptr<explain::ShowMe> show_me_;
  double seconds_ = 0;
  bool playing_ = false;
  std::optional<std::size_t> from_start_;
  double drawn_at_ = -1;  ///< seconds of `diagram_`
  float captions_ = 0;    ///< size of its captions in font sizes of the page; 0: it is not drawn yet
  diagram::Diagram diagram_;
  float em_ = 0;  ///< font size of the page
  Area slider_;
  Area next_;  ///< the button of the next scene
};

/// State of the panel between frames.
struct ViewPanelState {
  TextSizeState text_size;
  PaletteEditor palette;
};

/// Palette, overlays, fit and text size.
void view_panel(ViewPanelState& state, LifeEdit& edit, const LifeStats& stats);

/// State of the section between frames.
struct DevicesPanelState {
  DeviceTimelineView lanes;
  Area again;  ///< the button, for tests; empty while it is hidden
};

/// The pane whose devices the dock shows: the active pane, or the first secondary pane with several devices;
/// null if there is none.
const Pane* pane_with_devices(const Pane& scene, const SecondaryPanes& secondary_panes);

/// The dock's section: times of step, exchange and wait per device in one generation.
void devices_panel(DevicesPanelState& state, LifeEdit& edit, const Pane& pane);

/// Draws the legend over the picture of a view: colours, overlay marks and launch counts.
void legend(PictureLegend& legend, const PictureView& view, const TileGrid& space, const LifeStats& report,
            const render::Palette& palette);

/// Describes the cell, tile and thread under the cursor at the bottom of `area`. `config`: of the pane under
/// the cursor; `state`: of the hovered cell; `explained`: a sentence on the selected thread, shown instead
/// unless it is empty; `one_line`: for a lecture; `text` is set to what is shown. Returns the height used, 0
/// if the area is too small.
float caption(const Area& area, const LifeStats& report, const FractalConfig& config,
              const std::optional<PointInfo>& hovered, std::uint8_t state, std::string_view explained,
              bool one_line, Text& text);

/// Draws a banner over the top of the picture that says why the picture is wrong; nothing if `text` is empty.
void inexact_result_banner(const Area& picture, std::string_view text);

}  // namespace loom::app
