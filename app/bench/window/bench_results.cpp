#include "app/bench/window/bench_results.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <filesystem>

#include "app/gui/theme.h"
#include "app/widgets/choice.h"
#include "app/widgets/figure_plot.h"
#include "app/widgets/format.h"
#include "app/widgets/item_area.h"
#include "app/widgets/text.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

std::string method_text(const bench::Entry& entry) {
  std::string text = entry.map;
  if (entry.arithmetic) text += fmt::format(", {}, {}", *entry.arithmetic, entry.intra_block);
  if (entry.halo) text += *entry.halo ? ", halo" : ", no halo";
  return text;
}

std::string point_text(const bench::Entry& entry) {
  const bench::Measured& measured = *entry.measured;
  const bench::Summary& ms = measured.milliseconds;
  std::string text = fmt::format("{}, block {}\n{}, level {}\n\n", method_text(entry), entry.block,
                                 entry.fractal, entry.level);
  text += fmt::format("{:.3g} ms median, {:.3g} least, {:.3g} p95\n", ms.median, ms.min, ms.p95);
  text += plural(ms.samples, "sample");
  if (ms.noise) text += fmt::format(", mean within {}", format_percent(*ms.noise));
  if (measured.limited) text += " (limit)";
  text += fmt::format("\n{} cells a second, {}\n",
                      format_count(static_cast<std::uint64_t>(cells_per_second(entry))),
                      format_bytes(measured.bytes_held));
  if (measured.threads_launched > 0) {
    text += fmt::format("{} of {} threads have a cell\n",
                        format_percent(static_cast<double>(measured.threads_active) /
                                       static_cast<double>(measured.threads_launched)),
                        format_count(measured.threads_launched));
  }
  return text + "\nClick: this configuration in the scene";
}

void kind_row(BenchSession& session) {
  constexpr const char* kBest = "best block sizes";
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const auto kinds = static_cast<float>(plot::kKinds.size());
  const float least = ImGui::CalcTextSize("efficiency").x + 2 * gap;
  const float check = ImGui::CalcTextSize(kBest).x + ImGui::GetFrameHeight() + 2 * gap;
  const bool one_row = rest_of_line() >= kinds * least + check;
  const float width = (rest_of_line() + gap - (one_row ? check + gap : 0)) / kinds - gap;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  for (plot::Kind kind : plot::kKinds) {
    if (kind != plot::kKinds.front()) ImGui::SameLine(0, gap);
    if (choice_button(plot::name_of(kind).data(), session.kind == kind, width)) session.kind = kind;
  }
  ImGui::PopStyleVar();
  if (one_row) ImGui::SameLine(0, 2 * gap);
  ImGui::Checkbox(kBest, &session.selection.best);
  tooltip("One line a method: at each level with its best block size");
}

/// A figure shows one fractal, workload and backend.
void subject_choice(const char* label, const std::vector<std::string>& have,
                    std::vector<std::string>& chosen) {
  if (have.size() < 2) return;
  const bool is_there = !chosen.empty() && std::find(have.begin(), have.end(), chosen[0]) != have.end();
  const std::string& now = is_there ? chosen[0] : have[0];
  row_label(label);
  ImGui::PushID(label);
  if (ImGui::BeginCombo("##subject", now.c_str())) {
    for (const std::string& value : have) {
      if (ImGui::Selectable(value.c_str(), value == now)) chosen = {value};
    }
    ImGui::EndCombo();
  }
  ImGui::PopID();
}

/// One line: name, Save, and what came of it. `save` gets the file and whether it may be replaced.
template <typename Save>
void save_row(BenchPanelState& state, SaveField& field, const char* label, const std::string& why_not,
              Save&& save) {
  ImGui::PushID(label);
  row_label(label);
  const float button = ImGui::CalcTextSize("Replace").x + 2 * ImGui::GetStyle().FramePadding.x;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  ImGui::SetNextItemWidth(std::max(rest_of_line() - button - gap, button));
  if (ImGui::InputText("##file", &field.file)) field = {field.file, {}, {}, false};
  state.places[std::string(label) + " file"] = item_area();
  tooltip(field.file);
  ImGui::SameLine(0, gap);
  const std::string missing = field.file.empty() ? "Type a file name first" : why_not;
  if (choice_button(field.there_already ? "Replace" : "Save", false, button, missing)) {
    try {
      save(field.file, field.there_already);
      field = {field.file, "Saved " + std::filesystem::absolute(field.file).string(), {}, false};
    } catch (const InputError& error) {
      field.saved.clear();
      field.problem = error.what();
      std::error_code ignored;
      field.there_already = std::filesystem::is_regular_file(field.file, ignored);
    }
  }
  state.places[std::string(label) + " save"] = item_area();
  if (!field.problem.empty()) warning(field.problem);
  if (!field.saved.empty()) note(field.saved);
  ImGui::PopID();
}

}  // namespace

void bench_figure(BenchPanelState& state, BenchSession& session, BenchWishes& wishes) {
  state.last_point.reset();
  kind_row(session);
  const bench::SweepRunner* runner = session.runner();
  if (runner == nullptr || runner->done() == 0) {
    note("The figure appears with the first results.");
    return;
  }
  const plot::Subjects subjects = plot::subjects_of(runner->results());
  subject_choice("Fractal", subjects.fractals, session.selection.fractals);
  subject_choice("Workload", subjects.workloads, session.selection.workloads);
  subject_choice("Backend", subjects.backends, session.selection.backends);
  const plot::Figure* figure = session.figure();
  if (figure == nullptr) {
    note(session.figure_problem());
    return;
  }
  ImGui::TextWrapped("%s", figure->title.c_str());
  tooltip(figure->caption);
  ImVec2 room = ImGui::GetContentRegionAvail();
  room.x = std::max(room.x, 1.0f);
  // Else a scroll bar would come and go with the figure's height.
  room.y -= ImGui::GetStyle().ItemSpacing.y;
  const PlotState plot = figure_plot(*figure, room);
  if (plot.last) state.last_point = {plot.last->at.x, plot.last->at.y};
  if (!plot.hovered) return;
  const plot::Series& series = figure->panels[plot.hovered->panel].series[plot.hovered->series];
  const std::size_t entry = series.entries[plot.hovered->point];
  tooltip(value_text(figure->kind, series.points[plot.hovered->point].value) + "\n" +
          point_text(runner->results().entries[entry]));
  if (plot.clicked) wishes.show = runner->cases()[entry];
}

void save_rows(BenchPanelState& state, BenchSession& session) {
  const bench::SweepRunner* runner = session.runner();
  const std::string nothing = runner == nullptr ? "There are no results yet" : "";
  save_row(state, state.results, "Results", nothing,
           [&](const std::string& file, bool replace) { session.save_results(file, replace); });
  save_row(state, state.figure, "Figure", nothing,
           [&](const std::string& file, bool replace) { session.save_figure(file, replace); });
}

}  // namespace loom::app
