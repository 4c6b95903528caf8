#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/explain/memory.h"
#include "app/gui/theme.h"
#include "app/patterns/pattern.h"
#include "app/text/format.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/workspaces/life/panels/life_panels.h"
#include "app/workspaces/life/scene/life_stats.h"
#include "compute/backend/emulation.h"
#include "compute/core/input_text.h"
#include "compute/map/map_method.h"
#include "compute/map/tiling.h"
#include "compute/workload/rule_text.h"
#include "compute/workload/workload.h"

namespace loom::app {

namespace {

// At high levels there are too many tiles to draw each one, so the bar shows proportions.
void proportion_bar(const LaunchCount& count, std::uint64_t of, float width, float height) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const auto share = [&](std::uint64_t blocks) {
    return width * static_cast<float>(static_cast<double>(blocks) / static_cast<double>(of));
  };
  const float cell_pane_count = std::max(1.0f, share(count.occupied_tiles));
  const float launched = std::max(cell_pane_count, share(count.tiles));
  const ImU32 solid = ImGui::ColorConvertFloat4ToU32(theme::colours().accent);
  list.AddRectFilled(at, {at.x + width, at.y + height}, ImGui::GetColorU32(ImGuiCol_FrameBg), 2);
  list.AddRectFilled(at, {at.x + launched, at.y + height},
                     theme::overlay(theme::in_force() == Theme::kLight).empty_tile_outline, 2);
  list.AddRectFilled(at, {at.x + cell_pane_count, at.y + height}, solid, 2);
  ImGui::Dummy({width, height});
}

/// Draws the launch of a method as a bar whose length is the bounding box: tiles with cells, empty tiles, and
/// tiles that are not launched; then the shape of the grid as text. `count`: counts of that launch.
void launch_diagram(const TileGrid& space, const MapMethod& method, const LaunchCount& count) {
  const LaunchCount box = space.launch_count(MapKind::kBoundingBox);
  const LaunchShape shape = space.launch_shape(method.map);
  const GpuLaunch launch = gpu_launch(method, space.tiled(), shape);
  ImGui::BeginGroup();
  proportion_bar(count, box.tiles, ImGui::GetContentRegionAvail().x, ImGui::GetFontSize() * 0.55f);
  note(format_text("{} × {} tiles, {} per thread block", format_count(shape.tiles_x),
                   format_count(shape.tiles_y), plural(launch.tiling.tiles(), "tile")));
  note(format_text("Thread utilization {}", format_percent(count.utilization())));
  tooltip(kUtilizationMeaning);
  ImGui::EndGroup();
  tooltip(format_text(
      "Bar: the {} tiles of the bounding box. Bright: the {} tiles with cells. Orange: empty tiles. "
      "Dark: not launched. A tile has {} × {} threads. Active threads: {} of {}.",
      format_count(box.tiles), format_count(box.occupied_tiles), shape.threads_x, shape.threads_y,
      format_count(count.cells), format_count(count.launched)));
}

void fractal_notes(const FractalConfig& config, int level) {
  const NbbFractal& fractal = config.fractal;
  const NbbShape& shape = fractal.shape();
  if (fractal.generators().size() == 1) {
    const Text scale =
        shape.s_x == shape.s_y ? format_text("{}", shape.s_x) : format_text("{} × {}", shape.s_x, shape.s_y);
    note(format_text("k = {}, s = {}{}, dimension {:.3f}", shape.k, scale,
                     fractal.is_uniform() ? "" : ", replicas turned", fractal.dimension()));
    tooltip("k copies of itself, each scaled by 1/s. Dimension: log k / log s");
  } else {
    note(format_text("{} generators{}{}, dimension {:.3f}", fractal.generators().size(),
                     fractal.repeats() ? ", repeating" : "",
                     fractal.kind() == LevelKind::kTurned ? ", replicas turned" : "", fractal.dimension()));
    tooltip("Each level has its own generator, from the coarsest level down.");
  }
  const std::uint64_t width = config.fractal.width(level);
  const std::uint64_t height = config.fractal.height(level);
  const std::uint64_t cells = config.fractal.cells(level);
  const double share = static_cast<double>(cells) / static_cast<double>(width) / static_cast<double>(height);
  note(format_text("{} cells, {} of {} × {}", format_count(cells), format_percent(share), format_count(width),
                   format_count(height)));
}

// Only for fractals whose points are, or could be, stretched.
void shape_row(LifeSettings& settings, const LifeStats& stats) {
  const auto is_square = [](const Generator& generator) { return generator.s_x == generator.s_y; };
  if (std::ranges::all_of(settings.config.fractal.generators(), is_square)) return;
  ImGui::Checkbox("Square points", &settings.square_points);
  tooltip("Draws points as squares. Off: a narrow fractal is stretched to fill the view");
  const double times = stats.stretched;
  if (times > 1.0001) {
    note(format_text("Points are stretched: {:.3g} times as high as wide", times));
  } else if (times < 0.9999) {
    note(format_text("Points are stretched: {:.3g} times as wide as high", 1 / times));
  }
}

// One row if all numbers fit, otherwise as many per row as fit.
void tile_size_choice(const std::vector<MethodPanelState::TileSize>& choices, FractalConfig& config) {
  const ScopedControlMark marked(Control::kBlock);
  row_label("Tile size ρ");
  tooltip("ρ is the side of a tile: ρ × ρ neighbouring points, computed by one group of threads.");
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x / 2;
  const float start = ImGui::GetCursorPosX();
  const float room = remaining_width() + gap;
  const float widest = ImGui::CalcTextSize(choices.back().label.c_str()).x + theme::grid(1) + gap;
  const auto count = static_cast<int>(choices.size());
  const int columns = std::clamp(static_cast<int>(room / widest), 1, count);
  const float width = room / static_cast<float>(columns) - gap;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  for (int i = 0; i < count; ++i) {
    const MethodPanelState::TileSize& choice = choices[static_cast<std::size_t>(i)];
    if (i % columns != 0) {
      ImGui::SameLine(0, gap);
    } else if (i > 0) {
      ImGui::SetCursorPosX(start);
    }
    if (choice_button(choice.label.c_str(), config.tile_size == choice.rho_x, width, choice.problem,
                      choice.hint)) {
      set_tile_size(config, choice.rho_x);
    }
  }
  ImGui::PopStyleVar();
}

// The rules with names, after the rule of this fractal.
void rule_list(BasicsPanelState& state, LifeEdit& edit, const LifeStats& stats) {
  const auto line = [&](LifeRule rule, std::string_view meaning) {
    const std::string label = fmt::format("{}   {}", to_string(rule), meaning);
    if (ImGui::Selectable(label.c_str(), edit.settings.rule == rule)) choose_rule(state, edit, rule);
  };
  if (const auto own = rule_of(edit.settings, stats.config.fractal)) {
    line(own->rule, fmt::format("{} {}", own->of_file ? "from the file of" : "survives on",
                                stats.config.fractal.name()));
    ImGui::Separator();
  }
  for (const NamedRule& named : named_rules()) line(parse_rule(named.rule), named.name);
}

/// The largest count of a rule.
std::uint32_t largest_count(const LargerThanLife& rule) {
  return rule.area() - (rule.middle ? 0 : 1);
}

/// The sliders of the first and the last count of a range.
void range_row(BasicsPanelState& state, const char* label, CountRange& range, std::uint32_t most,
               std::string_view hint) {
  row_label(label);
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = (remaining_width() - gap) / 2;
  std::uint32_t first = range.first;
  std::uint32_t last = range.last;
  ImGui::PushID(label);
  ImGui::SetNextItemWidth(width);
  if (slider("##first", &first, 0, most, "from %u", ImGuiSliderFlags_AlwaysClamp))
    last = std::max(first, last);
  tooltip(hint);
  ImGui::SameLine(0, gap);
  ImGui::SetNextItemWidth(width);
  if (slider("##last", &last, 0, most, "to %u", ImGuiSliderFlags_AlwaysClamp)) first = std::min(first, last);
  tooltip(hint);
  state.sliders[label] = item_area();
  ImGui::PopID();
  range = {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(last)};
}

// What is dragged acts at once, on the cells as they are.
void larger_rows(BasicsPanelState& state, LargerThanLife& rule) {
  row_label("Radius");
  ImGui::SetNextItemWidth(remaining_width());
  std::uint32_t radius = rule.radius;
  const bool changed =
      slider("##radius", &radius, 1, LargerThanLife::kMaxRadius, "%u", ImGuiSliderFlags_AlwaysClamp);
  if (ImGui::IsItemActivated()) state.dragged = rule;
  if (!ImGui::IsItemActive()) state.dragged.reset();
  // Of the rule that was taken: rounding does not add up while the slider moves.
  if (changed) rule = with_radius(state.dragged.value_or(rule), radius);
  tooltip("Cells up to this far away are counted. The ranges below stay the same parts of their number");
  state.sliders["Radius"] = item_area();
  const std::uint32_t most = largest_count(rule);
  range_row(state, "Survive", rule.survival, most,
            "Numbers of living neighbours that let a living cell survive");
  range_row(state, "Birth", rule.birth, most, "Numbers of living neighbours that give birth to a dead cell");
}

void rule_row(BasicsPanelState& state, LifeEdit& edit, const LifeStats& stats) {
  const ScopedControlMark marked(Control::kRule);
  row_label("Rule");
  const float arrow = ImGui::GetFrameHeight();
  ImGui::SetNextItemWidth(remaining_width() - arrow);
  rule_field(state.rule, edit.settings.rule, parse_rule);
  state.rule_field = item_area();
  tooltip(
      "B: numbers of living neighbours that give birth to a dead cell. S: numbers that let a living cell "
      "survive. C: the number of states, as in B2/S345/C4: a cell that does not survive passes through the "
      "refractory ones. Accepts B3/S23, b3s23, 23/3, 345/2/4 and names such as Conway or Brian's Brain");
  ImGui::SameLine(0, 0);
  if (ImGui::BeginCombo("##presets", "", ImGuiComboFlags_NoPreview | ImGuiComboFlags_PopupAlignLeft)) {
    rule_list(state, edit, stats);
    ImGui::EndCombo();
  }
  tooltip("List of rules");
  if (!state.rule.problem.empty()) {
    warning(state.rule.problem + fmt::format(" (still running {})", to_string(edit.settings.rule)));
  }
  if (edit.settings.rule.is_larger()) larger_rows(state, edit.settings.rule.larger);
}

void start_rows(BasicsPanelState& state, LifeEdit& edit) {
  const ScopedControlMark marked(Control::kStart);
  row_label("Density");
  auto density = static_cast<float>(edit.settings.start.density);
  ImGui::SetNextItemWidth(ImGui::GetFontSize() * 4);
  if (slider("##density", &density, 0, 1, "%.2f", ImGuiSliderFlags_AlwaysClamp)) {
    edit.settings.start.density = static_cast<double>(density);
  }
  tooltip("Fraction of living cells at a random start. Takes effect with Restart or Reseed");
  ImGui::SameLine();
  ImGui::TextUnformatted("Seed");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(remaining_width());
  number_field("##seed", state.seed, edit.settings.start.seed);
  if (!ImGui::IsItemActive()) {  // while active, it would cover the message
    tooltip(
        "The same seed and density give the same start on every map and machine. Takes effect with Restart");
  }
  if (!state.seed.problem.empty()) warning("Seed " + state.seed.problem);

  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float third = (remaining_width() - 2 * gap) / 3;
  if (choice_button("Restart", false, third, {}, "Random start with this seed and density")) {
    edit.commands.restart = true;
  }
  ImGui::SameLine();
  if (choice_button("Reseed", false, third, {}, "Random start with the next seed (Shift R)")) {
    ++edit.settings.start.seed;
    edit.commands.restart = true;
  }
  ImGui::SameLine();
  if (choice_button("Clear", false, remaining_width(), {}, "Kills all cells (Ctrl Backspace)"))
    edit.commands.clear = true;
}

}  // namespace

LargerThanLife with_radius(LargerThanLife rule, std::uint32_t radius) {
  const double before = largest_count(rule);
  rule.radius = static_cast<std::uint8_t>(radius);
  const double ratio = largest_count(rule) / before;
  const auto scale = [&](std::uint16_t& count) {
    count = static_cast<std::uint16_t>(std::lround(count * ratio));
  };
  for (CountRange* const range : {&rule.birth, &rule.survival}) {
    scale(range->first);
    scale(range->last);
  }
  return rule;
}

void choose_rule(BasicsPanelState& state, LifeEdit& edit, LifeRule rule) {
  edit.settings.rule = rule;
  state.rule.text = to_string(rule);
  state.rule.problem.clear();
}

void basics_panel(BasicsPanelState& state, const MethodPanelState& method, LifeEdit& edit,
                  const LifeStats& stats) {
  state.rule_field = {};
  for (auto& [name, area] : state.sliders) area = {};
  if (!section("Basics")) return;
  const bool selects = select_running(stats.problem, &stats.config);
  state.running = item_area();
  if (selects) {
    edit.settings.config = stats.config;
    edit.settings.devices = static_cast<std::uint32_t>(stats.backend.devices());
    if (stats.on_other_device) choose_device(edit.shell.settings, stats.backend.device);
  }
  const FractalConfig& config = edit.settings.config;
  fractal_notes(config, config.level);
  shape_row(edit.settings, stats);
  if (explain::has_tiles(config)) {
    tile_size_choice(method.tile_sizes, edit.settings.config);
    launch_diagram(stats.space, stats.config.method, launch_of(stats));
  } else {
    note(method.bits);
  }
  if (edit.settings.workload == Workload::kLife) rule_row(state, edit, stats);
  start_rows(state, edit);
  constexpr std::array kLabels = {"Fractal editor", "Teaching example"};
  ButtonRow line(kLabels);
  if (choice_button(kLabels[0], false, line.next(), {},
                    "Draws a custom fractal and previews its levels (Ctrl N)")) {
    edit.commands.draw_fractal = true;
  }
  if (choice_button(
          kLabels[1], false, line.next(), {},
          "Low level, small tiles and both grids, paused, so that you can point at each thread (S)")) {
    set_teaching_example(edit.settings);
    edit.shell.view.fit = true;
  }
}

std::optional<FractalRule> rule_of(const LifeSettings& settings, const NbbFractal& fractal) {
  const auto& file = settings.from_file;
  if (file && file->rule && file->fractal == fractal) return FractalRule{*file->rule, true};
  if (const auto lives = patterns::long_lived_rule(fractal)) return FractalRule{*lives, false};
  return std::nullopt;
}

void take_rule_of_file(LifeSettings& settings) {
  const auto own = rule_of(settings, settings.config.fractal);
  if (own && own->of_file) settings.rule = own->rule;
}

namespace {

const char* explanation_of(Workload workload) {
  return value_for<Workload::kLife>(
      {"Every thread writes one value to its cell: the least work that a map can carry (W: next "
       "workload)",
       "Every thread reads its cell, and all cells are summed. A living cell counts 1 to 8, depending "
       "on its position (W)",
       "Every thread reads its cell and its eight neighbours, and writes the next generation (W)"},
      workload);
}

void workload_row(LifeSettings& settings) {
  const ScopedControlMark marked(Control::kWorkload);
  struct Choice {
    Workload workload;
    const char* label;
    float share;  // fraction of the line; the last one takes the rest
  };
  static constexpr std::array kChoices = {Choice{Workload::kSingleWrite, "single write", 0.4f},
                                          Choice{Workload::kReduction, "reduction", 0.36f},
                                          Choice{Workload::kLife, "life", 0}};
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x / 2;
  const float room = remaining_width() - 2 * gap;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  for (const Choice& choice : kChoices) {
    if (choice.workload != kChoices.front().workload) ImGui::SameLine(0, gap);
    const float width = choice.share > 0 ? choice.share * room : remaining_width();
    if (choice_button(choice.label, settings.workload == choice.workload, width, {},
                      explanation_of(choice.workload))) {
      settings.workload = choice.workload;
    }
  }
  ImGui::PopStyleVar();
}

// The CPU has one way to sum and marks the other as emulated.
void reduction_row(LifeSettings& settings, const LifeStats& report) {
  const Work tensor{.workload = Workload::kReduction, .reduction = ReductionMethod::kTensor};
  const bool emulated = is_reduction_emulated(report.backend.device, tensor);
  row_label("Sum by");
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x / 2;
  const char* const label = "emulated";
  const float beside = emulated ? ImGui::CalcTextSize(label).x + gap : 0;
  const float width = (remaining_width() - beside - gap) / 2;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  if (choice_button("warp", settings.reduction == ReductionMethod::kWarp, width, {},
                    "Shuffles within each warp, then one addition per warp")) {
    settings.reduction = ReductionMethod::kWarp;
  }
  ImGui::SameLine(0, gap);
  if (choice_button("tensor", settings.reduction == ReductionMethod::kTensor, width, {},
                    emulated ? "Matrix products with a matrix of ones. The CPU has no tensor cores and "
                               "emulates them by plain sums"
                             : "Matrix products with a matrix of ones, on the tensor cores")) {
    settings.reduction = ReductionMethod::kTensor;
  }
  ImGui::PopStyleVar();
  if (!emulated) return;
  ImGui::SameLine(0, gap);
  ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().warning);
  ImGui::TextUnformatted(label);
  ImGui::PopStyleColor();
}

// Full speed computes several generations per frame.
void speed_row(LifeSettings& settings) {
  row_label("Per frame");
  const bool slow = settings.ms_per_generation > 0;
  int generations = slow ? 1 : static_cast<int>(settings.generations_per_frame);
  ImGui::BeginDisabled(slow);
  if (slider("##per_frame", &generations, 1, 64, generations == 1 ? "%d generation" : "%d generations",
             ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_Logarithmic)) {
    settings.generations_per_frame = static_cast<std::uint32_t>(generations);
  }
  ImGui::EndDisabled();
  tooltip(slow ? "Not used in slow motion" : "Generations per frame");
}

void state_row(const LifeEdit& edit, const LifeStats& report) {
  Text text;
  if (edit.settings.workload == Workload::kReduction) {
    report.step ? text.add("Sum {}; ", format_count(report.step->sum)) : text.append("No sum yet; ");
  }
  text.add("Generation {}", format_count(report.generations));
  if (report.census) {
    text.add(", {} alive", format_count(report.census->census.population));
    if (report.census->generation != report.generations) {
      const Text when = format_count(report.census->generation);
      const Text whole = Text(text).append(format_text(" at generation {}", when));
      text = text_width(whole) <= remaining_width() ? whole : text.append(format_text(" at {}", when));
    }
  }
  elided_text(text, remaining_width());
  tooltip("Living cells are counted a few times per second; the count is of the generation after \"at\"");
}

/// "Period 2 since generation 431"
Text cycle_text(const LifeStats& stats) {
  const auto cycle = stats.cycle_detector->cycle();
  if (!cycle) return {};
  if (cycle->period_divides)
    return format_text("Cycle detected (period divides {})", format_count(cycle->period));
  Text text;
  const bool dead = (*stats.cycle_detector)[stats.cycle_detector->size() - 1].population == 0;
  if (cycle->period == 1) {
    text.append(dead ? "All dead" : "Stable");
  } else {
    text.add("Period {}", format_count(cycle->period));
  }
  text.add(" since generation {}{}", format_count(cycle->since),
           cycle->may_start_earlier ? " or before" : "");
  return text;
}

// The counted population over time, by state, and the detected cycle. The height is constant.
void cycle_rows(const LifeStats& stats) {
  const CycleDetector& cycle_detector = *stats.cycle_detector;
  const float height = ImGui::GetFontSize() * 2;
  const glm::vec2 low = ImGui::GetCursorScreenPos();
  const float width = remaining_width();
  ImGui::Dummy({width, height});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(low, {low.x + width, low.y + height}, ImGui::GetColorU32(theme::colours().raised));
  std::uint64_t most = 1;
  const std::uint32_t states = states_of(stats.work);
  // Group 0 are the living cells, the others refractory ones.
  const std::uint32_t groups = 1 + RefractoryCounts::groups(states);
  const auto count = [](const CycleDetector::Sample& one, std::uint32_t group) {
    return group == 0 ? one.population : one.refractory.cells[group - 1];
  };
  for (std::size_t i = 0; i < cycle_detector.size(); ++i) {
    for (std::uint32_t group = 0; group < groups; ++group)
      most = std::max(most, count(cycle_detector[i], group));
  }
  if (cycle_detector.size() > 1) {
    const std::uint64_t first = cycle_detector[0].generation;
    const auto span = static_cast<float>(cycle_detector[cycle_detector.size() - 1].generation - first);
    const auto place = [&](const CycleDetector::Sample& one, std::uint32_t group) {
      const float x = static_cast<float>(one.generation - first) / span;
      const float y = static_cast<float>(static_cast<double>(count(one, group)) / static_cast<double>(most));
      return glm::vec2{low.x + x * width, low.y + height - 2 - y * (height - 4)};
    };
    // Later states are paler, as in the picture; the living cells are drawn last.
    for (std::uint32_t group = groups; group-- > 0;) {
      glm::vec4 colour = theme::colours().accent;
      colour.a *= 1 - 0.8f * static_cast<float>(group) / static_cast<float>(groups);
      for (std::size_t i = 1; i < cycle_detector.size(); ++i)
        list.AddLine(place(cycle_detector[i - 1], group), place(cycle_detector[i], group),
                     ImGui::GetColorU32(colour), 1.5f);
    }
  }
  if (ImGui::IsItemHovered() && cycle_detector.size() > 0) {
    const CycleDetector::Sample& last = cycle_detector[cycle_detector.size() - 1];
    Text text = format_text("Population over time: {} counts, generations {} to {}, maximum {}",
                            cycle_detector.size(), format_count(cycle_detector[0].generation),
                            format_count(last.generation), format_count(most));
    if (groups > 1) text.add(". Now {} alive", format_count(last.population));
    for (std::uint32_t group = 1; group < groups; ++group) {
      const bool is_state = states - 2 == groups - 1;
      text.add(", {} in {} {}", format_count(count(last, group)), is_state ? "state" : "part",
               is_state ? group + 1 : group);
    }
    tooltip(text);
  }
  const Text words = cycle_text(stats);
  elided_text(words.empty() ? std::string_view("No cycle detected") : std::string_view(words), width);
  tooltip(
      "A cycle is detected when population and state hash agree for two states, and again one period later");
}

void pattern_row(LifeEdit& edit) {
  const float third = equal_width(3);
  if (choice_button("Patterns", false, third, {}, "Bundled patterns, each with its fractal and rule"))
    edit.commands.browse_patterns = true;
  ImGui::SameLine();
  if (choice_button("Paste", false, third, {},
                    "Pastes a pattern (RLE or .cells) from the clipboard, then place it (Ctrl V). Ctrl O "
                    "opens pattern files"))
    edit.commands.pattern_key = PatternKey::kPaste;
  ImGui::SameLine();
  if (choice_button("Select all", false, remaining_width(), {},
                    "Selects the whole field (Ctrl A). Ctrl + drag selects a part"))
    edit.commands.pattern_key = PatternKey::kSelectAll;
}

}  // namespace

void workload_panel(LifeEdit& edit, const LifeStats& report) {
  if (!section("Workload")) return;
  workload_row(edit.settings);
  state_row(edit, report);
  cycle_rows(report);
  speed_row(edit.settings);
  if (edit.settings.workload == Workload::kSingleWrite) {
    row_label("Value");
    elided_text("stripes that move", remaining_width());
    tooltip("Stripes that move by one cell per generation");
  } else if (edit.settings.workload == Workload::kReduction) {
    reduction_row(edit.settings, report);
  }
  ImGui::Checkbox("Edit cells with the mouse", &edit.settings.edit_cells);
  tooltip("Click or drag on the picture to paint cells (E). Right drag moves the picture");
  if (const std::uint32_t states = states_of(edit.settings.work()); edit.settings.edit_cells && states > 2) {
    row_label("Brush");
    slider("##brush", &edit.settings.brush_state, 1u, states - 1,
           edit.settings.painted_state() == 1 ? "alive" : "state %u");
    tooltip("The state that the mouse paints. From a cell in this state on, it paints dead cells");
  }
  pattern_row(edit);
}

}  // namespace loom::app
