#include "app/workspaces/life/panels/thread_map_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <initializer_list>

#include "app/explain/bit_storage_text.h"
#include "app/gui/theme.h"
#include "app/shell/backend_row.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/item_area.h"
#include "app/workspaces/life/panels/launch_diagram.h"
#include "app/workspaces/life/scene/fp16_warning.h"
#include "app/workspaces/life/scene/life_device_settings.h"
#include "app/workspaces/life/scene/life_setting_changes.h"
#include "compute/backend/emulation.h"
#include "compute/engine/work_costs.h"
#include "compute/geometry/tile_sizes.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/tiling.h"

namespace loom::app {
namespace {

const char* explanation_of(MapKind map) {
  switch (map) {
    case MapKind::kBoundingBox:
      return "One thread per point of the square, hole or cell. Threads on holes are idle.";
    case MapKind::kLambda:
      return "Tiles only where cells are: λ maps the tile index ω to the tile position. Cells are stored in "
             "the square.";
    case MapKind::kCompact:
      return "As λ, and holes take no memory: ν, the inverse of λ, finds where a neighbouring cell is "
             "stored.";
  }
  return "";
}

void map_choice(LifeEdit& edit) {
  const ScopedControlMark marked(Control::kMap);
  FractalConfig& config = edit.settings.config;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x / 2;
  const float width = remaining_width() - 2 * gap;
  const auto button = [&](MapKind map, const char* label, float share, const char* hint) {
    const float room = share > 0 ? width * share : remaining_width();
    if (choice_button(label, config.method.map == map, room, {}, hint)) set_map(config, map);
  };
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  button(MapKind::kBoundingBox, "1  bounding box", 0.44f,
         "Launches a thread for every point of the square (1)");
  ImGui::SameLine(0, gap);
  button(MapKind::kLambda, "2  λ", 0.20f,
         "Launches only tiles with cells; cells are stored in the square (2)");
  ImGui::SameLine(0, gap);
  button(MapKind::kCompact, "3  compact", 0,
         "Launches only tiles with cells; stores only these, found by λ and ν (3)");
  ImGui::PopStyleVar();
  note(explanation_of(config.method.map));
}

using BlockChoice = ThreadMapPanelState::Block;

// All powers of the scale up to the first one with too many threads; those that are not allowed have a
// reason.
std::vector<BlockChoice> block_choices(const FractalConfig& config) {
  const NbbShape& shape = config.fractal.shape();
  const auto allowed = allowed_tile_sizes(config.fractal, config.level);
  std::vector<BlockChoice> choices(1);
  if (shape.s_x == 1) return choices;
  for (int j = 1;; ++j) {
    const BlockChoice& last = choices.back();
    BlockChoice next;
    next.rho_x = last.rho_x * shape.s_x;
    next.rho_y = last.rho_y * shape.s_y;
    const std::uint64_t threads = std::uint64_t{next.rho_x} * next.rho_y;
    if (threads > kMaxBlockThreads) {
      next.problem = fmt::format("{} × {} = {} threads: a thread block has at most {}", next.rho_x,
                                 next.rho_y, format_count(threads), kMaxBlockThreads);
      choices.push_back(next);
      return choices;
    }
    if (std::find(allowed.begin(), allowed.end(), next.rho_x) == allowed.end()) {
      next.problem = fmt::format("A tile of {} × {} needs level {} or higher", next.rho_x, next.rho_y, j);
    }
    choices.push_back(next);
  }
}

// One row if all numbers fit, otherwise as many per row as fit.
void block_choice(const std::vector<BlockChoice>& choices, FractalConfig& config) {
  const ScopedControlMark marked(Control::kBlock);
  row_label("Tile size ρ");
  tooltip("ρ is the side of a tile: ρ × ρ neighbouring points, computed by one group of threads.");
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x / 2;
  const float start = ImGui::GetCursorPosX();
  const float room = remaining_width() + gap;
  const float widest =
      ImGui::CalcTextSize(choices.back().label.c_str()).x + ImGui::GetFontSize() * 0.2f + gap;
  const auto count = static_cast<int>(choices.size());
  const int columns = std::clamp(static_cast<int>(room / widest), 1, count);
  const float width = room / static_cast<float>(columns) - gap;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  for (int i = 0; i < count; ++i) {
    const BlockChoice& choice = choices[static_cast<std::size_t>(i)];
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

const char* explanation_of(MapArithmetic arithmetic) {
  switch (arithmetic) {
    case MapArithmetic::kLoop:
      return "Level by level: one thread loops and shares the result with its tile";
    case MapArithmetic::kShuffle:
      return "A warp computes one λ or ν: one level per lane, then a shuffle reduction, as in the papers";
    case MapArithmetic::kTable:
      return "Tables of several levels at a time: one thread makes a few loads and shares the result with "
             "its tile";
    case MapArithmetic::kTensor1:
      return "One matrix product on tensor cores computes the position of one tile";
    case MapArithmetic::kTensor2:
      return "One matrix product computes the positions of the four tiles of a 2ρ × 2ρ thread block";
    case MapArithmetic::kTensor3:
      return "Matrix products compute the coordinate of every thread";
    case MapArithmetic::kTensor:
      return "One matrix product finds all eight neighbours of a tile with ν";
    case MapArithmetic::kTensorFp16:
      return "The papers' plain FP16 weights, which are wrong at levels where they do not fit";
  }
  return "";
}

const char* explanation_of(IntraBlock intra_block) {
  switch (intra_block) {
    case IntraBlock::kSubBox:
      return "Sub-box: one thread per point of the tile; threads on holes are idle";
    case IntraBlock::kUnrolled:
      return "Unrolled: one thread per cell of the tile; λ of the thread index finds the cell. No idle "
             "threads";
    case IntraBlock::kLookup:
      return "Lookup: one thread per cell of the tile; one load from a table finds the cell. No idle threads";
  }
  return "";
}

constexpr const char* kIdentity = "The bounding box is the identity map: each thread computes its own point";

// One button of a row; disabled if `problem` gives a reason.
template <typename Choice>
void choose(const char* label, Choice choice, Choice& chosen, bool selected, float width,
            std::string_view problem, std::string_view hint) {
  if (choice_button(label, selected, width, problem, hint)) chosen = choice;
}

void intra_block_choice(FractalConfig& config) {
  const ScopedControlMark marked(Control::kIntraBlock);
  row_label("Intra-block");
  tooltip("Intra-block mapping: how the threads of a tile find their cells (I)");
  const bool has_choice = config.method.map != MapKind::kBoundingBox;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x / 2;
  const float width = (remaining_width() + gap) / static_cast<float>(kIntraBlocks.size()) - gap;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  for (const IntraBlock choice : kIntraBlocks) {
    if (choice != kIntraBlocks.front()) ImGui::SameLine(0, gap);
    choose(Text(name_of(choice)).c_str(), choice, config.method.intra_block,
           has_choice && config.method.intra_block == choice, width, has_choice ? "" : kIdentity,
           explanation_of(choice));
  }
  ImGui::PopStyleVar();
  keep_method_valid(config);
}

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

// Why an arithmetic is not possible with the other settings and an automatic number of tiles.
std::string arithmetic_problem(FractalConfig config, MapArithmetic arithmetic) {
  if (config.method.map == MapKind::kBoundingBox) return kIdentity;
  config.method.arithmetic = arithmetic;
  config.method.tiles = 0;
  return capital(
      method_problem(config.method, make_tiled_fractal(config.fractal, config.level, config.tile_size)));
}

std::vector<DeviceCountOption> device_choices(const FractalConfig& config, std::size_t devices_available,
                                              const Device& device) {
  std::vector<DeviceCountOption> choices = device_counts(devices_available, device);
  for (DeviceCountOption& one : choices) {
    one.problem = capital(no_devices_reason(config, one.count, devices_available, device));
    one.hint =
        one.count == 1 ? "All cells on one device"
        : device.simulated_devices > 0
            ? fmt::format("Distributes the cells over {} partitions of the CPU, as over GPUs. Not faster",
                          one.count)
            : fmt::format("Distributes the cells over {} GPUs, which exchange their halo in each generation",
                          one.count);
  }
  return choices;
}

// Rewrites labels and tooltips of all choices after the configuration has changed.
void describe(ThreadMapPanelState& state, const FractalConfig& config, const LifeStats& report) {
  const Device& device = report.backend.device;
  const bool simulated = device.simulated_devices > 0;
  if (state.of == config && state.devices_available == report.devices.size() && state.simulated == simulated)
    return;
  state.of = config;
  state.devices_available = report.devices.size();
  state.simulated = simulated;
  state.devices = device_choices(config, state.devices_available, device);
  state.blocks = block_choices(config);
  for (BlockChoice& block : state.blocks) {
    block.label = std::to_string(block.rho_x);
    block.hint = fmt::format("Tiles of {} × {} points ([ and ])", block.rho_x, block.rho_y);
  }
  state.fp16_limits = fp16_limits(config);
  for (const MapArithmetic arithmetic : kMapArithmetics) {
    ThreadMapPanelState::Choice& choice = state.arithmetics[static_cast<std::size_t>(arithmetic)];
    choice.label = name_of(arithmetic);
    if (is_arithmetic_emulated(device, MapKind::kCompact, arithmetic)) choice.label += '*';
    choice.problem = arithmetic_problem(config, arithmetic);
    choice.hint = explanation_of(arithmetic);
    if (!is_exact(arithmetic)) {
      choice.hint += ". For teaching; inexact. Here ";
      choice.hint += state.fp16_limits.empty() ? "they fit" : state.fp16_limits;
    }
  }
  for (const CellStorage storage : kCellStorages) {
    ThreadMapPanelState::Choice& choice = state.storages[static_cast<std::size_t>(storage)];
    MapMethod method = config.method;
    method.storage = storage;
    choice.label = name_of(storage);
    choice.problem.clear();
    if (storage == CellStorage::kBits)
      choice.problem =
          capital(method_problem(method, make_tiled_fractal(config.fractal, config.level, config.tile_size)));
    choice.hint = storage == CellStorage::kBytes
                      ? "Byte storage: one byte per cell, one cell per thread"
                      : "Bit-packed storage: one bit per cell. Compact uses bit planes, the bounding box "
                        "rows of 64 points. A thread computes whole words";
  }
  state.bits = explain::has_tiles(config) ? std::string() : explain::bit_layout_text(config);
  MapMethod automatic = config.method;
  automatic.tiles = 0;
  const TiledFractal tiled = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  state.automatic_tiles = fmt::format("auto ({})", tiling_of(automatic, tiled).tiles());
}

constexpr const char* kEmulated = "* emulated";

/// The tooltip of the label in front of a row of arithmetics; empty for an empty label.
const char* meaning_of(std::string_view label) {
  if (label == "Arithmetic")
    return "Map arithmetic: how λ (tile index to tile position) and ν (its inverse) are computed (A)";
  if (label == kEmulated)
    return "* The CPU has neither warps nor tensor cores. It computes the same result in plain loops, and "
           "its times say nothing about a GPU.";
  if (label == "warp-level") return "The 32 threads of a warp compute one λ or ν together.";
  if (label == "inexact")
    return "FP16 weights are too short for deep levels, and cells get wrong positions. For teaching.";
  return "";
}

void arithmetic_row(const ThreadMapPanelState& state, const char* label, bool muted,
                    std::initializer_list<MapArithmetic> row, FractalConfig& config) {
  if (muted) ImGui::PushStyleColor(ImGuiCol_Text, theme::kWarning);
  row_label(label);
  if (muted) ImGui::PopStyleColor();
  if (const char* const meaning = meaning_of(label); *meaning != '\0') tooltip(meaning);
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x / 2;
  const float width = (remaining_width() + gap) / static_cast<float>(row.size()) - gap;
  for (const MapArithmetic arithmetic : row) {
    if (arithmetic != *row.begin()) ImGui::SameLine(0, gap);
    const ThreadMapPanelState::Choice& choice = state.arithmetics[static_cast<std::size_t>(arithmetic)];
    choose(choice.label.c_str(), arithmetic, config.method.arithmetic,
           config.method.map != MapKind::kBoundingBox && config.method.arithmetic == arithmetic, width,
           choice.problem, choice.hint);
  }
}

// The CPU emulates all arithmetics but those of the first row; an asterisk marks them.
void arithmetic_choice(const ThreadMapPanelState& state, FractalConfig& config, const Device& device) {
  using enum MapArithmetic;
  const ScopedControlMark marked(Control::kArithmetic);
  const bool emulated = !device.warps;

  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  arithmetic_row(state, "Arithmetic", false, {kLoop, kTable}, config);
  arithmetic_row(state, emulated ? kEmulated : "warp-level", emulated, {kShuffle, kTensor}, config);
  arithmetic_row(state, "", false, {kTensor1, kTensor2, kTensor3}, config);
  arithmetic_row(state, "inexact", true, {kTensorFp16}, config);
  ImGui::PopStyleVar();
  keep_method_valid(config);
  if (config.method.map != MapKind::kBoundingBox && !is_exact(config.method.arithmetic)) {
    warning(format_text("tensor-fp16 is inexact, for teaching: {}",
                        state.fp16_limits.empty() ? "its weights fit at this level" : state.fp16_limits));
  }
}

void halo_choice(FractalConfig& config) {
  const bool compact = config.method.map == MapKind::kCompact;
  ImGui::BeginDisabled(!compact);
  ImGui::Checkbox("halo", &config.method.halo);
  ImGui::EndDisabled();
  mark_item(Control::kHalo);
  tooltip(compact
              ? "Each tile stages its cells and its halo in shared memory, so that ν is evaluated once per "
                "neighbouring tile and not once per neighbouring cell."
              : "Only the compact map finds neighbours with ν; the other maps read them from the square.");
}

void tiles_and_halo_choice(const ThreadMapPanelState& state, FractalConfig& config, const Device& device) {
  row_label("Tiles/block");
  tooltip("Tiles per thread block. A tile is ρ × ρ points; a CUDA thread block holds one or more tiles.");
  const auto text = [](std::uint32_t tiles) { return format_text("{} per thread block", tiles); };
  const Text preview =
      config.method.tiles == 0 ? Text(state.automatic_tiles) : format_text("{}", config.method.tiles);
  ImGui::SetNextItemWidth(remaining_width() - ImGui::GetFontSize() * 4.5f);
  if (ImGui::BeginCombo("##tiles", preview.c_str())) {
    if (ImGui::Selectable(state.automatic_tiles.c_str(), config.method.tiles == 0)) config.method.tiles = 0;
    const TiledFractal tiled = make_tiled_fractal(config.fractal, config.level, config.tile_size);
    for (const std::uint32_t tiles : allowed_tiles(config.method, tiled)) {
      if (ImGui::Selectable(text(tiles).c_str(), config.method.tiles == tiles)) config.method.tiles = tiles;
    }
    ImGui::EndCombo();
  }
  mark_item(Control::kTiles);
  tooltip(device.warps ? "Tiles per CUDA thread block. Several small tiles per block are faster"
                       : "Tiles per CUDA thread block. On the CPU this changes only the counts");
  ImGui::SameLine();
  halo_choice(config);
}

void storage_choice(const ThreadMapPanelState& state, FractalConfig& config) {
  row_label("Cell storage");
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x / 2;
  const float width = (remaining_width() + gap) / static_cast<float>(kCellStorages.size()) - gap;
  for (const CellStorage storage : kCellStorages) {
    if (storage != kCellStorages.front()) ImGui::SameLine(0, gap);
    const ThreadMapPanelState::Choice& choice = state.storages[static_cast<std::size_t>(storage)];
    choose(choice.label.c_str(), storage, config.method.storage, config.method.storage == storage, width,
           choice.problem, choice.hint);
  }
}

void device_choice(ThreadMapPanelState& state, LifeSettings& settings, const BackendSelection& runs) {
  devices_row(
      state.devices, settings.devices, state.simulated,
      "Number of devices that the cells are distributed over, in contiguous ranges of the canonical order");
  if (state.simulated && runs.devices() > 1)
    note("Partitions of one CPU show the distribution of cells. They are not faster.");
}

}  // namespace

void thread_map_panel(ThreadMapPanelState& state, LifeEdit& edit, const LifeStats& report) {
  if (!section("Thread map")) return;
  describe(state, edit.settings.config, report);
  map_choice(edit);
  storage_choice(state, edit.settings.config);
  if (!explain::has_tiles(edit.settings.config)) {
    note(state.bits);
    device_choice(state, edit.settings, report.backend);
    backend_row(edit.shell.settings.backend, {report.cuda, report.backend, report.backend_name,
                                              "The CPU cores compute the same tiles and threads"});
    return;
  }
  launch_diagram(report.space, report.config.method.map, launch_of(report));
  block_choice(state.blocks, edit.settings.config);
  FractalConfig& config = edit.settings.config;
  arithmetic_choice(state, config, report.backend.device);
  intra_block_choice(config);
  tiles_and_halo_choice(state, config, report.backend.device);
  device_choice(state, edit.settings, report.backend);
  backend_row(edit.shell.settings.backend, {report.cuda, report.backend, report.backend_name,
                                            "The CPU cores compute the same tiles and threads"});
}

}  // namespace loom::app
