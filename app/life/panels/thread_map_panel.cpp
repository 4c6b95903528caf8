#include "app/life/panels/thread_map_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <vector>

#include "app/gui/theme.h"
#include "app/life/panels/launch_diagram.h"
#include "app/life/scene/fp16_warning.h"
#include "app/life/scene/setting_steps.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/control_marks.h"
#include "compute/engine/work_costs.h"
#include "compute/geometry/block_sizes.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/map/tiling.h"

namespace loom::app {
namespace {

const char* explanation_of(MapKind map) {
  switch (map) {
    case MapKind::kBoundingBox:
      return "One thread for each point of the square, hole or cell. A thread at a hole finds that out and "
             "idles.";
    case MapKind::kLambda:
      return "Blocks only where cells are: λ turns a block's number ω into its place. A thread updates the "
             "cell at "
             "its point.";
    case MapKind::kCompact:
      return "As λ, and holes take no memory either: ν, the inverse of λ, finds where a neighbouring cell is "
             "stored.";
  }
  return "";
}

void map_choice(LifeEdit& edit) {
  const MarkedRows marked(Control::kMap);
  FractalConfig& config = edit.settings.config;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x / 2;
  const float width = rest_of_line() - 2 * gap;
  const auto button = [&](MapKind map, const char* label, float share, const char* hint) {
    const float room = share > 0 ? width * share : rest_of_line();
    if (choice_button(label, config.method.map == map, room, {}, hint)) set_map(config, map);
  };
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  button(MapKind::kBoundingBox, "1  bounding box", 0.44f,
         "The square that holds the fractal, block by block (1)");
  ImGui::SameLine(0, gap);
  button(MapKind::kLambda, "2  λ", 0.20f, "Compact grid of blocks; cells stored in the square (2)");
  ImGui::SameLine(0, gap);
  button(MapKind::kCompact, "3  compact", 0,
         "Compact grid of blocks; cells stored compactly, found by λ and ν (3)");
  ImGui::PopStyleVar();
  note(explanation_of(config.method.map));
}

struct BlockChoice {
  std::uint32_t rho_x = 1;
  std::uint32_t rho_y = 1;
  std::string why_not;
};

// Every power of the scale up to the first that has too many threads, each with the reason where it is not
// allowed.
std::vector<BlockChoice> block_choices(const FractalConfig& config) {
  const NbbShape& shape = config.fractal.shape();
  const auto allowed = allowed_blocks(config.fractal, config.level);
  std::vector<BlockChoice> choices{{1, 1, {}}};
  if (shape.s_x == 1) return choices;
  for (int j = 1;; ++j) {
    const BlockChoice& last = choices.back();
    BlockChoice next{last.rho_x * shape.s_x, last.rho_y * shape.s_y, {}};
    const std::uint64_t threads = std::uint64_t{next.rho_x} * next.rho_y;
    if (threads > kMaxBlockThreads) {
      next.why_not = fmt::format("{} × {} = {} threads: a block has at most {}", next.rho_x, next.rho_y,
                                 format_count(threads), kMaxBlockThreads);
      choices.push_back(next);
      return choices;
    }
    if (std::find(allowed.begin(), allowed.end(), next.rho_x) == allowed.end()) {
      next.why_not = fmt::format("A block of {} × {} needs level {} or more", next.rho_x, next.rho_y, j);
    }
    choices.push_back(next);
  }
}

// All in one row where their numbers fit, else in rows of as many as fit.
void block_choice(FractalConfig& config) {
  const MarkedRows marked(Control::kBlock);
  row_label("Block ρ");
  const auto choices = block_choices(config);
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x / 2;
  const float start = ImGui::GetCursorPosX();
  const float room = rest_of_line() + gap;
  const float widest =
      ImGui::CalcTextSize(std::to_string(choices.back().rho_x).c_str()).x + ImGui::GetFontSize() * 0.2f + gap;
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
    if (choice_button(std::to_string(choice.rho_x).c_str(), config.block == choice.rho_x, width,
                      choice.why_not,
                      fmt::format("{} × {} threads a block ([ and ])", choice.rho_x, choice.rho_y))) {
      set_block(config, choice.rho_x);
    }
  }
  ImGui::PopStyleVar();
}

const char* explanation_of(MapArithmetic arithmetic) {
  switch (arithmetic) {
    case MapArithmetic::kLoop:
      return "λ and ν level by level: one thread loops and shares the result with its block";
    case MapArithmetic::kShuffle:
      return "λ and ν by a warp together, one level a lane, joined by a shuffle reduction: the papers' form "
             "(the CPU "
             "emulates it, level by level)";
    case MapArithmetic::kTable:
      return "λ and ν from tables of several levels' digits at a time: one thread makes a few loads and "
             "shares the result with its block";
    case MapArithmetic::kTensor1:
      return "One matrix product on the tensor cores places one block";
    case MapArithmetic::kTensor2:
      return "One matrix product places the four blocks of a 2ρ × 2ρ thread block";
    case MapArithmetic::kTensor3:
      return "Matrix products give every thread its own coordinate";
    case MapArithmetic::kTensor:
      return "One matrix product finds all eight neighbours of a block through ν";
    case MapArithmetic::kTensorFp16:
      return "The papers' plain FP16 weights: wrong from the level on where they no longer fit";
  }
  return "";
}

const char* explanation_of(IntraBlock intra_block) {
  switch (intra_block) {
    case IntraBlock::kSubBox:
      return "A thread for every position of the block; those on holes idle";
    case IntraBlock::kUnrolled:
      return "A thread for every cell of the block, found by λ of the thread's number; none idles";
    case IntraBlock::kLookup:
      return "A thread for every cell of the block, found by one load from a table; none idles";
  }
  return "";
}

constexpr const char* kIdentity = "The bounding box is the identity: each thread works on the point it is at";

// One button of a row; disabled with the reason where there is one.
template <typename Choice>
void choose(const std::string& label, Choice choice, Choice& chosen, bool selected, float width,
            const std::string& why_not, const std::string& hint) {
  if (choice_button(label.c_str(), selected, width, why_not, hint)) chosen = choice;
}

void intra_block_choice(FractalConfig& config) {
  const MarkedRows marked(Control::kIntraBlock);
  row_label("In block");
  const bool has_choice = config.method.map != MapKind::kBoundingBox;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x / 2;
  const float width = (rest_of_line() + gap) / static_cast<float>(kIntraBlocks.size()) - gap;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  for (const IntraBlock choice : kIntraBlocks) {
    if (choice != kIntraBlocks.front()) ImGui::SameLine(0, gap);
    choose(std::string(name_of(choice)), choice, config.method.intra_block,
           has_choice && config.method.intra_block == choice, width, has_choice ? std::string() : kIdentity,
           explanation_of(choice));
  }
  ImGui::PopStyleVar();
  keep_method_valid(config);
}

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

// Why an arithmetic does not go with the rest of the settings; the number of tiles would follow it.
std::string why_not_here(FractalConfig config, MapArithmetic arithmetic) {
  if (config.method.map == MapKind::kBoundingBox) return kIdentity;
  config.method.arithmetic = arithmetic;
  config.method.tiles = 0;
  return capital(why_not(config.method, make_blocked(config.fractal, config.level, config.block)));
}

// A row of arithmetics, with what holds for all of them at its left.
void arithmetic_row(const char* label, bool muted, const std::vector<MapArithmetic>& row,
                    FractalConfig& config) {
  if (muted) ImGui::PushStyleColor(ImGuiCol_Text, theme::kWarning);
  row_label(label);
  if (muted) ImGui::PopStyleColor();
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x / 2;
  const float width = (rest_of_line() + gap) / static_cast<float>(row.size()) - gap;
  for (const MapArithmetic arithmetic : row) {
    if (arithmetic != row.front()) ImGui::SameLine(0, gap);
    std::string hint = explanation_of(arithmetic);
    if (!is_exact(arithmetic)) {
      const std::string limits = fp16_limits(config);
      hint += ". For teaching: not exact. Here " + (limits.empty() ? "they always fit" : limits);
    }
    choose(std::string(name_of(arithmetic)), arithmetic, config.method.arithmetic,
           config.method.map != MapKind::kBoundingBox && config.method.arithmetic == arithmetic, width,
           why_not_here(config, arithmetic), hint);
  }
}

// The rows divide where the CPU begins to emulate, so that one word beside them says it.
void arithmetic_choice(FractalConfig& config, BackendKind backend) {
  using enum MapArithmetic;
  const MarkedRows marked(Control::kArithmetic);
  const bool cpu = backend == BackendKind::kCpu;
  const char* const emulated = cpu ? "emulated" : "";
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  arithmetic_row("λ and ν", false, {kLoop, kTable}, config);
  arithmetic_row(cpu ? emulated : "by a warp", cpu, {kShuffle, kTensor}, config);
  arithmetic_row(emulated, cpu, {kTensor1, kTensor2, kTensor3}, config);
  arithmetic_row("not exact", true, {kTensorFp16}, config);
  ImGui::PopStyleVar();
  keep_method_valid(config);
  if (config.method.map != MapKind::kBoundingBox && !is_exact(config.method.arithmetic)) {
    const std::string limits = fp16_limits(config);
    warning("tensor-fp16 is for teaching: " + (limits.empty() ? "here its weights always fit" : limits));
  }
}

void halo_choice(FractalConfig& config) {
  const bool compact = config.method.map == MapKind::kCompact;
  ImGui::BeginDisabled(!compact);
  ImGui::Checkbox("halo", &config.method.halo);
  ImGui::EndDisabled();
  mark_item(Control::kHalo);
  tooltip(compact
              ? "A block first stages its cells and the rim of its neighbours in shared memory, so that ν is "
                "evaluated once a neighbouring block instead of once a neighbouring cell."
              : "Only the compact map finds neighbours through ν; the others read them from the square.");
}

void tiles_and_halo_choice(FractalConfig& config, BackendKind backend) {
  row_label("Tiles");
  const BlockedFractal blocked = make_blocked(config.fractal, config.level, config.block);
  const auto text = [](std::uint32_t tiles) { return fmt::format("{} a thread block", tiles); };
  MapMethod automatic = config.method;
  automatic.tiles = 0;
  const std::string automatic_text = fmt::format("auto: {}", tiling_of(automatic, blocked).tiles());
  const std::string preview = config.method.tiles == 0 ? automatic_text : text(config.method.tiles);
  ImGui::SetNextItemWidth(rest_of_line() - ImGui::GetFontSize() * 4.5f);
  if (ImGui::BeginCombo("##tiles", preview.c_str())) {
    if (ImGui::Selectable(automatic_text.c_str(), config.method.tiles == 0)) config.method.tiles = 0;
    for (const std::uint32_t tiles : allowed_tiles(config.method, blocked)) {
      if (ImGui::Selectable(text(tiles).c_str(), config.method.tiles == tiles)) config.method.tiles = tiles;
    }
    ImGui::EndCombo();
  }
  mark_item(Control::kTiles);
  tooltip(backend == BackendKind::kCuda
              ? "How many ρ × ρ blocks share a thread block of the GPU: small blocks go faster together"
              : "How many ρ × ρ blocks would share a thread block of a GPU; on the CPU it changes only the "
                "counts");
  ImGui::SameLine();
  halo_choice(config);
}

void backend_choice(LifeEdit& edit, const LifeFacts& report) {
  row_label("Backend");
  const std::string no_cuda =
      report.cuda.devices.empty() ? "No CUDA device: " + report.cuda.reason : std::string();
  const std::string now = "\nNow: " + report.backend_name + " (" + report.backend.reason + ")";
  const auto radio = [&](BackendChoice choice, const char* label, const std::string& why_not,
                         const char* hint) {
    const bool selected = edit.shell.settings.backend == choice;
    if (choice_radio(label, selected, why_not, selected ? hint + now : hint))
      edit.shell.settings.backend = choice;
  };
  radio(BackendChoice::kAuto, "auto", {}, "CUDA where a device works, else the CPU");
  ImGui::SameLine();
  radio(BackendChoice::kCuda, "CUDA", no_cuda, "The NVIDIA GPU");
  ImGui::SameLine();
  radio(BackendChoice::kCpu, "CPU", {}, "The same blocks and threads, walked by the CPU's cores");
}

}  // namespace

void thread_map_panel(LifeEdit& edit, const LifeFacts& report) {
  if (!section("Thread map")) return;
  map_choice(edit);
  launch_diagram(report.space, report.config.method.map, launch_of(report));
  block_choice(edit.settings.config);
  FractalConfig& config = edit.settings.config;
  arithmetic_choice(config, report.backend.kind);
  intra_block_choice(config);
  tiles_and_halo_choice(config, report.backend.kind);
  backend_choice(edit, report);
}

}  // namespace loom::app
