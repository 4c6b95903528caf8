#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "app/files/output_file.h"
#include "app/files/state_folder.h"
#include "app/gui/theme.h"
#include "app/plot/figure.h"
#include "app/text/format.h"
#include "app/widgets/diagram_painter.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"
#include "app/workspaces/benchmark/bench_session.h"
#include "compute/core/error.h"
#include "compute/engine/thread_count.h"

namespace loom::app {
namespace {

std::string timing_text(const bench::Row& row) {
  std::string text = fmt::format("{} median, {} min, {} p95\n{}", format_time(row.number("median_ms")),
                                 format_time(row.number("min_ms")), format_time(row.number("p95_ms")),
                                 plural(row.count("samples"), "sample"));
  if (!row["noise"].is_null())
    text += fmt::format(", standard error {}", format_percent(row.number("noise")));
  return text + (row["limited"] == true ? " (time limit)\n" : "\n");
}

std::string map_point_text(const bench::Row& row) {
  std::string text = fmt::format("{}, tile size {}\n{}, level {}\n\n", method_text(row), row.text("block"),
                                 row.text("fractal"), row.text("level"));
  text += timing_text(row);
  text += fmt::format("{} cells per second, {}\n",
                      format_count(static_cast<std::uint64_t>(row.number("cells_per_second"))),
                      format_bytes(row.count("bytes_held")));
  if (const std::uint64_t launched = row.count("threads_launched"); launched > 0) {
    text += fmt::format("Thread utilization {}, {} launched\n",
                        format_percent(thread_utilization(row.count("threads_active"), launched)),
                        plural(launched, "thread"));
  }
  return text + "\nClick to use this configuration in the scene";
}

std::string mandelbrot_point_text(const bench::Row& row) {
  std::string text = method_text(row);
  if (!is_exhaustive(row)) text += fmt::format(", {}\nideas {}", cut_text(row), row.text("ideas"));
  text += fmt::format("\n{} x {} pixels, {}, width {}\n\n", format_count(row.count("width")),
                      format_count(row.count("height")), row.text("precision"), width_text(row));
  text += timing_text(row);
  if (!row["reference_orbit_ms"].is_null()) {
    text += fmt::format("Reference orbit {}, tables {}, not part of the time\n",
                        format_time(row.number("reference_orbit_ms")),
                        format_time(row.number("reference_table_ms")));
  }
  text += fmt::format("Computed pixels {}, {}\n",
                      format_percent(row.number("computed_pixels") / row.number("pixels")),
                      format_bytes(row.count("bytes_held")));
  return text + "\nClick to use this method in the Mandelbrot workspace";
}

/// Text of a value on the y axis: "5.3× speedup over the bounding box".
std::string point_value_text(const BenchSession& session, plot::Quantity kind, double value) {
  const bool of_maps = !session.of_mandelbrot();
  using plot::Quantity;
  if (kind == Quantity::kTime)
    return fmt::format("{} per {}", format_time(value), of_maps ? "generation" : "image");
  if (kind == Quantity::kMemory)
    return format_bytes(static_cast<std::uint64_t>(value)) + " for " +
           (of_maps ? "cells" : "dwells and tables");
  if (kind == Quantity::kUtilization) return format_percent(value) + " thread utilization";
  if (kind == Quantity::kEnergy) return format_joules(value) + " per " + (of_maps ? "generation" : "image");
  if (!of_maps) return format_ratio(value) + " as fast as exhaustive";
  return format_ratio(value) + " speedup over " +
         (session.baseline_name().empty() ? "the bounding box" : session.baseline_name());
}

void kind_row(BenchSession& session) {
  constexpr const char* kBest = "Best tile size only";
  const bool of_maps = !session.of_mandelbrot();
  const auto has = session.kinds();
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const auto count = static_cast<float>(has.size() + (of_maps ? 0 : 1));
  const float least = ImGui::CalcTextSize("utilization").x + 2 * gap;
  const float check = of_maps ? ImGui::CalcTextSize(kBest).x + ImGui::GetFrameHeight() + 2 * gap : 0;
  const bool one_row = remaining_width() >= count * least + check;
  const float width = (remaining_width() + gap - (one_row && of_maps ? check + gap : 0)) / count - gap;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  for (plot::Quantity kind : has) {
    if (kind != has.front()) ImGui::SameLine(0, gap);
    const bool selected = session.kind == kind && !session.shows_landscape();
    if (choice_button(plot::name_of(kind).data(), selected, width)) {
      session.kind = kind;
      session.landscape_chosen = false;
    }
  }
  if (!of_maps) {
    ImGui::SameLine(0, gap);
    if (choice_button("landscape", session.shows_landscape(), width, {}, "Times over g, r and B")) {
      session.landscape_chosen = true;
    }
  }
  ImGui::PopStyleVar();
  if (!of_maps) return;
  if (one_row) ImGui::SameLine(0, 2 * gap);
  ImGui::Checkbox(kBest, &session.selection.best);
  tooltip("One line per method, with its best tile size at each level");
}

/// Combo boxes for what the plot shows one of, where there are several.
void subject_choices(BenchSession& session) {
  for (const auto& [filter, have] : session.subject_options()) {
    if (have.size() < 2) continue;
    std::vector<std::string>& chosen = session.selection.values[filter.option];
    const bool is_there = !chosen.empty() && std::ranges::find(have, chosen[0]) != have.end();
    const std::string now = is_there ? chosen[0] : have[0];
    row_label(filter.label.c_str());
    ImGui::PushID(filter.label.c_str());
    if (ImGui::BeginCombo("##subject", now.c_str())) {
      for (const std::string& value : have) {
        if (ImGui::Selectable(value.c_str(), value == now)) chosen = {value};
      }
      ImGui::EndCombo();
    }
    ImGui::PopID();
  }
}

/// A point of a plot under the mouse.
struct HoveredPoint {
  const plot::Series* series = nullptr;
  std::size_t index = 0;
  Area area = {};
};

/// Draws a line plot into the rest of the window.
std::optional<HoveredPoint> draw_lines(BenchPanelState& state, const plot::Figure& figure) {
  glm::vec2 room = ImGui::GetContentRegionAvail();
  room.x = std::max(room.x, 1.0f);
  // Without this margin the scroll bar would appear and disappear repeatedly.
  room.y -= ImGui::GetStyle().ItemSpacing.y;
  const float font = ImGui::GetFontSize();
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const diagram::Diagram drawing = plot::figure_diagram(figure, window_text_width(), room / font);
  const auto centre_of = [&](const diagram::Hotspot& hotspot) { return at + hotspot.box.centre() * font; };
  const diagram::Hotspot* const hovered = draw_at_cursor(drawing, font);
  if (!drawing.hotspots().empty()) state.last_point = centre_of(drawing.hotspots().back());
  if (hovered == nullptr) return std::nullopt;
  ImGui::GetWindowDrawList()->AddCircle(centre_of(*hovered), 0.55f * font, ImGui::GetColorU32(ImGuiCol_Text),
                                        0, 0.12f * font);
  const auto [series, index] = plot::point_of(figure, hovered->tag);
  return HoveredPoint{series, index, area_of(hovered->box, at, font)};
}

/// Draws a line plot. Hovering a point shows its measurement. Returns the configuration of a clicked point.
const bench::Case* lines(BenchPanelState& state, const BenchSession& session, const plot::Figure& figure) {
  const bench::SweepRunner& runner = *session.runner();
  const auto hovered = draw_lines(state, figure);
  if (!hovered) return nullptr;
  const std::size_t place = hovered->series->rows[hovered->index];
  const bench::Row& row = runner.results().rows[place];
  tooltip_of(hovered->area,
             point_value_text(session, figure.kind, hovered->series->points[hovered->index].value) + "\n" +
                 (session.of_mandelbrot() ? mandelbrot_point_text(row) : map_point_text(row)));
  const bool clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && place < runner.cases().size();
  return clicked ? &runner.cases()[place] : nullptr;
}

/// Before there are results: what can be known without measuring.
void preview(BenchPanelState& state, const BenchSession& session) {
  const auto* const axes = std::get_if<bench::MapAxes>(&session.form.axes.of);
  const plot::Figure figure =
      axes != nullptr && session.form.cases > 0
          ? plot::make_model_figure(
                {.model = plot::Model::kParallelSpace, .fractals = axes->fractals, .levels = axes->levels})
          : plot::Figure{};
  if (figure.panels.empty() || figure.panels[0].series.empty()) {
    note("Start measures the configurations of the sweep; their plot appears here with the first results.");
    return;
  }
  ImGui::TextWrapped("%s", figure.title.c_str());
  note(
      "Threads of the bounding box per cell: the most that a map onto the cells can save. Start measures how "
      "much of it is gained. Hover a measured point for its row, click it to open its configuration in "
      "Life.");
  const auto hovered = draw_lines(state, figure);
  state.last_point.reset();
  if (!hovered) return;
  const plot::Point& point = hovered->series->points[hovered->index];
  tooltip_of(hovered->area, fmt::format("level {}: {:.4g} threads of the bounding box for each cell",
                                        point.level, point.value));
}

/// What a row of the files does with the typed name.
struct FileRow {
  const char* label;
  const char* key;  ///< of its areas: "KEY file", "KEY save" or "KEY open"
  const char* hint = "";
  std::string problem = {};  ///< why not now
  const char* purpose = "";
  bool saves = false;  ///< or opens
};

/// One line: file name, button, and the outcome. `act` receives the file; to save, also whether it may be
/// replaced.
template <typename Act>
void file_row(BenchPanelState& state, SaveField& field, const FileRow& row, Act&& act) {
  ImGui::PushID(row.label);
  row_label(row.label);
  const float button = button_width(row.saves ? "Replace" : "Open");
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  ImGui::SetNextItemWidth(std::max(remaining_width() - button - gap, button));
  if (ImGui::InputTextWithHint("##file", row.hint, &field.file)) field = {field.file, {}, {}, false};
  state.areas[std::string(row.key) + " file"] = item_area();
  if (ImGui::IsItemHovered()) tooltip(typed_path(field.file).string());
  ImGui::SameLine(0, gap);
  const std::string missing = field.file.empty() ? "Type a file name first" : row.problem;
  const char* const label = !row.saves ? "Open" : field.there_already ? "Replace" : "Save";
  if (choice_button(label, false, button, missing, row.purpose)) {
    try {
      const std::filesystem::path file = typed_path(field.file);
      act(file, field.there_already);
      remember_folder(file);
      field = {field.file, {}, {}, false};
    } catch (const std::runtime_error& error) {  // invalid name or full disk
      field.saved.clear();
      field.problem = error.what();
      std::error_code ignored;
      field.there_already = row.saves && std::filesystem::is_regular_file(typed_path(field.file), ignored);
    }
  }
  state.areas[std::string(row.key) + (row.saves ? " save" : " open")] = item_area();
  if (!field.problem.empty()) warning(field.problem);
  if (!field.saved.empty()) note(field.saved);
  ImGui::PopID();
}

}  // namespace

const bench::Case* bench_figure(BenchPanelState& state, BenchSession& session) {
  state.last_point.reset();
  kind_row(session);
  const bench::SweepRunner* runner = session.runner();
  if (runner == nullptr || runner->done() == 0) {
    preview(state, session);
    return nullptr;
  }
  subject_choices(session);
  const plot::Figure* figure = session.figure();
  if (figure == nullptr) {
    // The first results of a sweep may have nothing to be compared with yet.
    session.is_active() ? preview(state, session) : note(session.figure_problem());
    return nullptr;
  }
  ImGui::TextWrapped("%s", figure->title.c_str());
  tooltip(figure->caption);
  if (!figure->landscape) return lines(state, session, *figure);
  const auto describe = [](const CostCut& cut, std::optional<double> ms) {
    const std::string name = fmt::format("g {}, r {}, B {}", cut.g, cut.r, cut.b);
    if (!ms) return name + ": not measured";
    return fmt::format("{}: {} per image\n\nClick to use this method in the Mandelbrot workspace", name,
                       format_time(*ms));
  };
  LandscapePlot plot;
  plot.set(*figure->landscape);
  const glm::vec2 room = ImGui::GetContentRegionAvail();
  const auto cut = plot.show({std::max(room.x, 1.0f), room.y - ImGui::GetStyle().ItemSpacing.y}, describe);
  return cut ? session.case_at(*cut) : nullptr;
}

void take_file_result(BenchPanelState& state, BenchSession& session) {
  const auto file_result = session.take_file_result();
  if (!file_result) return;
  using What = BenchSession::FileResult::What;
  const bool saves = file_result->what == What::kResults || file_result->what == What::kFigure;
  SaveField& field = file_result->what == What::kResults    ? state.results
                     : file_result->what == What::kFigure   ? state.figure
                     : file_result->what == What::kBaseline ? state.compared
                                                            : state.opened;
  std::error_code ignored;
  field.problem = file_result->problem;
  field.there_already = saves && !file_result->problem.empty() &&
                        std::filesystem::is_regular_file(typed_path(field.file), ignored);
  if (!file_result->problem.empty()) return;
  field.saved = (saves ? "Saved " : "Opened ") + file_result->file.string();
  if (file_result->what != What::kOpened) return;
  state.results = {file_result->file.string(), {}, {}, true};
  state.figure = {std::filesystem::path(file_result->file).replace_extension(".svg").string(), {}, {}, false};
}

void offer_unsaved_results(BenchPanelState& state) {
  const auto file = unsaved_results_file();
  std::error_code ignored;
  if (file && std::filesystem::is_regular_file(*file, ignored))
    state.opened = {file->string(), "Unsaved results of an earlier session. Open shows them.", {}, false};
}

void open_rows(BenchPanelState& state, BenchSession& session, const BenchScene& scene) {
  const std::string busy = session.file_busy() ? "Another file is being read or written" : "";
  const std::string lost = session.is_active() ? "A sweep is running"
                           : session.unsaved() ? "The current results are not saved"
                                               : busy;
  file_row(state, state.opened,
           {.label = "Open",
            .key = "Open",
            .hint = "results file",
            .problem = lost,
            .purpose = "Opens the results. A stopped sweep can then be continued"},
           [&](const std::filesystem::path& file, bool) {
             session.open_results(file, {scene.device, scene.custom_fractal});
           });
  if (session.runner() == nullptr || session.of_mandelbrot()) return;
  if (const std::string name = session.baseline_name(); !name.empty()) {
    row_label("Compared");
    if (choice_button("Bounding box again", false, remaining_width(), {},
                      "Speedups are over the bounding box of these results again"))
      session.close_baseline();
    state.areas["Compare close"] = item_area();
    note("Speedups are over the same configurations of " + name);
    return;
  }
  file_row(state, state.compared,
           {.label = "Compare",
            .key = "Compare",
            .hint = "earlier results",
            .problem = busy,
            .purpose = "Plots speedups over the same configurations of another results file, of another "
                       "machine or version"},
           [&](const std::filesystem::path& file, bool) { session.open_baseline(file); });
}

void save_rows(BenchPanelState& state, BenchSession& session) {
  const bench::SweepRunner* runner = session.runner();
  const std::string nothing = runner == nullptr     ? "There are no results yet"
                              : session.file_busy() ? "Another file is being read or written"
                                                    : "";
  file_row(state, state.results, {.label = "Results", .key = "Results", .problem = nothing, .saves = true},
           [&](const std::filesystem::path& file, bool replace) { session.save_results(file, replace); });
  file_row(state, state.figure, {.label = "Plot", .key = "Figure", .problem = nothing, .saves = true},
           [&](const std::filesystem::path& file, bool replace) { session.save_figure(file, replace); });
}

}  // namespace loom::app
