#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/explain/memory.h"
#include "app/text/format.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/workspaces/life/panels/life_panels.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "compute/backend/emulation.h"
#include "compute/core/input_text.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"
#include "compute/map/tiling.h"
#include "compute/workload/larger_life.h"

namespace loom::app {
namespace {

using TileSize = MethodPanelState::TileSize;

// All powers of the scale up to the first one with too many threads; those that are not allowed have a
// reason.
std::vector<TileSize> tile_size_choices(const FractalConfig& config) {
  const auto allowed = allowed_tile_sizes(config.fractal, config.level);
  std::vector<TileSize> choices(1);
  if (!config.fractal.is_uniform()) {  // the tiles of higher levels have other sizes
    for (const std::uint32_t rho_x : allowed) {
      const TiledFractal tiled = make_tiled_fractal(config.fractal, config.level, rho_x);
      if (rho_x == 1) continue;
      choices.emplace_back();
      choices.back().rho_x = rho_x;
      choices.back().rho_y = tiled.rho_y;
    }
    return choices;
  }
  const NbbShape& shape = config.fractal.shape();
  if (shape.s_x == 1) return choices;
  for (int j = 1;; ++j) {
    const TileSize& last = choices.back();
    TileSize next;
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

const char* explanation_of(MapArithmetic arithmetic) {
  return value_for<MapArithmetic::kTensorFp16>(
      {"Level by level: one thread loops and shares the result with its tile",
       "A warp computes one λ or ν: one level per lane, then a shuffle reduction, as in the papers",
       "Tables of several levels at a time: one thread makes a few loads and shares the result with "
       "its tile",
       "One matrix product on tensor cores computes the position of one tile",
       "One matrix product computes the positions of the four tiles of a 2ρ × 2ρ thread block",
       "Matrix products compute the coordinate of every thread",
       "One matrix product finds all eight neighbours of a tile with ν",
       "The papers' plain FP16 weights, which are wrong at levels where they do not fit"},
      arithmetic);
}

const char* explanation_of(IntraBlock intra_block) {
  return value_for<IntraBlock::kLookup>(
      {"Sub-box: one thread per point of the tile; threads on holes are idle",
       "Unrolled: one thread per cell of the tile; λ of the thread index finds the cell. No idle "
       "threads",
       "Lookup: one thread per cell of the tile; one load from a table finds the cell. No idle threads"},
      intra_block);
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

// Why an arithmetic is not possible with the other settings and an automatic number of tiles.
std::string arithmetic_problem(FractalConfig config, MapArithmetic arithmetic) {
  if (config.method.map == MapKind::kBoundingBox) return kIdentity;
  config.method.arithmetic = arithmetic;
  config.method.tiles = 0;
  return capitalized(
      method_problem(config.method, make_tiled_fractal(config.fractal, config.level, config.tile_size)));
}

std::vector<DeviceCountOption> device_choices(const FractalConfig& config, std::size_t devices_available,
                                              const Device& device) {
  std::vector<DeviceCountOption> choices = device_counts(devices_available, device);
  for (DeviceCountOption& one : choices) {
    one.problem = capitalized(no_devices_reason(config, one.count, devices_available, device));
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

// One list; a badge says what the CPU emulates and what is inexact.
void arithmetic_choice(const MethodPanelState& state, FractalConfig& config, const Device& device) {
  const ScopedControlMark marked(Control::kArithmetic);
  row_label("Arithmetic");
  tooltip("Map arithmetic: how λ (tile index to tile position) and ν (its inverse) are computed (A)");
  const bool has_choice = config.method.map != MapKind::kBoundingBox;
  MapArithmetic& chosen = config.method.arithmetic;
  const auto badge = [&](MapArithmetic arithmetic) {
    if (!is_exact(arithmetic)) return "inexact";
    return is_arithmetic_emulated(device, MapKind::kCompact, arithmetic) ? "emulated" : "";
  };
  const auto label = [&](MapArithmetic arithmetic) {
    const char* const word = badge(arithmetic);
    return *word == '\0' ? Text(name_of(arithmetic)) : format_text("{}  ({})", name_of(arithmetic), word);
  };
  ImGui::BeginDisabled(!has_choice);
  if (ImGui::BeginCombo("##arithmetic", has_choice ? label(chosen).c_str() : "none (identity)",
                        ImGuiComboFlags_HeightLargest)) {
    for (const MapArithmetic arithmetic : kMapArithmetics) {
      const MethodPanelState::Choice& choice = state.arithmetics[static_cast<std::size_t>(arithmetic)];
      ImGui::BeginDisabled(!choice.problem.empty());
      if (ImGui::Selectable(label(arithmetic).c_str(), arithmetic == chosen)) chosen = arithmetic;
      ImGui::EndDisabled();
      tooltip(choice.problem.empty() ? choice.hint : choice.problem);
    }
    ImGui::EndCombo();
  }
  ImGui::EndDisabled();
  tooltip(has_choice ? explanation_of(chosen) : kIdentity);
  keep_method_valid(config);
  if (!has_choice) return;
  if (is_arithmetic_emulated(device, MapKind::kCompact, chosen) && is_exact(chosen))
    note(
        "Emulated: the CPU has neither warps nor tensor cores. The result is the same; its times say "
        "nothing about a GPU.");
  if (!is_exact(chosen)) {
    warning(format_text("tensor-fp16 is inexact, for teaching: {}",
                        state.fp16_limits.empty() ? "its weights fit at this level" : state.fp16_limits));
  }
}

void halo_choice(FractalConfig& config) {
  const bool compact = config.method.map == MapKind::kCompact;
  ImGui::BeginDisabled(!compact);
  ImGui::Checkbox("Halo", &config.method.halo);
  ImGui::EndDisabled();
  mark_item(Control::kHalo);
  tooltip(compact
              ? "Each tile stages its cells and its halo in shared memory, so that ν is evaluated once per "
                "neighbouring tile and not once per neighbouring cell."
              : "Only the compact map finds neighbours with ν; the other maps read them from the square.");
}

void tiles_and_halo_choice(const MethodPanelState& state, FractalConfig& config, const Device& device) {
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

void counting_choice(FractalConfig& config, const LifeRule& rule) {
  row_label("Counting");
  tooltip("How the neighbours of a rule of Larger than Life are counted");
  constexpr std::array<std::string_view, kCountings.size()> kHints = {
      "The fastest: on a GPU bits on λ and compact with wide tiles of few holes, else direct at radius 1 and "
      "sums above",
      "Every cell reads each of its neighbours in shared memory",
      "Running sums along rows and columns in shared memory: four values for each rectangle of neighbours",
      "One bit per cell in shared memory; a warp adds the counts of 32 cells at a time, bit by bit",
      "Tensor cores multiply a tile by band matrices of ones: rows, then columns"};
  constexpr std::string_view kNoRows =
      "For box neighbourhoods (NM) and tiles of at most 32 x 32, in thread blocks of at least 32 threads";
  const bool rows = counts_rows(
      config.method, make_tiled_fractal(config.fractal, config.level, config.tile_size), rule.larger);
  Counting& chosen = config.method.counting;
  ImGui::SetNextItemWidth(remaining_width());
  if (ImGui::BeginCombo("##counting", Text(name_of(chosen)).c_str())) {
    for (const Counting counting : kCountings) {
      const bool disabled = !rows && (counting == Counting::kBits || counting == Counting::kTensor);
      ImGui::BeginDisabled(disabled);
      if (ImGui::Selectable(Text(name_of(counting)).c_str(), counting == chosen)) chosen = counting;
      ImGui::EndDisabled();
      tooltip(disabled ? kNoRows : kHints[static_cast<std::size_t>(counting)]);
    }
    ImGui::EndCombo();
  }
  tooltip(kHints[static_cast<std::size_t>(chosen)]);
}

void storage_choice(const MethodPanelState& state, FractalConfig& config) {
  row_label("Cell storage");
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x / 2;
  const float width = (remaining_width() + gap) / static_cast<float>(kCellStorages.size()) - gap;
  for (const CellStorage storage : kCellStorages) {
    if (storage != kCellStorages.front()) ImGui::SameLine(0, gap);
    const MethodPanelState::Choice& choice = state.storages[static_cast<std::size_t>(storage)];
    choose(choice.label.c_str(), storage, config.method.storage, config.method.storage == storage, width,
           choice.problem, choice.hint);
  }
}

void device_choice(MethodPanelState& state, LifeSettings& settings, const BackendSelection& runs) {
  devices_row(
      state.devices, settings.devices, state.simulated,
      "Number of devices that the cells are distributed over, in contiguous ranges of the canonical order");
  if (state.simulated && runs.devices() > 1)
    note("Partitions of one CPU show the distribution of cells. They are not faster.");
}

// The method in one line, for the folded section.
Text summary_of(const FractalConfig& config, const LifeStats& stats) {
  Text text;
  if (config.method.map != MapKind::kBoundingBox && explain::has_tiles(config))
    text.add("{}, {}, ", name_of(config.method.arithmetic), name_of(config.method.intra_block));
  if (config.method.storage == CellStorage::kBits) text.append("bits, ");
  text.append(stats.backend.device.on_host ? "CPU" : "GPU");
  return text;
}

}  // namespace

void update_method_choices(MethodPanelState& state, const FractalConfig& config, const LifeStats& report) {
  const Device& device = report.backend.device;
  const bool simulated = device.simulated_devices > 0;
  if (state.of == config && state.devices_available == report.devices.size() && state.simulated == simulated)
    return;
  state.of = config;
  state.devices_available = report.devices.size();
  state.simulated = simulated;
  state.devices = device_choices(config, state.devices_available, device);
  state.tile_sizes = tile_size_choices(config);
  for (TileSize& size : state.tile_sizes) {
    size.label = std::to_string(size.rho_x);
    size.hint = fmt::format("Tiles of {} × {} points ([ and ])", size.rho_x, size.rho_y);
  }
  state.fp16_limits = fp16_limits(config);
  for (const MapArithmetic arithmetic : kMapArithmetics) {
    MethodPanelState::Choice& choice = state.arithmetics[static_cast<std::size_t>(arithmetic)];
    choice.problem = arithmetic_problem(config, arithmetic);
    choice.hint = explanation_of(arithmetic);
    if (!is_exact(arithmetic)) {
      choice.hint += ". For teaching; inexact. Here ";
      choice.hint += state.fp16_limits.empty() ? "they fit" : state.fp16_limits;
    }
  }
  for (const CellStorage storage : kCellStorages) {
    MethodPanelState::Choice& choice = state.storages[static_cast<std::size_t>(storage)];
    MapMethod method = config.method;
    method.storage = storage;
    choice.label = name_of(storage);
    choice.problem.clear();
    if (storage == CellStorage::kBits)
      choice.problem = capitalized(
          method_problem(method, make_tiled_fractal(config.fractal, config.level, config.tile_size)));
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

void method_panel(MethodPanelState& state, LifeEdit& edit, const LifeStats& stats) {
  FractalConfig& config = edit.settings.config;
  state.open = folded_section("Method details", summary_of(config, stats));
  state.header = item_area();
  if (!state.open) return;
  storage_choice(state, config);
  if (explain::has_tiles(config)) {
    arithmetic_choice(state, config, stats.backend.device);
    intra_block_choice(config);
    tiles_and_halo_choice(state, config, stats.backend.device);
    if (edit.settings.rule.is_larger()) counting_choice(config, edit.settings.rule);
  }
  device_choice(state, edit.settings, stats.backend);
  backend_row(edit.shell.settings.backend, {stats.cuda, stats.backend, stats.backend_name,
                                            "The CPU cores compute the same tiles and threads"});
}

namespace {

// In font sizes: of the rows, and of their labels, the longest of which is "Tiles per thread block".
constexpr float kMethodWidth = 25;
constexpr float kLabelWidth = 12.5f;

struct Value {
  std::string text;
  std::string problem = {};
};

/// A row of the table. Returns the index of the selected value.
std::optional<std::size_t> list_row(const std::string& label, const std::string& present,
                                    const std::vector<Value>& values, const std::string& hint,
                                    PaneMethodAreas& areas) {
  std::optional<std::size_t> picked;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label.c_str());
  ImGui::SameLine(kLabelWidth * ImGui::GetFontSize());
  ImGui::SetNextItemWidth(remaining_width());
  const bool open = ImGui::BeginCombo(("##" + label).c_str(), present.c_str());
  areas[label] = item_area();
  if (!open) {
    tooltip(hint);
    return picked;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Value& value = values[i];
    ImGui::BeginDisabled(!value.problem.empty());
    if (ImGui::Selectable(value.text.c_str(), value.text == present)) picked = i;
    // The positions of a list are valid from its second frame on.
    if (!ImGui::IsWindowAppearing()) areas[label + " " + value.text] = item_area();
    if (value.text == present && ImGui::IsWindowAppearing()) ImGui::SetItemDefaultFocus();
    ImGui::EndDisabled();
    tooltip(value.problem);
  }
  ImGui::EndCombo();
  return picked;
}

FractalConfig with(const FractalConfig& config, const MethodField& field, const std::string& value) {
  FractalConfig other = config;
  field.read(value, other.method);
  // The number of tiles becomes automatic after a change of another setting.
  if (field.form != FieldForm::kWhole) other.method.tiles = 0;
  return other;
}

void field_row(const MethodField& field, FractalConfig& config, PaneMethodAreas& areas) {
  if (!field.varies(config.method)) return;
  const TiledFractal tiled = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  std::vector<std::string> texts = values_of(field, config.method, tiled);
  if (field.form == FieldForm::kWhole) texts.insert(texts.begin(), std::string(kAutoWord));
  const bool is_map = field.option == "map";
  std::vector<Value> values;
  for (const std::string& text : texts) {
    // Every map can be selected, because the other settings are adjusted to it.
    values.push_back(
        {text, is_map ? "" : capitalized(method_problem(with(config, field, text).method, tiled))});
  }
  const std::string present = field.text(config.method).value_or("");
  const auto picked =
      list_row(capitalized(std::string(field.label)), present, values, std::string(field.purpose), areas);
  if (!picked) return;
  config = with(config, field, texts[*picked]);
  keep_method_valid(config);
}

void block_row(FractalConfig& config, PaneMethodAreas& areas) {
  const auto blocks = allowed_tile_sizes(config.fractal, config.level);
  std::vector<Value> values;
  for (const std::uint32_t block : blocks) values.push_back({std::to_string(block)});
  const auto picked =
      list_row("Tile size ρ", std::to_string(config.tile_size), values, "Width of a tile in points", areas);
  if (!picked) return;
  config.tile_size = blocks[*picked];
  keep_method_valid(config);
}

void backend_row(std::optional<BackendChoice>& backend, const LifeStats& report, PaneMethodAreas& areas) {
  const std::string no_cuda =
      report.cuda.devices.empty() ? "No CUDA device: " + report.cuda.reason : std::string();
  const std::vector<Value> values = {{"active pane"}, {"CPU"}, {"CUDA", no_cuda}};
  const std::size_t now = !backend ? 0 : *backend == BackendChoice::kCuda ? 2 : 1;
  const auto picked = list_row("Backend", values[now].text, values, "What computes this pane", areas);
  if (!picked || *picked == now) return;
  backend.reset();
  if (*picked == 1) backend = BackendChoice::kCpu;
  if (*picked == 2) backend = BackendChoice::kCuda;
}

}  // namespace

void pane_method_rows(PaneSpec& spec, const FractalConfig& scene, const LifeStats& report,
                      PaneMethodAreas& areas) {
  ImGui::Dummy({kMethodWidth * ImGui::GetFontSize(), 0});
  FractalConfig config = config_of(spec, scene);
  const FractalConfig before = config;
  for (const MethodField& field : method_fields()) {
    if (field.option != "counting" || report.work.rule.is_larger()) field_row(field, config, areas);
    if (field.option == "map") block_row(config, areas);
  }
  backend_row(spec.backend, report, areas);
  if (config == before) return;  // keeps settings that only the current level does not allow
  spec.method = config.method;
  spec.tile_size = config.tile_size;
}

}  // namespace loom::app
