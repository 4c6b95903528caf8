// What the panel draws: its buttons and rows.

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/exercises/exercise.h"
#include "app/files/output_file.h"
#include "app/gui/imgui_compat.h"
#include "app/text/format.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"
#include "app/workspaces/life/code/map_code_panel.h"
#include "app/workspaces/life/scene/life_settings.h"

namespace loom::app {

namespace {

/// The place of the next button of the bar: in the same row, or in a narrow window in the next one.
void place_bar_button(const char* label) {
  ImGui::SameLine();
  if (button_width(label) > remaining_width()) ImGui::NewLine();
}

}  // namespace

void MapCodePanel::button_area(const char* name) {
  areas_[name] = item_area();
}

bool MapCodePanel::button(const char* label, const char* area, const char* hint) {
  const bool pressed = ImGui::Button(label);
  button_area(area);
  tooltip(hint);
  return pressed;
}

void MapCodePanel::menus(LifeSettings& settings) {
  if (button("Templates", "templates",
             "Replaces the code by a map to begin with. Ctrl Z in the editor brings the old code back"))
    ImGui::OpenPopup("##templates");
  if (ImGui::BeginPopup("##templates")) {
    for (const MapTemplate& one : map_templates()) {
      if (ImGui::Selectable(std::string(one.name).c_str())) {
        set_code(one.code, {}, false);
        editor_.focus();
      }
      areas_[fmt::format("template {}", one.name)] = item_area();
    }
    ImGui::Separator();
    ImGui::TextDisabled("Open as code: built-in maps");
    tooltip("The program's own maps in the map language, with one thread per point or cell");
    const std::string problem =
        settings.config.fractal.is_uniform() ? std::string() : run_problem(settings.config, MapBackend());
    for (const MapTextChoice& one : map_texts()) {
      const std::string label = fmt::format("{}##built-in", one.name);
      if (ImGui::Selectable(label.c_str(), false, problem.empty() ? 0 : ImGuiSelectableFlags_Disabled)) {
        set_code(map_text(one.value, settings.config.fractal), {}, false);
        editor_.focus();
      }
      areas_[fmt::format("built-in {}", one.name)] = item_area();
      tooltip(problem);
    }
    ImGui::EndPopup();
  }
  place_bar_button("Exercises");
  if (button("Exercises", "exercises", "Tasks whose answer is a map. Run grades it"))
    ImGui::OpenPopup("##exercises");
  if (ImGui::BeginPopup("##exercises")) {
    if (ImGui::Selectable("None: your own map")) {
      const auto own = left_.find(std::string_view());
      settings.map_code = std::make_shared<const MapCode>(
          exercise_ && own != left_.end() ? own->second
                                          : MapCode{editor_.text().text(), {}, editor_.text().origin()});
      load(settings);
    }
    areas_["exercise none"] = item_area();
    int number = 0;
    for (const BundledExercise& one : bundled_exercises()) {
      const std::string name(one.name);
      const std::string label = fmt::format("{}. {}", ++number, one.title);
      const bool is_chosen = exercise_ && exercise_->name == name;
      if (ImGui::MenuItem(label.c_str(), passed_.solved(name) > 0 ? "\u2713 passed" : "", is_chosen))
        begin_exercise(settings, name);
      areas_["exercise " + name] = item_area();
    }
    ImGui::EndPopup();
  }
}

void MapCodePanel::bar(LifeSettings& settings) {
  const MapBackend backend = MapBackend{first_device(backend_).device, {}};
  const std::string no_run =
      busy() ? std::string("The map runs. Cancel ends it") : run_problem(settings.config, backend);
  const char* const run_label = exercise_ ? "Run and grade" : "Run";
  if (primary_button(run_label, button_width(run_label), no_run,
                     "Runs the map on this level, and measures it if coverage is exact (Ctrl Enter)")) {
    run(settings);
    editor_.focus();
  }
  button_area("run");
  place_bar_button("Cancel");
  if (choice_button("Cancel", false, button_width("Cancel"), busy() ? "" : "Nothing runs",
                    "Ends the run (Esc)"))
    cancel();
  button_area("cancel");
  place_bar_button("Step");
  const std::string no_steps =
      !is_trusted() ? "Run the code before you step through it"
      : editor_.program().problems.empty()
          ? ""
          : "The code has problems: " + to_string(editor_.program().problems.front());
  if (choice_button("Step", false, button_width("Step"), no_steps,
                    "Steps through the map, a warp at a time (F11)"))
    step(code::EditorCommand::kStepInto, settings);
  button_area("step");
  place_bar_button("Templates");
  menus(settings);
  place_bar_button("Open...");
  if (button("Open...", "open", "Opens the code of a map (Ctrl O). It runs after you have pressed Run"))
    command(code::EditorCommand::kOpen, settings);
  place_bar_button("Save...");
  if (button("Save...", "save", "Saves the code, for map run and map check (Ctrl S)"))
    command(code::EditorCommand::kSave, settings);
  place_bar_button("Compare maps");
  const bool compares = !settings.secondary_panes.empty();
  if (choice_button("Compare maps", compares, button_width("Compare maps"), {},
                    "Bounding box, λ and compact below the code. A cell or thread under the cursor is marked "
                    "in all of them (V)")) {
    set_panes(settings, compares ? PanePreset::kSingle : PanePreset::kMaps);
    editor_.focus();
  }
  button_area("compare");
  place_bar_button("Close");
  if (button("Close", "close", "Back to the picture (Esc). The code is kept")) settings.show_code = false;
}

void MapCodePanel::command(code::EditorCommand command, LifeSettings& settings) {
  switch (command) {
    case code::EditorCommand::kRun:
      run(settings);
      break;
    case code::EditorCommand::kFind:
      finds_ = focuses_find_ = true;
      break;
    case code::EditorCommand::kOpen:
      browser_.open(scene::FileBrowser::Mode::kOpen, "", {kExtension});
      break;
    case code::EditorCommand::kSave:
      browser_.open(scene::FileBrowser::Mode::kSave, "my-map.map.cu", {kExtension});
      break;
    case code::EditorCommand::kNone:
      break;
    default:
      step(command, settings);
  }
}

void MapCodePanel::files(LifeSettings& settings) {
  const bool used = browser_.show([&](const std::filesystem::path& file) {
    if (browser_.what() != scene::FileBrowser::Mode::kSave)
      return open_code(read_code(file), file.filename().string(), settings);
    write_file(file, editor_.text().text());
    message_ = Message::success("Saved " + file.string());
  });
  if (used) editor_.focus();
}

void MapCodePanel::find_row() {
  if (!finds_) return;
  if (std::exchange(focuses_find_, false)) imgui_compat::focus_next_item();
  constexpr int kFindLength = 64;
  std::array<char, kFindLength> field{};
  words_.copy(field.data(), field.size() - 1);
  ImGui::SetNextItemWidth(12 * ImGui::GetFontSize());
  const bool entered =
      ImGui::InputTextWithHint("##find", "Find", field.data(), field.size(),
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  button_area("find");
  const bool is_in_field = ImGui::IsItemActive();
  const bool left = ImGui::IsItemDeactivated();
  words_ = field.data();
  ImGui::SameLine();
  const bool previous = ImGui::Button("Previous");
  ImGui::SameLine();
  const bool next = ImGui::Button("Next");
  if (entered || next || previous) {
    if (!editor_.text().find(words_, previous || (entered && ImGui::GetIO().KeyShift)))
      message_ = Message::hint(fmt::format("'{}' is not in the code", words_));
    editor_.reveal();
    if (entered) focuses_find_ = true;
  }
  ImGui::SameLine();
  const bool escaped =
      (is_in_field || left) && ImGui::IsKeyPressed(imgui_compat::key(GLFW_KEY_ESCAPE), false);
  if (ImGui::Button("Done") || escaped) {
    finds_ = false;
    editor_.focus();
  }
}

void MapCodePanel::task_text() {
  if (!exercise_) return;
  if (!section(exercise_->title.c_str())) return;
  ImGui::PushTextWrapPos(0);
  // Paragraphs are separated by empty lines; lines within are joined.
  std::string_view rest = exercise_->task;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find("\n\n"), rest.size());
    std::string paragraph(rest.substr(0, end));
    std::replace(paragraph.begin(), paragraph.end(), '\n', ' ');
    ImGui::TextUnformatted(paragraph.c_str());
    rest.remove_prefix(std::min(end + 2, rest.size()));
  }
  ImGui::PopTextWrapPos();
  if (const std::string limits = limits_text(exercise_->requirements); !limits.empty())
    note("Required: " + limits);
  hints();
}

void MapCodePanel::hints() {
  const auto replace_code = [this](std::string_view code) {
    set_code(code, kExerciseOrigin, false);
    editor_.focus();
  };
  // The buttons stay where they are while hints appear below them.
  const std::size_t hints = exercise_->hints.size();
  if (hints > 0) {
    ImGui::BeginDisabled(hints_ >= hints);
    if (ImGui::SmallButton("Hint")) {
      ++hints_;
      editor_.focus();
    }
    ImGui::EndDisabled();
    button_area("hint");
    tooltip(hints_ < hints ? fmt::format("Shows hint {} of {}", hints_ + 1, hints) : "All hints are shown");
    ImGui::SameLine();
  }
  if (!exercise_->solution.empty() && exercise_->shows_solution) {
    if (ImGui::SmallButton("Show solution")) replace_code(exercise_->solution);
    button_area("solution");
    tooltip("Replaces your code by the solution. Ctrl Z in the editor brings it back");
    ImGui::SameLine();
  }
  if (ImGui::SmallButton("Start again")) replace_code(exercise_->starter);
  button_area("start again");
  tooltip("Replaces your code by the starter code. Ctrl Z in the editor brings it back");
  const auto& path = bundled_exercises();
  const auto here = std::ranges::find(path, exercise_->name, &BundledExercise::name);
  if (has_passed() && here != path.end() && here + 1 != path.end()) {
    ImGui::SameLine();
    if (ImGui::SmallButton("Next exercise")) next_exercise_ = (here + 1)->name;
    button_area("next exercise");
    tooltip((here + 1)->title.c_str());
  }
  for (std::size_t i = 0; i < hints_ && i < hints; ++i)
    note(fmt::format("Hint {}: {}", i + 1, exercise_->hints[i]));
}

void MapCodePanel::status_row(const LifeSettings& settings) {
  const theme::Colours& colours = theme::colours();
  const auto say = [this](const glm::vec4& colour, std::string text) {
    coloured(colour, text);
    status_ = std::move(text);
  };
  if (!is_trusted())
    return say(colours.warning, fmt::format("This code came with {}. Read it, then press Run to run it",
                                            editor_.text().origin()));
  if (solution_waits_) {
    if (ImGui::SmallButton("Allow")) {
      runs_.insert(exercise_->solution);
      solution_waits_ = false;
      run(settings);
      editor_.focus();
    }
    button_area("allow");
    tooltip("Runs and grades your code, and the solution in the same way");
    ImGui::SameLine();
    coloured(colours.warning, "Grading also runs the solution that came with the exercise");
  }
  if (busy()) return say(colours.muted, "Running...");
  if (!failure_.empty()) return say(colours.warning, fmt::format("The last run has no result: {}", failure_));
  if (!problems_.empty()) {
    const CodeProblem& first = problems_.front();
    const std::string more = problems_.size() > 1 ? fmt::format(" (and {} more)", problems_.size() - 1) : "";
    return say(colours.error, fmt::format("\u2717 {}{}", to_string(first), more));
  }
  const std::optional<MapAttempt>& shown = results_.shown();
  if (!shown || !tried_ || shown->request.version != tried_->version)
    return say(colours.muted, tried_ && !feedback_level(tried_->config)
                                  ? run_problem(tried_->config, MapBackend{first_device(backend_).device, {}})
                                  : "...");
  const MapCoverage& coverage = shown->map.coverage;
  const std::string level = level_text(*shown);
  if (shown->is_part)
    return say(
        coverage.is_exact() && shown->is_part_known ? colours.success : colours.muted,
        shown->is_part_known
            ? fmt::format("{} of the {} cells that the exercise asks for are reached{}, {} threads are on "
                          "other points",
                          format_count(coverage.once), format_count(coverage.cells), level,
                          format_count(coverage.on_holes))
            : fmt::format("{} cells are reached{}. The exercise asks for some of all cells: Run and grade "
                          "compares them with its solution",
                          format_count(coverage.once), level));
  if (coverage.is_exact())
    return say(colours.success,
               fmt::format("\u2713 Coverage is exact{}: each cell is reached by one thread", level));
  say(colours.warning, fmt::format("Coverage is not exact{}: {}", level, coverage_problem(shown->map)));
}

// Feedback on a lower level than that of the scene says so.
std::string MapCodePanel::level_text(const MapAttempt& shown) const {
  const int level = shown.request.config.level;
  if (level == tried_->config.level) return {};
  const FractalConfig& config = tried_->config;
  const MapBackend backend{first_device(backend_).device, {}};
  if (!run_problem(config, backend).empty())
    return fmt::format(" at level {} (level {} has too many points)", level, config.level);
  const std::uint64_t points = config.fractal.width(config.level) * config.fractal.height(config.level);
  if (backend.device.on_host && points > kMaxMapThreads)
    return fmt::format(" at level {} (Run checks level {} with at most {} threads)", level, config.level,
                       format_count(kMaxMapThreads));
  return fmt::format(" at level {} (Run checks level {})", level, config.level);
}

void MapCodePanel::show(const Area& area, LifeSettings& settings, const std::optional<Coord64>& linked) {
  areas_.clear();
  // As begin_pane_window(), with buttons that F6 reaches.
  begin_fixed_window("##map code", area,
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoScrollbar |
                         ImGuiWindowFlags_NoScrollWithMouse);
  // Ctrl Tab goes to the buttons, not back into the editor.
  if (!editor_.is_focused()) ImGui::GetCurrentWindow()->NavLastChildNavWindow = nullptr;
  imgui_compat::begin_tab_stops();
  command(editor_.take_command(), settings);
  if (steps_.is_active()) {
    step(steps_.bar(!editor_.breakpoints().empty()), settings);
  } else {
    bar(settings);
  }
  if (steps_.is_active()) {
    steps_.position_row(hovered_lane());
  } else {
    status_row(settings);
  }
  const glm::vec2 room = ImGui::GetContentRegionAvail();
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float right = MapResultsView::wanted_width(room);
  ImGui::BeginChild("##left", {room.x - right - gap, 0}, false, ImGuiWindowFlags_NavFlattened);
  // In a low room, as in a lecture, the stepped code needs the room of the task.
  constexpr float kLeastForTask = 28;  // in lines
  if (!steps_.is_active() || room.y >= kLeastForTask * ImGui::GetTextLineHeightWithSpacing()) task_text();
  find_row();
  std::optional<SteppedWarp> stepped;
  code::ExecutionMarks marks;
  if (!is_old()) marks.lines = results_.lines();
  if (steps_.is_active()) {
    stepped = steps_.stepped_warp();
    marks = steps_.marks();
  }
  editor_.show("##code", ImGui::GetContentRegionAvail(), problems_, marks);
  areas_["editor"] = editor_.area();
  ImGui::EndChild();
  ImGui::SameLine();
  // Of the same width with and without a scroll bar: the pictures would take turns with it.
  ImGui::SetNextWindowContentSize({right - ImGui::GetStyle().ScrollbarSize, 0});
  ImGui::BeginChild("##right", {right, 0}, false, ImGuiWindowFlags_NavFlattened);
  results_.show(room, editor_.text().text(), is_old(), settings.config, linked, stepped ? &*stepped : nullptr,
                [this] {
                  steps_.thread_fields();
                  steps_.table();
                });
  choose_thread(settings);
  ImGui::EndChild();
  imgui_compat::end_tab_stops();
  ImGui::End();
  files(settings);
}

}  // namespace loom::app
