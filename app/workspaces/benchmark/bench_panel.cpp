#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <vector>

#include "app/bench/axes.h"
#include "app/bench/plan.h"
#include "app/bench/sweep_runner.h"
#include "app/explain/diagram/diagram.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/workspaces/benchmark/bench_session.h"

namespace loom::app {
namespace {

constexpr const char* kAroundScene = "current scene";

std::string label_of(const bench::AxisField& field) {
  if (field.name == "block") return "Tile size ρ";
  if (field.name == "tiles") return "Tiles per block";
  std::string label = field.name;
  label[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(label[0])));
  return label;
}

void sweep_choice(BenchPanelState& state, BenchSession& session, const BenchScene& scene) {
  row_label("Sweep");
  const std::string& preset = session.form.preset;
  if (ImGui::BeginCombo("##sweep", preset.empty() ? kAroundScene : preset.c_str())) {
    const auto item = [&](const std::string& name, const std::string& label, const std::string& purpose) {
      if (ImGui::Selectable(label.c_str(), preset == name)) {
        load_sweep(state, session, name, scene);
      }
      tooltip(purpose);
    };
    item("", kAroundScene,
         "The fractal and method of the scene and the other maps, at levels where the work outweighs the "
         "launch");
    for (const bench::Preset& one : bench::presets()) item(one.name, one.name, one.purpose);
    ImGui::EndCombo();
  }
  tooltip("Fills the fields below; you can change them");
}

/// The axes that a sweep usually varies; the others are in a section of their own.
bool is_main(const bench::AxisField& field) {
  constexpr std::array kMain = {"fractal", "level",  "map",       "storage", "block", "workload", "size",
                                "method",  "scheme", "precision", "g",       "r",     "b"};
  return std::ranges::find(kMain, field.name) != kMain.end();
}

/// A value as people say it: "Bounding box", "single write".
std::string value_label(const bench::AxisField& field, const std::string& value) {
  if (field.name == "map" && std::ranges::find(field.all, value) != field.all.end())
    return capitalized(app::label_of(parse_map(value)));
  std::string label = value;
  if (!field.numbers && field.name != "fractal") std::ranges::replace(label, '-', ' ');
  return label;
}

/// The form while its axes are drawn.
struct AxisForm {
  BenchPanelState& state;
  bench::SweepForm& form;
  bool changed = false;

  std::string& text(const bench::AxisField& field) { return form.texts[field.name]; }
  void set(const bench::AxisField& field, std::string value) {
    text(field) = std::move(value);
    changed = true;
  }

  /// A field for any text of the axis. True where Enter ends it.
  bool type(const bench::AxisField& field) {
    const std::string example = "for example " + field.example;
    const std::string before = text(field);
    const bool entered = ImGui::InputTextWithHint("##text", example.c_str(), &text(field),
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    changed = changed || text(field) != before;
    state.areas[field.name] = item_area();
    // During typing the tooltip would cover the error message.
    if (!ImGui::IsItemActive())
      tooltip(field.hint.find(field.example) == std::string::npos ? fmt::format("{}, {}", field.hint, example)
                                                                  : field.hint);
    return entered;
  }

  /// One button per value, if they fit into `room`; several can be selected.
  bool buttons(const bench::AxisField& field, float room) {
    float width = 0;
    const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
    for (const std::string& value : field.choices) width += button_width(value_label(field, value)) + gap;
    if (width - gap > room) return false;
    const float share = (room - (width - gap)) / static_cast<float>(field.choices.size());
    const auto values = bench::values_of(field, text(field));
    const glm::vec2 corner = ImGui::GetCursorScreenPos();
    for (const std::string& value : field.choices) {
      if (value != field.choices.front()) ImGui::SameLine(0, gap);
      const std::string label = value_label(field, value);
      const bool on = std::ranges::find(values, value) != values.end();
      const bool is_map = field.name == "map";
      if (choice_button(label.c_str(), on, button_width(label) + share, {}, field.hint,
                        is_map ? colour_of(parse_map(value)) : theme::colours().accent))
        set(field, bench::toggled(field, text(field), value));
    }
    state.areas[field.name] = {corner, {room, ImGui::GetFrameHeight()}};
    return true;
  }

  /// A list of the values to pick from, and a field for other texts.
  void list(const bench::AxisField& field) {
    const std::string& now = text(field);
    const auto values = bench::values_of(field, now);
    const std::string label = values.size() == 1 ? value_label(field, values[0]) : now;
    const bool open = ImGui::BeginCombo("##list", label.c_str(), ImGuiComboFlags_HeightLargest);
    if (!open) {
      state.areas[field.name] = item_area();
      tooltip(fmt::format("{}\n\nNow: {}", field.hint, now));
      return;
    }
    if (ImGui::IsWindowAppearing()) imgui_compat::focus_next_item();
    ImGui::SetNextItemWidth(std::max(remaining_width(), 12 * ImGui::GetFontSize()));
    if (type(field)) ImGui::CloseCurrentPopup();
    std::vector<std::string> offered = field.choices;
    for (const std::string& value : values) {  // a custom fractal, a number that is not listed
      if (std::ranges::find(offered, value) == offered.end()) offered.push_back(value);
    }
    const bool has_all = !field.all.empty();
    if (has_all) {
      if (ImGui::MenuItem("all", nullptr, now == bench::kAllWord)) set(field, std::string(bench::kAllWord));
    }
    constexpr int kInRow = 7;
    int column = 0;
    for (const std::string& value : offered) {
      const bool on = std::ranges::find(values, value) != values.end();
      const std::string name = value_label(field, value);
      ImGui::PushID(value.c_str());
      if (field.numbers) {
        if (column++ % kInRow != 0) ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
        const float width = std::max(button_width("000"), button_width(name));
        if (choice_button(name.c_str(), on, width)) set(field, bench::toggled(field, now, value));
      } else {
        bool ticked = on;
        if (ImGui::Checkbox(name.c_str(), &ticked)) set(field, bench::toggled(field, now, value));
      }
      ImGui::PopID();
    }
    ImGui::EndCombo();
  }

  void row(const bench::AxisField& field, const std::string& problem) {
    ImGui::PushID(field.name.c_str());
    // These values say what they are, so their buttons have the whole line.
    const bool needs_label = field.name != "map" && field.name != "workload";
    if (needs_label || !buttons(field, remaining_width())) {
      row_label(label_of(field).c_str());
      if (field.choices.empty()) {
        type(field);
      } else if (field.numbers || !buttons(field, remaining_width())) {
        list(field);
      }
    }
    if (!problem.empty()) warning(problem);
    ImGui::PopID();
  }
};

void axis_rows(BenchPanelState& state, BenchSession& session, const BenchScene& scene) {
  bench::SweepForm& form = session.form;
  AxisForm rows{state, form};
  const auto fields = bench::axis_fields(form.kind);
  const auto problem_of = [&](std::size_t i) { return i < form.problems.size() ? form.problems[i] : ""; };
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (is_main(fields[i])) rows.row(fields[i], problem_of(i));
  }
  std::string summary;
  for (const bench::AxisField& field : fields) {
    if (!is_main(field)) summary += (summary.empty() ? "" : ", ") + field.name;
  }
  if (folded_section("More axes", summary)) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (!is_main(fields[i])) rows.row(fields[i], problem_of(i));
    }
  }
  if (!rows.changed) return;
  form.confirmed = false;
  check_form(state, session, scene);
}

void outcome_rows(bench::SweepForm& form, const std::string& left_out) {
  if (!form.problem.empty()) {
    warning(form.problem);
  } else if (form.cases > 0) {
    note(plural(form.cases, "configuration"));
    if (!left_out.empty()) warning(left_out);
  }
  if (form.too_many) {
    ImGui::Checkbox("Run anyway", &form.confirmed);
    tooltip(fmt::format("A sweep of more than {} configurations needs confirmation",
                        format_count(bench::kSweepWithoutConfirmation)));
  }
}

/// The upper part of the Benchmark panel: the axes of the sweep. Fields are disabled while it runs.
void bench_form(BenchPanelState& state, BenchSession& session, const BenchScene& scene) {
  const bool locked = session.is_active();
  ImGui::BeginDisabled(locked);
  ImGui::BeginGroup();
  sweep_choice(state, session, scene);
  axis_rows(state, session, scene);
  row_label("Time limit");
  if (slider("##seconds", &session.form.max_seconds, 0.02f, 20, "%.2f s each",
             ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_Logarithmic))
    check_form(state, session, scene);
  tooltip(
      "Time limit per configuration. Samples are taken until the standard error of the mean is below 1 % or "
      "this limit is reached");
  if (ImGui::Checkbox("Measure energy", &session.form.energy)) check_form(state, session, scene);
  state.areas["energy"] = item_area();
  tooltip(
      "Also joules per generation or image, by NVML's energy counter on a GPU and RAPL on the CPU: idle "
      "power for 4 s first, then at least 2 s for each configuration. Without a sensor the results say why");
  outcome_rows(session.form, state.left_out);
  ImGui::EndGroup();
  ImGui::EndDisabled();
  if (locked) tooltip("This sweep is running. Stop it to change it");
}

using Status = bench::SweepRunner::Status;

constexpr std::size_t kSkipsListed = 5;

std::string form_problem(const bench::SweepForm& form) {
  if (form.ready()) return "";
  return form.too_many ? "Many configurations: select Run anyway first" : "The sweep above is not valid yet";
}

void ask_to_discard(BenchPanelState& state, BenchSession& session, const BenchScene& scene) {
  if (!ImGui::BeginPopup("discard")) return;
  ImGui::TextUnformatted(session.unsaved_text().c_str());
  if (ImGui::Button("Discard and start")) {
    start_sweep(state, session, scene);
    ImGui::CloseCurrentPopup();
  }
  ImGui::SameLine();
  if (ImGui::Button("Cancel")) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

void control_row(BenchPanelState& state, BenchSession& session, const BenchScene& scene) {
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float half = (remaining_width() - gap) / 2;
  bench::SweepRunner* runner = session.runner();
  if (!session.is_active()) {
    const std::string label =
        state.seconds ? fmt::format("Start (about {})###start", bench::duration_text(*state.seconds))
                      : "Start###start";
    if (primary_button(
            label.c_str(), remaining_width(), form_problem(session.form),
            "Measures one configuration after another; long samples run in the background. The time "
            "is estimated from threads and limits")) {
      if (session.unsaved()) {
        ImGui::OpenPopup("discard");
      } else {
        start_sweep(state, session, scene);
      }
    }
    state.areas["start"] = item_area();
    ask_to_discard(state, session, scene);
    if (runner != nullptr && runner->can_continue()) {
      if (choice_button("Continue sweep", false, remaining_width(), session.cannot_continue_reason(),
                        "Measures the remaining configurations and keeps the finished ones")) {
        runner->continue_sweep();
      }
      state.areas["go on"] = item_area();
    }
    if (runner != nullptr && runner->status() == Status::kStopped &&
        !session.cannot_continue_reason().empty())
      note("The sweep cannot be continued here: " + session.cannot_continue_reason());
    return;
  }
  if (runner->ended()) {
    choice_button("Stop", false, remaining_width(), "Waiting for the last sample");
    return;
  }
  const bool paused = runner->status() == Status::kPaused;
  if (choice_button(paused ? "Resume" : "Pause", paused, half)) paused ? runner->resume() : runner->pause();
  state.areas["pause"] = item_area();
  ImGui::SameLine();
  if (choice_button("Stop", false, remaining_width(), {},
                    "Ends the sweep and keeps the finished configurations")) {
    runner->stop();
  }
  state.areas["stop"] = item_area();
}

/// Skipped configurations are grouped by this text, which omits the tile size and g, r and B.
std::string skip_group(const bench::Row& row) {
  if (row.kind() == bench::SweepKind::kMaps)
    return fmt::format("{}, {}", row.text("fractal"), capitalized(app::label_of(parse_map(row.text("map")))));
  return fmt::format("n {}, {}, {}, {}", row.text("width"), method_text(row), row.text("precision"),
                     row.text("backend"));
}

std::string skips_text(const bench::Results& results) {
  struct Group {
    std::string name;
    std::string reason;
    std::size_t count;
  };
  std::vector<Group> groups;
  for (const bench::Row& row : results.rows) {
    if (row.measured()) continue;
    const std::string name = skip_group(row);
    const auto group = std::ranges::find_if(
        groups, [&](const Group& one) { return one.name == name && one.reason == row.skipped(); });
    group == groups.end() ? groups.push_back({name, row.skipped(), 1}) : void(++group->count);
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(groups.size(), kSkipsListed); ++i) {
    if (i > 0) text += "\n\n";
    text += fmt::format("{} ({}):\n{}", groups[i].name, plural(groups[i].count, "configuration"),
                        groups[i].reason);
  }
  if (groups.size() > kSkipsListed) text += fmt::format("\n\nand {} more", groups.size() - kSkipsListed);
  return text;
}

// Centres the text; ImGui would place it at the end of the filled part, where it moves.
void progress_bar(float share, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_PlotHistogram, theme::colours().grab);
  ImGui::ProgressBar(share, {remaining_width(), 0}, "");
  ImGui::PopStyleColor();
  const Area bar = item_area();
  const glm::vec2 extent = ImGui::CalcTextSize(text.c_str());
  ImGui::GetWindowDrawList()->AddText(bar.corner + (bar.size - extent) / 2.0f,
                                      ImGui::GetColorU32(ImGuiCol_Text), text.c_str());
}

// Always one line, so that the items below do not move.
void state_line(const bench::SweepRunner& runner) {
  std::string text = plural(runner.done() - runner.skipped(), "configuration") + " measured";
  if (!runner.ended()) {
    text = "now: " + bench::short_text(runner.cases()[runner.done()]);
  }
  const std::string skips = fmt::format("{} skipped", runner.skipped());
  const float gap = ImGui::GetFontSize();
  const float tail = runner.skipped() == 0 ? 0 : ImGui::CalcTextSize(skips.c_str()).x + gap;
  elided_text(text, remaining_width() - tail);
  if (runner.skipped() == 0) return;
  ImGui::SameLine(0, gap);
  ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().warning);
  right_aligned(skips);
  ImGui::PopStyleColor();
  if (ImGui::IsItemHovered()) tooltip(skips_text(runner.results()));
}

void progress(const BenchSession& session) {
  const bench::SweepRunner* runner = session.runner();
  if (runner == nullptr) return;
  const auto total = static_cast<std::size_t>(runner->results().planned);
  std::string text = fmt::format("{} of {}", runner->done(), total);
  text += !runner->ended() ? fmt::format(", {} left", bench::duration_text(runner->seconds_left()))
                           : fmt::format(", {}", name_of(runner->status()));
  if (runner->status() == Status::kPaused) text += ", paused";
  if (const auto& shards = runner->results().shards; shards && !shards->whole()) {
    text += shards->have.size() == 1 ? fmt::format(" (shard {}/{})", shards->have.front(), shards->of)
                                     : fmt::format(" ({} of {} shards)", shards->have.size(), shards->of);
  }
  progress_bar(static_cast<float>(runner->done()) / static_cast<float>(std::max<std::size_t>(total, 1)),
               text);
  if (const auto& shards = runner->results().shards; shards && !shards->whole())
    tooltip(
        fmt::format("{}: the whole sweep has {} configurations", to_string(*shards), shards->configurations));
  state_line(*runner);
}

}  // namespace

void check_form(BenchPanelState& state, BenchSession& session, const BenchScene& scene) {
  constexpr std::uint64_t kMostEstimated = 2'000;  // about 8 us each, within a frame
  bench::SweepForm& form = session.form;
  form.check({scene.device, scene.custom_fractal});
  state.seconds.reset();
  state.left_out.clear();
  if (form.cases == 0 || form.cases > kMostEstimated) return;
  bench::Sampling sampling{.max_seconds = static_cast<double>(form.max_seconds)};
  if (form.energy) sampling.measure_energy();
  const std::vector<bench::Case> cases = bench::expand(form.axes);
  state.seconds = bench::RemainingTime(cases, sampling).seconds();
  bench::Results skipped(form.kind);
  for (const bench::Case& one : cases) {
    if (std::string why = bench::method_problem_of(one); !why.empty()) {
      skipped.rows.push_back(bench::describe(one));
      skipped.rows.back().set("skipped", std::move(why));
    }
  }
  if (skipped.rows.empty()) return;
  state.left_out =
      fmt::format("{} of them cannot run and are skipped. {}", skipped.rows.size(), skips_text(skipped));
}

void load_sweep(BenchPanelState& state, BenchSession& session, const std::string& preset,
                const BenchScene& scene) {
  if (preset.empty()) {
    session.form.load(bench::SweepKind::kMaps, bench::axes_around(scene.config, name_of(scene.backend)));
  } else {
    session.form.load(bench::find_preset(preset));
  }
  check_form(state, session, scene);
  state.loaded = true;
}

void start_sweep(BenchPanelState& state, BenchSession& session, const BenchScene& scene) {
  session.start(scene.rule, scene.start);
  const std::string name = bench::results_name(session.runner()->results());
  state.results = {name, {}, {}, false};
  state.figure = {std::filesystem::path(name).replace_extension(".svg").string(), {}, {}, false};
}

void bench_panel(BenchPanelState& state, BenchSession& session, const BenchScene& scene) {
  control_row(state, session, scene);
  progress(session);
  if (section("Axes of the sweep")) bench_form(state, session, scene);
  if (section("Files")) {
    if (!session.is_active()) open_rows(state, session, scene);
    if (session.runner() != nullptr) save_rows(state, session);
  }
}

}  // namespace loom::app
