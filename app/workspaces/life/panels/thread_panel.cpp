#include "app/workspaces/life/panels/thread_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/rows.h"
#include "app/widgets/text.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

void place_rows(const ThreadExplanation::Thread& thread) {
  const ScopedControlMark marked(Control::kThread);
  if (!begin_rows("##place")) return;
  const explain::ThreadLocation& place = thread.place;
  row("blockIdx", format_pair(place.thread_block.x, place.thread_block.y), "Index of the CUDA thread block");
  row("threadIdx, linear", format_count(place.rank),
      "Index in the thread block: threadIdx.x, plus blockDim.x threadIdx.y in a block of two dimensions");
  row("warp, lane", format_text("{}, {}", place.warp(), place.lane()),
      "Warp in the thread block; 32 lanes run together");
  row(thread.lambda ? "tile ω" : "tile", format_pair(place.ref.tile.x, place.ref.tile.y),
      "Index of its tile in the launch");
  row("thread index in tile", format_count(place.ref.thread));
  if (is_hidden(Control::kLambda)) {
    ImGui::EndTable();
    return;
  }
  row("tile position",
      place.has_position ? format_pair(place.place.x, place.place.y) : "none (FP16 overflow)",
      "Position in the square, in tiles");
  row(place.has_cell ? "cell" : "hole (idle)", format_pair(place.cell.x, place.cell.y));
  if (place.address) {
    row("byte offset", format_count(*place.address), "Of the cell, within one generation");
    row("cache line (128 B)", format_count(place.line()));
  }
  ImGui::EndTable();
}

std::optional<explain::CellRect> lambda_rows(const explain::LambdaSteps& lambda) {
  const ScopedControlMark marked(Control::kLambda);
  std::optional<explain::CellRect> hovered;
  ImGui::TextUnformatted("λ level by level");
  if (is_hidden(Control::kLambda)) {
    note("The table is hidden until the question of the lesson is answered.");
    return hovered;
  }
  tooltip(
      "Each digit of ω selects a replica of its level; its offset τ times the width of the level is added");
  if (ImGui::BeginTable("##lambda", 5, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp)) {
    ImGui::TableNextRow();
    ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().muted);
    for (const char* title : {"level", "digit of", "τ", "width", "sum"}) {
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(title);
    }
    ImGui::PopStyleColor();
    for (const explain::LambdaStep& step : lambda.steps) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::PushID(step.level);
      ImGui::Selectable(format_text("{}", step.level).c_str(), false, ImGuiSelectableFlags_SpanAllColumns);
      const bool over = ImGui::IsItemHovered();
      if (over) hovered = step.square;
      tooltip(step.formula);
      ImGui::PopID();
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(format_text("{}: {}", step.from_x ? "ω_x" : "ω_y", step.digit).c_str());
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(format_pair(step.offset.x, step.offset.y).c_str());
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(step.weight.x == step.weight.y
                                 ? format_text("{}", step.weight.x).c_str()
                                 : format_text("{} × {}", step.weight.x, step.weight.y).c_str());
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(format_pair(step.sum.x, step.sum.y).c_str());
    }
    ImGui::EndTable();
  }
  note(lambda.formula_x);
  note(lambda.formula_y);
  return hovered;
}

void traffic_rows(const explain::WarpTraffic& traffic, const Device& device) {
  const ScopedControlMark marked(Control::kTraffic);
  ImGui::TextUnformatted("Warp memory accesses");
  tooltip(
      "Of its warp in one generation, computed analytically for the CUDA kernel. A profiler counts the same "
      "requests and sectors on an H200");
  if (!ImGui::BeginTable("##traffic", 4)) return;
  muted_titles({"", "requests", "sectors", "used"});
  const auto global = [](const char* name, const explain::GlobalTraffic& part) {
    if (part.requests == 0) return;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(name);
    ImGui::TableNextColumn();
    right_aligned(format_count(part.requests));
    ImGui::TableNextColumn();
    right_aligned(format_count(part.sectors));
    tooltip(format_text("{:.1f} sectors/request (32 B each)", part.sectors_per_request()));
    ImGui::TableNextColumn();
    right_aligned(format_percent(part.requested_fraction()));
    tooltip(format_text("{} bytes requested / {} transferred", part.bytes_requested, part.bytes_moved()));
  };
  global("reads", traffic.cells_read);
  global("writes", traffic.cells_written);
  global("tables", traffic.tables_read);
  ImGui::EndTable();
  // All threads of the thread block share the staging.
  const bool reads = traffic.cells_read.requests > 0;
  const bool writes = traffic.cells_written.requests > 0;
  if (traffic.shared.requests > 0 && !(reads && writes)) {
    note(format_text("Other warps of the thread block {} for this warp.", reads ? "write the cells"
                                                                          : writes
                                                                              ? "read the cells"
                                                                              : "read and write the cells"));
  }
  if (traffic.shared.requests > 0) {
    note(format_text("Shared memory: {} requests, {} bank conflicts.", traffic.shared.requests,
                     traffic.shared.bank_conflicts));
  }
  if (!device.warps) note("The CPU runs the same tiles and threads, but has no warps.");
}

/// A number field that shows `now`, or is empty without it. True if the user has typed another number.
bool typed(const char* name, const char* id, NumberFieldState& field, std::optional<std::uint64_t> now,
           float width, std::uint64_t& value) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(name);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(width);
  const std::optional<std::uint64_t> before = now;
  number_field(id, field, now);
  value = now.value_or(0);
  return now != before;
}

void choose_by_number(ThreadPanelState& state, LifeEdit& edit, const LifeStats& report,
                      const ThreadExplanation& explanation) {
  const explain::ThreadSpace* const space = explanation.space();
  const bool about_now = space != nullptr && space->config() == report.config;
  std::optional<std::uint64_t> thread_now;
  std::optional<std::uint64_t> cell_now;
  if (about_now && explanation.thread()) {
    if (space->threads()) thread_now = space->number_of(explanation.thread()->place.ref);
    cell_now = space->index_of_cell(*explanation.point());
  }
  std::uint64_t thread = 0;
  std::uint64_t cell = 0;
  const float width = ImGui::GetFontSize() * 5.2f;
  const bool other_thread = typed("Thread", "##thread number", state.thread, thread_now, width, thread);
  tooltip("Thread index in the launch, tile by tile. Type an index to pin the thread");
  ImGui::SameLine();
  const bool other_cell = typed("Cell", "##cell number", state.cell, cell_now, width, cell);
  tooltip("Canonical index: ν_y times the width of compact space, plus ν_x. Type an index to pin the cell");
  if (other_thread || other_cell) {
    state.problem.clear();
    try {
      const explain::ThreadSpace wanted(report.config);
      if (other_cell) {
        edit.settings.pinned = wanted.cell_by_index(cell);
      } else {
        const explain::ThreadLocation place = wanted.location_of(wanted.thread_by_number(thread));
        if (!place.has_position) throw InputError("plain FP16 weights place that thread outside the square");
        edit.settings.pinned = place.cell;
      }
    } catch (const InputError& error) {
      state.problem = error.what();
    }
  }
  if (!state.thread.problem.empty()) warning("Thread " + state.thread.problem);
  if (!state.cell.problem.empty()) warning("Cell " + state.cell.problem);
  if (!state.problem.empty()) warning(state.problem);
}

}  // namespace

std::optional<explain::CellRect> thread_panel(ThreadPanelState& state, LifeEdit& edit,
                                              const LifeStats& report, const ThreadExplanation& explanation,
                                              const ThreadPath& path) {
  if (!edit.settings.show_thread || !section("Thread", edit.settings.show_thread)) return {};
  choose_by_number(state, edit, report, explanation);
  if (!explanation.point()) {
    note(
        "Hover a point of the picture to explain its thread. A click pins it; then arrow keys move, Esc "
        "unpins.");
    return {};
  }
  const LifeSettings& settings = edit.settings;
  note(!settings.pinned                           ? "Under the cursor. A click pins it."
       : settings.pinned == settings.lesson_point ? "Pinned by the lesson. Arrow keys move."
       : settings.lesson_point.has_value() ? "Pinned. Arrow keys move, Esc returns to the lesson's thread."
                                           : "Pinned. Arrow keys move, Esc unpins.");
  if (!explanation.thread()) {
    wrapped_text(explanation.problem());
    note("Point at a cell. The wheel zooms in; S shows a field of few cells.");
    return {};
  }
  const ThreadExplanation::Thread& thread = *explanation.thread();
  // What λ computes from ω is hidden with its steps.
  if (!is_hidden(Control::kLambda)) {
    thread_path_row(path, thread);
    wrapped_text(thread.sentence);
    note("In the picture, the ring marks this thread's point, violet the other lanes of its warp.");
  }
  place_rows(thread);
  std::optional<explain::CellRect> square;
  if (thread.lambda) {
    ImGui::Separator();
    square = lambda_rows(*thread.lambda);
  }
  if (thread.traffic) {
    ImGui::Separator();
    traffic_rows(*thread.traffic, report.backend.device);
  }
  ImGui::Separator();
  return square;
}

}  // namespace loom::app
