#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "app/explain/memory.h"
#include "app/explain/warp_memory_access.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/shell/frame_times.h"
#include "app/text/format.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"
#include "app/workspaces/life/panels/life_panels.h"
#include "compute/backend/emulation.h"
#include "compute/core/input_text.h"
#include "compute/device/energy.h"
#include "compute/engine/thread_count.h"
#include "compute/map/tiling.h"

namespace loom::app {

namespace {

Text utilization(const LifeStats& report) {
  return report.threads ? format_percent(thread_utilization(report.threads->threads_active,
                                                            report.threads->threads_launched))
                        : Text("not counted yet");
}

std::string_view kernel_of(const LifeStats& stats) {
  if (stats.work.workload == Workload::kSingleWrite) return "single_write_kernel";
  if (stats.work.workload == Workload::kReduction) return "reduction_kernel";
  return explain::kernel_name(explain::life_kernel_of(stats.config.method, stats.space.tiled()));
}

// The launch as CUDA code. Bit-packed storage has other kernels, without tiles.
void launch_code(const LifeStats& stats) {
  const FractalConfig& config = stats.config;
  if (!explain::has_tiles(config)) return;
  const LaunchShape shape = stats.space.launch_shape(config.method.map);
  const GpuLaunch launch = gpu_launch(config.method, stats.space.tiled(), shape);
  Text code = format_text("{}\n  <<<dim3({}, {}),", kernel_of(stats), launch.blocks_x, launch.blocks_y);
  if (config.method.map == MapKind::kBoundingBox) {
    code.add("\n     dim3({}, {}, {})>>>", shape.threads_x, shape.threads_y, launch.tiling.tiles());
  } else {
    code.add(" {}>>>", launch.threads);
  }
  if (ImGui::Selectable(code.c_str())) ImGui::SetClipboardText(code.c_str());
  const std::uint32_t warps = (launch.threads + explain::kWarpLanes - 1) / explain::kWarpLanes;
  tooltip(
      format_text("{}: {} thread blocks of {} threads, in {} warps each. Click copies it. Registers, shared "
                  "memory and occupancy: Timeline (Q)",
                  stats.backend.device.on_host ? "The launch on a GPU" : "The launch of one generation",
                  format_count(launch.thread_blocks()), launch.threads, warps));
}

// Counted by the engine, thread by thread, not derived from formulas.
void counts_table(const LifeStats& report) {
  launch_code(report);
  if (!begin_rows("##counts", 0.83f)) return;
  const auto counted = [&](std::uint64_t ThreadCount::*figure) {
    return report.threads ? format_count((*report.threads).*figure) : "not counted yet";
  };
  row("Launched tiles", counted(&ThreadCount::tiles_launched));
  if (report.threads && report.threads->thread_blocks != 0) {
    tooltip(format_text("In {} thread blocks", counted(&ThreadCount::thread_blocks)));
  }
  row("Launched threads", counted(&ThreadCount::threads_launched));
  row("Active threads", counted(&ThreadCount::threads_active));
  row("Thread utilization", utilization(report), kUtilizationMeaning);
  row("Memory, 2 generations", format_bytes(report.allocated_bytes),
      "Allocated for cells: the engine reads one generation and writes the other");
  ImGui::EndTable();
}

void map_row(MapKind map, const LifeStats& report) {
  const MapComparison& comparison = report.comparison;
  const auto& time = comparison.maps[static_cast<std::size_t>(map)];
  const auto& box = comparison.maps[static_cast<std::size_t>(MapKind::kBoundingBox)];
  const bool current = report.config.method.map == map;
  ImGui::TableNextRow();
  if (current) ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, ImGui::GetColorU32(ImGuiCol_FrameBgHovered));
  ImGui::TableNextColumn();
  Text label = label_of(map);
  if (map == MapKind::kCompact && time) label.append(time->method.halo ? ", halo" : ", no halo");
  ImGui::TextUnformatted(label.c_str());
  if (map != MapKind::kBoundingBox && time) {
    tooltip(format_text("Map arithmetic {}, intra-block mapping {}", name_of(time->method.arithmetic),
                        name_of(time->method.intra_block)));
  }
  ImGui::TableNextColumn();
  if (!time) {
    ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().muted);
    if (map == MapKind::kLambda && report.config.method.storage == CellStorage::kBits) {
      right_aligned("bytes only");
      ImGui::TableNextColumn();
      ImGui::PopStyleColor();
      return;
    }
    right_aligned(current ? "no step yet" : "not measured");
    ImGui::TableNextColumn();
    right_aligned(current ? "" : "press K");
    ImGui::PopStyleColor();
    return;
  }
  right_aligned(format_time(time->milliseconds));
  ImGui::TableNextColumn();
  if (!box) {
    muted_value("press K");
  } else if (are_comparable(box->milliseconds, time->milliseconds)) {
    right_aligned(format_speedup(box->milliseconds, time->milliseconds));
  } else {
    muted_value("too small");
    tooltip(kTooSmallMeaning);
  }
}

const char* name_of_one(Workload workload) {
  return value_for<Workload::kLife>({"Single write", "Reduction", "Generation"}, workload);
}

void maps_table(const LifeStats& report) {
  if (!ImGui::BeginTable("##maps", 3)) return;
  ImGui::TableSetupColumn("map", ImGuiTableColumnFlags_WidthStretch, 1.4f);
  ImGui::TableSetupColumn("step", ImGuiTableColumnFlags_WidthStretch, 1.15f);
  ImGui::TableSetupColumn("ratio", ImGuiTableColumnFlags_WidthStretch, 0.85f);
  muted_titles({name_of_one(report.work.workload), "Step", "Speedup"});
  for (const MapKind map : kMapKinds) map_row(map, report);
  ImGui::EndTable();
  tooltip(
      "Median times at this fractal, level, tile size, workload, generations per frame and backend, and the "
      "speedup over the bounding box. Only times measured in the same way are compared.");
  note(report.comparison.benchmarked ? "Benchmarked back to back with rendering paused, after a warm-up."
                                     : "Live timing, with rendering between steps.");
}

void benchmark_row(LifeEdit& edit, const LifeStats& report) {
  if (!report.measuring.what.empty()) {
    ImGui::ProgressBar(static_cast<float>(report.measuring.share), {-1, ImGui::GetTextLineHeight()}, "");
  } else if (ImGui::SmallButton("Benchmark all (K)")) {
    measure_maps(edit);
  }
  // The benchmark's key scrolls to this row.
  if (edit.commands.measure_maps) ImGui::SetScrollHereY(1);
  tooltip(
      "Benchmarks all three maps and loop arithmetic back to back on separate engines, after a warm-up, for "
      "about 0.3 s each. The simulation pauses meanwhile; its cells do not change.");
}

// The map arithmetic, and its cost compared with loop arithmetic at the same settings.
void arithmetic_row(const LifeStats& report) {
  const FractalConfig& config = report.config;
  const bool has_arithmetic = config.method.map != MapKind::kBoundingBox;
  const bool emulated =
      is_arithmetic_emulated(report.backend.device, config.method.map, config.method.arithmetic);
  const auto& now = report.comparison.selected_ms;
  const auto& loop = report.comparison.loop_ms;
  if (!begin_rows("##arithmetic", 1.75f)) return;
  row("Arithmetic",
      !has_arithmetic ? "none (identity)"
                      : format_text("{}{}", name_of(config.method.arithmetic), emulated ? ", emulated" : ""));
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted("vs loop");
  tooltip(
      "Time per generation minus the time with loop arithmetic at the same settings, both measured in the "
      "same way");
  ImGui::TableNextColumn();
  if (!has_arithmetic) {
    muted_value("not applicable");
  } else if (config.method.arithmetic == MapArithmetic::kLoop) {
    muted_value("is loop");
  } else if (!now || !loop) {
    muted_value("press K");
  } else if (!are_comparable(*now, *loop)) {
    muted_value(format_speedup(*loop, *now).c_str());
    tooltip(kTooSmallMeaning);
  } else {
    const double extra = *now - *loop;
    const char* const sign = extra < 0 ? "−" : "+";
    right_aligned(format_text("{}{} ({}{})", sign, format_time(std::abs(extra)), sign,
                              format_percent(std::abs(extra) / std::max(*loop, 1e-9))));
  }
  ImGui::EndTable();
}

void step_row(const LifeStats& report) {
  if (!begin_rows("##step", 0.83f)) return;
  const auto& benchmarked = report.comparison.selected_ms;
  if (report.comparison.benchmarked && benchmarked) {
    row("Step time", format_time(*benchmarked),
        "Median time of one generation, benchmarked back to back with rendering paused (K)");
  } else {
    row("Step time (live)", report.generation.samples > 0 ? format_time(report.generation.median) : "–",
        "Median time of one generation of this pane, with rendering between steps, since its method last "
        "changed. K benchmarks the maps back to back with rendering paused");
  }
  if (report.steps_in_background) tooltip("Steps run in the background");
  ImGui::EndTable();
}

/// Counts the generations of the frames while the scene plays, and the time of a pause as idle.
void advance(EnergyPanelState& state, const LifeStats& report, bool playing) {
  EnergyMeter& meter = *state.meter;
  if (playing && state.was_playing && report.generations > state.generations) {
    meter.add(report.generations - state.generations);
    if (meter.finished()) {
      state.use = meter.use();
      meter.begin();
    }
  } else if (playing != state.was_playing) {
    if (playing) meter.take_idle();
    meter.begin();
  }
  state.was_playing = playing;
  state.generations = report.generations;
}

void energy_rows(EnergyPanelState& state, const LifeEdit& edit, const LifeStats& report) {
  if (!state.meter) {
    if (ImGui::SmallButton("Measure energy")) {
      state = {};
      state.meter.emplace(each_device(report.backend));
      state.meter->begin();
    }
    tooltip(
        "Reads the sensor of the device (NVML, or RAPL on the CPU) while the scene plays. It sees the whole "
        "device, rendering too; bench --energy measures generations alone");
    return;
  }
  advance(state, report, edit.settings.playing);
  if (!begin_rows("##energy", 0.83f)) return;
  if (const std::string& problem = state.meter->problem(); !problem.empty()) {
    row("Energy", "no sensor", problem);
  } else if (!state.use) {
    row("Energy per generation", edit.settings.playing ? "measuring" : "–",
        "Known after two seconds of play");
  } else {
    const EnergyUse& use = *state.use;
    row("Energy per generation", format_joules(use.joules),
        format_text("{} to {} in windows of half a second, rendering included; {}", format_joules(use.least),
                    format_joules(use.most), use.sensor));
    row("Cells per joule",
        format_count(static_cast<std::uint64_t>(static_cast<double>(report.cells) / use.joules)));
    row("Power", format_text("{:.1f} W", use.watts));
    row("Idle power", use.idle_watts > 0 ? format_percent(use.idle_share()) : Text("pause 3 s"),
        "Power during the last pause of at least three seconds, as a part of the power while the scene "
        "plays");
  }
  ImGui::EndTable();
}

}  // namespace

void metrics_panel(EnergyPanelState& energy, LifeEdit& edit, const LifeStats& report, bool compares_maps) {
  const ScopedControlMark marked(Control::kMetrics);
  counts_table(report);
  if (!compares_maps) step_row(report);
  ImGui::Separator();
  if (!compares_maps) maps_table(report);
  benchmark_row(edit, report);
  if (!compares_maps) arithmetic_row(report);
  energy_rows(energy, edit, report);
  program_timing(report.times, !report.backend.device.on_host, edit.shell);
}

namespace {

constexpr std::size_t kEarlySamples = 8;
constexpr const char* kLive =
    "Live: median time per generation while the window draws, one pane after another; speedup over "
    "the bounding box, rounded. K benchmarks the maps with rendering paused and marks the fastest";

// Benchmarked times replace the live ones if all panes have one, so that equal conditions are compared.
void use_benchmark(ScoreList& scores, const LifeStats& stats, std::span<const FractalConfig* const> configs) {
  if (!stats.comparison.benchmarked) return;
  std::array<double, kMaxScores> times{};
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const FractalConfig& config = *configs[i];
    const auto& time = stats.comparison.maps[static_cast<std::size_t>(config.method.map)];
    const bool same = is_same_field(config, stats.config) && config.tile_size == stats.config.tile_size;
    if (!time || !same || time->method != config.method) return;
    times[i] = time->milliseconds;
  }
  for (std::size_t i = 0; i < configs.size(); ++i) {
    MapScoreValues& one = scores.values(i);
    one.step_ms = times[i];
    one.is_live = one.is_early = false;
  }
}

/// The scores of the panes of cells, the active one first, and their memory strips, if any.
ScoreList scores_of(const LifeStats& stats, const SecondaryPanes& panes, MemoryStrips* strips,
                    const std::optional<Coord64>& cell) {
  ScoreList scores;
  std::array<const FractalConfig*, kMaxScores> configs{};
  if (strips != nullptr) strips->begin_frame(cell);
  const auto add = [&](std::size_t pane, const FractalConfig& config, std::uint64_t bytes,
                       const StageStats& step, const std::optional<ThreadCount>& threads) {
    configs[scores.size()] = &config;
    scores.add(pane, config.method.map,
               {.step_ms = step.samples > 0 ? std::optional(step.median) : std::nullopt,
                .is_live = true,
                .is_early = step.samples < kEarlySamples,
                .threads = threads,
                .bytes = bytes});
    if (strips != nullptr) strips->add(pane, config, bytes);
  };
  add(0, stats.config, stats.allocated_bytes, stats.generation, stats.threads);
  for (std::size_t i = 0; i < panes.all().size() && scores.size() < kMaxScores; ++i) {
    if (!panes.all()[i].runs()) continue;
    const Pane& pane = *panes.all()[i].pane;
    add(i + 1, pane.async_engine->config(), pane.async_engine->allocated_bytes(), pane.generation_stats(),
        pane.threads);
  }
  use_benchmark(scores, stats, std::span(configs).first(scores.size()));
  return scores;
}

}  // namespace

void ScoreList::add(std::size_t pane, MapKind map, const MapScoreValues& values) {
  panes_[count_] = pane;
  maps_[count_] = map;
  values_[count_] = values;
  values_[count_++].accent = colour_of(map);
}

Text ScoreList::verdict() const {
  static constexpr std::array<std::string_view, kMaxScores> kPanes = {"pane 1", "pane 2", "pane 3", "pane 4"};
  ScoreValues times;
  std::array<std::string_view, kMaxScores> names = kPanes;
  bool is_live = false;
  std::array<int, kMapKinds.size()> panes_of_map{};
  for (std::size_t i = 0; i < count_; ++i) ++panes_of_map[static_cast<std::size_t>(maps_[i])];
  const bool are_maps = std::ranges::all_of(panes_of_map, [](int count) { return count <= 1; });
  for (std::size_t i = 0; i < count_; ++i) {
    times.add(values_[i].is_early ? std::nullopt : values_[i].step_ms);
    is_live |= values_[i].is_live;
    names[i] = are_maps ? std::string_view(label_of(maps_[i])) : kPanes.at(panes_[i]);
  }
  Text text = verdict_of(times, names, is_live);
  if (!text.empty()) text.append(is_live ? " (live times)" : " (benchmarked with rendering paused)");
  return text;
}

void ScoreList::draw(const std::vector<PaneArea>& areas, const char* live_meaning, const Below& below) const {
  const bool in_dock = !has_score_room(areas);
  std::optional<ScopedControlMark> marked;
  if (in_dock) marked.emplace(Control::kPanesMetrics);
  const std::span<const MapScoreValues> all(values_.data(), count_);
  const bool is_timed =
      std::ranges::all_of(all, [](const MapScoreValues& one) { return one.step_ms.has_value(); });
  draw_verdict(areas, verdict(),
               is_timed ? "Too few step times to compare yet. Space plays the scene"
                        : "Not every pane has a step time yet. Space plays the scene",
               live_meaning);
  const MapScoreValues* box = nullptr;
  for (std::size_t i = count_; i-- > 0;) {
    if (maps_[i] == MapKind::kBoundingBox) box = &values_[i];
  }
  for (std::size_t i = 0; i < count_; ++i) {
    if (in_dock) {
      ImGui::TextUnformatted(label_of(maps_[i]));
    } else {
      begin_score(format_text("##score {}", panes_[i]).c_str(), areas[panes_[i]].score);
    }
    map_score_rows(all, i, box,
                   values_[i].is_live
                       ? live_meaning
                       : "Benchmarked time per generation, with rendering paused; speedup over the bounding "
                         "box");
    below(panes_[i]);
    if (in_dock) continue;
    if (panes_[i] == 0) mark_window(Control::kPanesMetrics);
    ImGui::End();
  }
  if (in_dock) ImGui::Separator();
}

Text scoreboard_verdict(const LifeStats& stats, const SecondaryPanes& panes) {
  if (panes.cell_pane_count() == 0) return {};
  return scores_of(stats, panes, nullptr, {}).verdict();
}

float scoreboard_height(const SecondaryPanes& panes) {
  return panes.cell_pane_count() == 0 ? 0 : score_height(kMapScoreRows) + kStripHeight;
}

void scoreboard(const LifeStats& stats, const SecondaryPanes& panes, const std::vector<PaneArea>& areas,
                MemoryStrips& strips, const std::optional<Coord64>& cell) {
  if (has_score_room(areas)) {
    scores_of(stats, panes, &strips, cell).draw(areas, kLive, [&](std::size_t pane) { strips.draw(pane); });
  } else if (!needs_scoreboard_section(panes, areas)) {
    strips.begin_frame({});
  }
}

void scoreboard_section(const LifeStats& stats, const SecondaryPanes& panes, MemoryStrips& strips,
                        const std::optional<Coord64>& cell) {
  scores_of(stats, panes, &strips, cell).draw({}, kLive, [&](std::size_t pane) { strips.draw(pane); });
}

bool needs_scoreboard_section(const SecondaryPanes& panes, const std::vector<PaneArea>& areas) {
  return panes.cell_pane_count() > 0 && !has_score_room(areas);
}

namespace {

constexpr float kStripBar = 0.9f;  // in font sizes

void strip_text(ImDrawList& list, glm::vec2 at, std::string_view text, bool marked) {
  list.AddText(at, ImGui::GetColorU32(marked ? theme::colours().text : theme::colours().muted), text.data(),
               text.data() + text.size());
}

// White, with the occupancy of each column as its alpha.
void upload_columns(const explain::MemoryStrip& strip, render::ColourTexture& texture) {
  std::vector<std::uint32_t> colours(explain::MemoryStrip::kColumns);
  for (std::size_t i = 0; i < colours.size(); ++i) {
    const float occupancy = strip.occupancy(i);
    const float alpha = occupancy > 0 ? 0.12f + 0.78f * occupancy : 0;
    colours[i] = IM_COL32(255, 255, 255, static_cast<ImU32>(255 * alpha + 0.5f));
  }
  texture.upload({static_cast<int>(colours.size()), 1}, colours);
}

}  // namespace

void MemoryStrips::begin_frame(const std::optional<Coord64>& cell) {
  cell_ = cell;
  hovered_.reset();
  for (PaneStrip& one : panes_) one.shown = false;
}

void MemoryStrips::add(std::size_t pane, const FractalConfig& config, std::uint64_t allocated) {
  PaneStrip& one = panes_[pane];
  if (!one.strip || one.strip->config() != config) {
    explain::MemoryStrip strip(config);
    if (strip.has_cells()) upload_columns(strip, one.columns);
    one.strip.emplace(std::move(strip));
  }
  one.shown = true;
  one.allocated = allocated;
}

double MemoryStrips::most_bytes() const {
  double most = 1;
  for (const PaneStrip& one : panes_) {
    if (one.shown) most = std::max(most, static_cast<double>(one.strip->bytes().value_or(0)));
  }
  return most;
}

void MemoryStrips::draw(std::size_t pane) {
  PaneStrip& one = panes_[pane];
  if (!one.shown) return;
  const explain::MemoryStrip& strip = *one.strip;
  one.drawn = {};
  const float font = ImGui::GetFontSize();
  const glm::vec2 corner = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  const float line = ImGui::GetTextLineHeight();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (!strip.bytes()) {
    strip_text(list, corner, "A generation exceeds 64-bit addresses", false);
    ImGui::Dummy({room, line + kStripBar * font});
    return;
  }
  const double share = static_cast<double>(*strip.bytes()) / most_bytes();
  const float width = std::max(1.0f, room * static_cast<float>(share));
  const glm::vec2 low = corner + glm::vec2{0, line + 1};
  const glm::vec2 high = low + glm::vec2{width, kStripBar * font};
  one.drawn.area = {low, high - low};
  const glm::vec3 accent(colour_of(strip.config().method.map));
  list.AddRect(low, low + glm::vec2{room, kStripBar * font}, ImGui::GetColorU32(theme::colours().hover));
  list.AddRectFilled(low, high, ImGui::GetColorU32(theme::colours().raised));
  if (strip.has_cells()) {
    list.AddImage(imgui_compat::texture_id(one.columns.gl_name()), low, high, {0, 0}, {1, 1},
                  ImGui::GetColorU32(glm::vec4(accent, 1)));
  } else {
    list.AddRectFilled(low, high, ImGui::GetColorU32(glm::vec4(accent, 0.6f)));
  }
  list.AddRect(low, high, ImGui::GetColorU32(glm::vec4(accent, 1)));

  const auto place = cell_ ? strip.place_of(*cell_) : std::nullopt;
  Text words;
  if (place) {
    const double at = (static_cast<double>(place->byte) + 0.5) / static_cast<double>(*strip.bytes());
    const float x = low.x + width * static_cast<float>(at);
    one.drawn.marked_x = x;
    one.drawn.place = place;
    list.AddTriangleFilled({x - 0.35f * font, low.y - 0.1f * font}, {x + 0.35f * font, low.y - 0.1f * font},
                           {x, low.y + 0.3f * font}, ImGui::GetColorU32(theme::colours().text));
    const theme::Overlay& marks = theme::overlay(theme::in_force() == Theme::kLight);
    list.AddLine({x, low.y}, {x, high.y}, marks.edge, 4);
    list.AddLine({x, low.y}, {x, high.y}, marks.hovered, 2);
    words.add("byte {}", format_count(place->byte));
    const std::size_t byte_only = words.size();
    if (place->thread) words.add(" ← thread {}", format_count(*place->thread));
    if (text_width(words) > room) words.cut(byte_only);
    const float text = text_width(words);
    // Beside the mark, inside the pane.
    const float left = std::clamp(x - text / 2, corner.x, std::max(corner.x, corner.x + room - text));
    strip_text(list, {left, corner.y}, words, true);
  } else {
    words.add("{}", format_bytes(*strip.bytes()));
    const std::size_t bytes_only = words.size();
    words.append(" per generation");
    const std::size_t one_only = words.size();
    if (one.allocated == 2 * *strip.bytes()) words.append(", 2 stored");
    if (text_width(words) > room) words.cut(one_only);
    if (text_width(words) > room) words.cut(bytes_only);
    strip_text(list, corner, words, false);
  }
  ImGui::Dummy({room, line + 1 + kStripBar * font});
  if (ImGui::IsItemHovered() && strip.has_cells())
    hovered_ = strip.cell_at(static_cast<double>((ImGui::GetIO().MousePos.x - low.x) / width));
  tooltip(
      "One of the two stored generations, computed, to the same scale in all panes. Bright: bytes of cells; "
      "dark: bytes of holes. Hover a byte to see its cell");
}

}  // namespace loom::app
