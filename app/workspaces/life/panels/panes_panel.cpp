#include <imgui.h>

#include <algorithm>
#include <initializer_list>
#include <string>

#include "app/gui/theme.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"
#include "app/workspaces/life/panels/life_panels.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "compute/core/input_text.h"
#include "compute/engine/fractal_config.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom::app {
namespace {

constexpr const char* kMethodButton = "⚙";
constexpr float kMinHeading = 5;  // font sizes

/// Texts with the same meaning, the longest first.
class Words {
 public:
  Words() = default;
  Words(std::initializer_list<Text> words) {
    for (const Text& word : words) add(word);
  }
  void add(const Text& word) { words_[count_++] = word; }
  const Text* begin() const { return words_.data(); }
  const Text* end() const { return words_.data() + count_; }
  const Text& front() const { return words_[0]; }
  const Text& back() const { return words_[count_ - 1]; }
  /// The text before the last `than` texts, or the longest one.
  const Text& shortest(std::size_t than) const { return words_[count_ > than ? count_ - 1 - than : 0]; }

 private:
  std::array<Text, 8> words_;
  std::size_t count_ = 0;
};

/// The state of a pane compared with the active one, the longest text first.
Words words_for(const SecondaryPanes::SecondaryPane& one) {
  if (!one.problem.empty()) return {one.problem};
  if (!one.runs()) return {"building"};
  const PaneAgreement& agreement = one.agreement;
  if (!agreement.known) return {"comparing", "…"};
  const std::uint64_t generation = agreement.scene.generation;
  if (agreement.equal) {
    return {format_text("✓ identical cells: each one is as in the active pane. Generation {}, hash {:016x}",
                        generation, agreement.scene.census.hash),
            format_text("identical cells ✓, generation {}, hash {:016x}", generation,
                        agreement.scene.census.hash),
            format_text("identical cells ✓, generation {}", generation),
            "identical cells ✓",
            "identical ✓",
            "✓"};
  }
  if (!agreement.count || !agreement.first) {
    return {
        format_text("cells differ at generation {}. Pause to count them (up to 1 048 576 cells)", generation),
        "≠"};
  }
  const Text cells = plural(*agreement.count, "cell").append(*agreement.count == 1 ? " differs" : " differ");
  return {format_text("{} at generation {}, first at ({}, {})", cells, generation, agreement.first->x,
                      agreement.first->y),
          cells, format_text("≠ {}", plural(*agreement.count, "cell")), "≠"};
}

/// The words of a method, with its counting under a rule of Larger than Life.
Text method_of(const FractalConfig& config, const LifeRule& rule, const Device& device, std::size_t devices) {
  Text words = words_of(config, device, devices);
  if (rule.is_larger() && config.method.counting != Counting::kAuto)
    words.add(", {}", name_of(config.method.counting));
  return words;
}

Text name_of(const SecondaryPanes::SecondaryPane& one, const LifeRule& rule) {
  if (!one.config) return {};
  const Device none;
  const Device& runs_on = one.pane ? one.pane->async_engine->backend().device : none;
  Text name = method_of(*one.config, rule, runs_on, one.spec.devices);
  if (one.spec.backend) name.append(runs_on.on_host ? ", CPU" : ", GPU");
  return name;
}

/// Headings of a pane, the longest first.
Words headings_of(const SecondaryPanes::SecondaryPane& one, const LifeStats& report) {
  const Text scene =
      method_of(report.config, report.work.rule, report.backend.device, report.backend.devices());
  switch (one.spec.shows) {
    case PaneContent::kCells:
      break;
    case PaneContent::kThreads:
      return {format_text("Launched threads: {}", scene), "Launched threads", "Threads"};
    case PaneContent::kMemory:
      return {format_text("Memory in cache lines (128 B): {}", scene), "Memory in cache lines (128 B)",
              "Memory"};
    case PaneContent::kSteps:
      return {format_text("How it is computed: {}", scene), "How it is computed", "Steps"};
    case PaneContent::kLambdaAnimation:
      return {format_text("Animation of λ: {}", scene), "Animation of λ", "λ"};
    case PaneContent::kTimeline:
      if (report.backend.devices() > 1)
        return {format_text("Device activity: {}", scene), "Device activity", "Devices"};
      return {format_text("Timeline of one launch: {}", scene), "Timeline of one launch", "Timeline"};
    case PaneContent::kMemoryAccess:
      return {format_text("Warp memory accesses: {}", scene), "Warp memory accesses", "Warp"};
    case PaneContent::kRace:
      return {"Race: step time and memory at rising levels", "Race of the maps", "Race"};
    case PaneContent::kMapMetrics:
      return {"Map metrics: bounding box, λ and compact", "Map metrics", "Metrics"};
  }
  const Text name = name_of(one, report.work.rule);
  const Words words = words_for(one);
  Words headings;
  const bool counted =
      one.agreement.known && !one.agreement.equal && one.agreement.count && one.agreement.first && one.config;
  for (const Text& word : words) {
    // The number of differing cells is more important than the whole method, which the menu shows too.
    if (counted && &word == &words.back()) {
      const MapMethod& method = one.config->method;
      const bool plain = method.map == MapKind::kBoundingBox;
      headings.add(format_text("{}  {}",
                               plain ? std::string_view(label_of(method.map)) : name_of(method.arithmetic),
                               words.shortest(1)));
    }
    headings.add(format_text("{}  {}", name, word));
  }
  if (one.config) {
    // The counting or the arithmetic distinguishes panes of the same map.
    const MapMethod& method = one.config->method;
    const bool is_same_map = method.map == report.config.method.map && method.map != MapKind::kBoundingBox;
    const Text map = report.work.rule.is_larger() && method.counting != report.config.method.counting
                         ? Text(name_of(method.counting))
                     : is_same_map ? Text(name_of(method.arithmetic))
                                   : Text(label_of(method.map));
    headings.add(format_text("{}  {}", map, words.back()));
    if (one.agreement.known && one.agreement.equal) {
      headings.add(map);  // in a narrow pane the name matters more than the confirmation
    } else {
      headings.add(format_text("{}  {}", words.back(), map));  // the sign remains if the text is cut off
    }
  }
  return headings;
}

const char* menu_label(PaneContent shows) {
  return value_for<PaneContent::kMapMetrics>(
      {"Cells", "Launched threads", "Memory", "How it is computed", "Animate λ", "Timeline",
       "Warp memory accesses", "Race", "Map metrics"},
      shows);
}

enum class PaneCommand : std::uint8_t { kNone, kMakeActive, kClose };

/// A button that opens a pane's menu: what the pane shows, its settings, export of a figure, and what it
/// returns.
PaneCommand pane_menu(PaneHeaderState& state, LifeEdit& edit, std::size_t pane) {
  PaneContent& shows = edit.settings.secondary_panes[pane].shows;
  if (ImGui::SmallButton("...")) ImGui::OpenPopup("##shows");
  tooltip("What this pane shows: cells computed by another method, or a view of the active pane's method");
  if (!ImGui::BeginPopup("##shows")) return PaneCommand::kNone;
  for (const PaneContent one : kPaneContents) {
    if (ImGui::Selectable(menu_label(one), one == shows)) shows = one;
  }
  ImGui::Separator();
  if (shows == PaneContent::kCells && ImGui::Selectable("Override settings...")) state.method_of = pane;
  PaneCommand command = PaneCommand::kNone;
  if (shows == PaneContent::kCells && ImGui::Selectable("Make active")) command = PaneCommand::kMakeActive;
  if (ImGui::Selectable("Export figure...")) edit.commands.save_figure = pane + 1;
  if (ImGui::Selectable("Close")) command = PaneCommand::kClose;
  ImGui::EndPopup();
  return command;
}

/// A button that opens a pane's overriding settings.
void its_method(PaneHeaderState& state, std::size_t i, PaneSpec& spec, const LifeStats& report,
                const FractalConfig& scene, bool button) {
  constexpr const char* kPopup = "##method";
  const bool opened = state.method_of == i && !ImGui::IsPopupOpen(kPopup);
  const bool pressed = button && ImGui::SmallButton(kMethodButton);
  if (button) {
    tooltip("Overrides map, tile size, arithmetic and so on in this pane (D)");
    ImGui::SameLine();
  }
  if (pressed || opened) {
    ImGui::OpenPopup(kPopup);
    state.method_of = i;
  }
  const glm::vec2 corner = ImGui::GetWindowPos();
  ImGui::SetNextWindowPos({corner.x, corner.y + ImGui::GetWindowHeight()}, ImGuiCond_Appearing);
  if (!ImGui::BeginPopup(kPopup)) return;
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  theme::push_on_raised();
  pane_method_rows(spec, scene, report, state.method_areas);
  if (ImGui::IsWindowAppearing()) state.method_areas.clear();  // positions are valid from the next frame on
  theme::pop_on_raised();
  ImGui::EndPopup();
}

/// Each press of the key opens the settings of the next pane.
void begin_methods(PaneHeaderState& state, const LifeEdit& edit, const SecondaryPanes& panes) {
  state.method_areas.clear();
  const bool open = state.method_of.has_value() &&
                    ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  if (!open) state.method_of.reset();
  if (edit.commands.pane_method) {
    const std::size_t count = panes.all().size();
    for (std::size_t tried = 0; tried < count; ++tried) {
      const std::size_t i = (state.next + tried) % count;
      if (panes.all()[i].spec.shows != PaneContent::kCells) continue;
      state.method_of = i;
      state.next = i + 1;
      break;
    }
  }
}

/// Width of small buttons side by side, with the margin of a header.
float width_of_buttons(std::initializer_list<const char*> labels) {
  const ImGuiStyle& style = ImGui::GetStyle();
  float width = theme::grid(2);
  for (const char* label : labels) {
    width += button_width(label) + style.ItemSpacing.x;
  }
  return width;
}

/// The first text that fits, otherwise the last one.
const Text& fitting(const Words& headings, float width) {
  for (const Text& one : headings) {
    if (ImGui::CalcTextSize(one.c_str()).x <= width) return one;
  }
  return headings.back();
}

}  // namespace

void panes_section(LifeEdit& edit, const LifeStats& report) {
  if (!section("Panes")) return;
  const ScopedControlMark marked(Control::kPanes);
  const std::size_t panes = edit.settings.secondary_panes.size() + 1;
  constexpr std::array kLabels = {
      "Single view",    "Compare maps",      "Compare arithmetic",   "CPU vs GPU",  "Launch & memory",
      "Animate λ",      "Timeline",          "Warp memory accesses", "Map metrics", "Race maps",
      "1 vs 2 devices", "Compare countings", "Pin as pane"};
  ButtonRow line(kLabels, 2);
  const auto preset = [&](const char* label, PanePreset one, std::string_view problem, const char* hint) {
    if (choice_button(label, false, line.next(), problem, hint))
      set_panes(edit.settings, one, report.backend.device);
  };
  const auto toggle = [&](const char* label, PaneContent content, const char* hint) {
    if (choice_button(label, shows_pane(edit.settings, content), line.next(), {}, hint))
      toggle_pane(edit.settings, content);
  };
  const bool simulated = report.backend.device.simulated_devices > 0;
  preset(kLabels[0], PanePreset::kSingle, panes == 1 ? "There is only one pane" : "",
         "Shows the active pane alone (V)");
  preset(kLabels[1], PanePreset::kMaps, {}, "Bounding box, λ and compact side by side (V)");
  preset(kLabels[2], PanePreset::kArithmetics, {}, "λ by loop, table, tensor-1 and tensor-2 side by side");
  preset(kLabels[3], PanePreset::kBackends,
         report.cuda.devices.empty() ? format_text("No CUDA device: {}", report.cuda.reason) : Text(),
         "The same method on the CPU and on the GPU");
  preset(kLabels[4], PanePreset::kLaunchAndMemory, {},
         "Cells, threads, memory and the computation of the map. The selection is marked in all panes (U)");
  preset(kLabels[5], PanePreset::kLambdaAnimation, {},
         "Tiles move from the launch to their positions in the fractal, level by level");
  preset(kLabels[6], PanePreset::kTimeline, {},
         "Which thread block of one launch ran when, on which multiprocessor, recorded by a copy of the "
         "kernel (Q)");
  preset(
      kLabels[7], PanePreset::kMemoryAccess, {},
      "What the warp of the selected thread reads and writes: requests, sectors, and the bytes of each lane");
  toggle(kLabels[8], PaneContent::kMapMetrics,
         "Requests, bytes, divergence and occupancy of the three maps, and their kernels (Shift T)");
  toggle(kLabels[9], PaneContent::kRace,
         "The level rises until the bounding box runs out of memory or time (Shift M)");
  preset(
      kLabels[10], PanePreset::kDevices,
      report.devices.size() < 2 ? "There is one CUDA device. The CPU backend offers simulated devices" : "",
      simulated ? "Compact, bit-packed, on one device and on two simulated ones (CPU). Not faster"
                : "Compact, bit-packed, on one GPU and on two, which take turns");
  preset(
      kLabels[11], PanePreset::kCountings,
      edit.settings.rule.is_larger() ? "" : "For a rule of Larger than Life, such as Bugs",
      "Neighbours counted directly, by sums, in bits and by tensor products side by side, with their times. "
      "Energy: Benchmark, with counting as an axis");
  if (choice_button(kLabels[12], false, line.next(), panes < kMaxPanes ? "" : "There are four panes",
                    "Pins the current method as a pane, to compare with the next one (N)")) {
    pin_as_pane(edit.settings);
  }
}

void pane_headers(PaneHeaderState& state, LifeEdit& edit, const LifeStats& report,
                  const SecondaryPanes& panes, const std::vector<PaneArea>& areas) {
  if (areas.size() < 2) {
    state = {};
    return;
  }
  const auto begin = [](std::size_t i, const Area& area, const FractalConfig* config) {
    std::optional<glm::vec4> accent;
    if (config != nullptr) accent = colour_of(config->method.map);
    begin_pane_header(format_text("##pane {}", i).c_str(), area, accent);
  };
  const auto number = [&](std::size_t i) {
    constexpr float kLeastWidth = 9;  // in font sizes; the name comes before the number
    if (areas.front().header.size.x < kLeastWidth * ImGui::GetFontSize()) return;
    ImGui::TextDisabled("%zu", i + 1);
    tooltip("Number of the pane");
    ImGui::SameLine();
  };
  begin(0, areas[0].header, &report.config);
  number(0);
  ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().accent);
  const Text method =
      method_of(report.config, report.work.rule, report.backend.device, report.backend.devices());
  const Words active{Text(method).append(" (active)"), method, label_of(report.config.method.map)};
  elided_text(fitting(active, remaining_width()), remaining_width());
  ImGui::PopStyleColor();
  ImGui::End();
  std::optional<std::size_t> closed;
  std::optional<std::size_t> used;
  begin_methods(state, edit, panes);
  const std::size_t shown = std::min(panes.all().size(), areas.size() - 1);
  for (std::size_t i = 0; i < shown; ++i) {
    const SecondaryPanes::SecondaryPane& one = panes.all()[i];
    begin(i + 1, areas[i + 1].header, one.pane ? &one.pane->async_engine->config() : nullptr);
    number(i + 1);
    const bool of_cells = one.spec.shows == PaneContent::kCells;
    // In a narrow header the heading comes before the settings button; the settings are in the menu too.
    const float all_buttons = width_of_buttons({"...", kMethodButton, "<>", "x"});
    const bool roomy = remaining_width() - all_buttons >= kMinHeading * ImGui::GetFontSize();
    Words headings = headings_of(one, report);
    // The name of the map comes before buttons whose commands are in the menu too.
    const float some_buttons = width_of_buttons({"...", "<>", "x"});
    const float name = ImGui::CalcTextSize(headings.shortest(one.config ? 1 : 0).c_str()).x;
    const bool swaps = of_cells && (roomy || remaining_width() - some_buttons >= name);
    const float two_buttons = width_of_buttons({"...", "x"});
    const float bare_name = ImGui::CalcTextSize(headings.back().c_str()).x;
    const bool closes = !of_cells || swaps || remaining_width() - two_buttons >= bare_name;
    const float buttons = !closes  ? width_of_buttons({"..."})
                          : !swaps ? two_buttons
                          : roomy  ? all_buttons
                                   : some_buttons;
    const float width = std::max(remaining_width() - buttons, 1.0f);
    const std::string problem = one.content ? one.content->problem() : std::string();
    if (!problem.empty()) headings = {problem};
    const bool wrong =
        (one.agreement.known && !one.agreement.equal) || !one.problem.empty() || !problem.empty();
    if (wrong) ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().warning);
    ImGui::BeginGroup();
    state.shown[i] = fitting(headings, width);
    state.cut[i] = ImGui::CalcTextSize(state.shown[i].c_str()).x > width;
    elided_text(state.shown[i], width);
    ImGui::EndGroup();
    if (wrong) ImGui::PopStyleColor();
    tooltip(headings.front());
    ImGui::SameLine(areas[i + 1].header.size.x - buttons);
    ImGui::PushStyleColor(ImGuiCol_Button, theme::colours().hover);
    if (i < edit.settings.secondary_panes.size()) {
      const PaneCommand command = pane_menu(state, edit, i);
      if (command == PaneCommand::kMakeActive) used = i;
      if (command == PaneCommand::kClose) closed = i;
    }
    ImGui::SameLine();
    if (of_cells && i < edit.settings.secondary_panes.size()) {
      its_method(state, i, edit.settings.secondary_panes[i], report, edit.settings.config, roomy);
      if (swaps) {
        if (ImGui::SmallButton("<>")) used = i;
        tooltip("Makes this pane the active one, which the controls set");
        ImGui::SameLine();
      }
    }
    if (closes) {
      if (ImGui::SmallButton("x")) closed = i;
      tooltip("Close this pane");
    }
    ImGui::PopStyleColor();
    ImGui::End();
  }
  std::vector<PaneSpec>& methods = edit.settings.secondary_panes;
  if (used && *used < methods.size()) {
    const FractalConfig& config = edit.settings.config;
    const PaneSpec scene{.method = config.method,
                         .tile_size = config.tile_size,
                         .backend = methods[*used].backend,
                         .devices = edit.settings.devices};
    edit.settings.devices = methods[*used].devices;
    edit.settings.config = config_of(methods[*used], config);
    methods[*used] = scene;
  }
  if (closed) close_pane(edit.settings, *closed);
}

}  // namespace loom::app
