#include "app/panels/thread_map_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <vector>

#include "app/input/setting_steps.h"
#include "app/widgets/choice.h"
#include "app/widgets/format.h"
#include "app/widgets/launch_diagram.h"
#include "compute/fractal/block_sizes.h"
#include "compute/fractal/blocked_fractal.h"

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

void map_choice(Edit& edit) {
  FractalConfig& config = edit.settings.config;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x / 2;
  const float width = rest_of_line() - 2 * gap;
  const auto button = [&](MapKind map, const char* label, float share, const char* hint) {
    const float room = share > 0 ? width * share : rest_of_line();
    if (choice_button(label, config.map == map, room, {}, hint)) set_map(config, map);
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
  note(explanation_of(config.map));
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

void halo_choice(FractalConfig& config) {
  row_label("Halo");
  const bool compact = config.map == MapKind::kCompact;
  ImGui::BeginDisabled(!compact);
  ImGui::Checkbox("shared memory", &config.halo);
  ImGui::EndDisabled();
  tooltip(compact
              ? "A block first stages its cells and the rim of its neighbours in shared memory, so that ν is "
                "evaluated once a neighbouring block instead of once a neighbouring cell."
              : "Only the compact map finds neighbours through ν; the others read them from the square.");
}

constexpr const char* kIdentity = "The bounding box is the identity: each thread works on the point it is at";

// One row of buttons, the same width each; all disabled with the reason where the map has no such choice.
template <typename Choice, std::size_t kCount>
void method_choice(const char* label, const std::array<Choice, kCount>& choices, const FractalConfig& config,
                   Choice& chosen, const char* (*explain)(Choice)) {
  row_label(label);
  const bool has_choice = config.map != MapKind::kBoundingBox;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x / 2;
  const float width = (rest_of_line() + gap) / static_cast<float>(kCount) - gap;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  for (std::size_t i = 0; i < kCount; ++i) {
    if (i > 0) ImGui::SameLine(0, gap);
    const Choice choice = choices[i];
    if (choice_button(std::string(name_of(choice)).c_str(), has_choice && chosen == choice, width,
                      has_choice ? std::string() : kIdentity, explain(choice))) {
      chosen = choice;
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
      return "λ and ν from tables of several levels' digits at a time: a few loads, by every thread for "
             "itself";
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

void backend_choice(Edit& edit, const Report& report) {
  row_label("Backend");
  const std::string no_cuda =
      report.cuda.devices.empty() ? "No CUDA device: " + report.cuda.reason : std::string();
  const std::string now = "\nNow: " + report.backend_name + " (" + report.backend.reason + ")";
  const auto radio = [&](BackendChoice choice, const char* label, const std::string& why_not,
                         const char* hint) {
    const bool selected = edit.settings.backend == choice;
    if (choice_radio(label, selected, why_not, selected ? hint + now : hint)) edit.settings.backend = choice;
  };
  radio(BackendChoice::kAuto, "auto", {}, "CUDA where a device works, else the CPU");
  ImGui::SameLine();
  radio(BackendChoice::kCuda, "CUDA", no_cuda, "The NVIDIA GPU");
  ImGui::SameLine();
  radio(BackendChoice::kCpu, "CPU", {}, "The same blocks and threads, walked by the CPU's cores");
}

}  // namespace

const char* label_of(MapKind map) {
  switch (map) {
    case MapKind::kBoundingBox:
      return "bounding box";
    case MapKind::kLambda:
      return "λ";
    case MapKind::kCompact:
      return "compact";
  }
  return "";
}

void thread_map_panel(Edit& edit, const Report& report) {
  if (!section("Thread map")) return;
  map_choice(edit);
  launch_diagram(report.space, report.config.map);
  block_choice(edit.settings.config);
  FractalConfig& config = edit.settings.config;
  method_choice("λ and ν", kMapArithmetics, config, config.arithmetic, explanation_of);
  method_choice("In block", kIntraBlocks, config, config.intra_block, explanation_of);
  halo_choice(config);
  backend_choice(edit, report);
}

}  // namespace loom::app
