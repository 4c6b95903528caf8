#include "app/workspaces/life/code/map_code_panel.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/exercises/map_templates.h"
#include "app/files/output_file.h"
#include "app/gui/imgui_compat.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/item_area.h"
#include "app/widgets/pane_window.h"
#include "app/workspaces/life/scene/pane_presets.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "compute/geometry/tile_sizes.h"

namespace loom::app {
namespace {

constexpr double kPause = 0.15;  ///< seconds without a change until the code is tried
constexpr TaskTimeout kFeedbackWait{30};
constexpr std::uint64_t kMaxFile = std::uint64_t{1} << 20;
constexpr int kFindLength = 64;

bool is_own_text(std::string_view code) {
  return std::ranges::any_of(map_templates(), [&](const MapTemplate& one) { return one.code == code; });
}

std::string short_name(const std::filesystem::path& file) {
  return file.filename().string();
}

}  // namespace

MapCodePanel::MapCodePanel() : browser_({"Open a map", "Save the map", "No .cu files in this folder"}) {}

void MapCodePanel::button_area(const char* name) {
  areas_[name] = item_area();
}

bool MapCodePanel::button(const char* label, const char* area, const char* hint) {
  const bool pressed = ImGui::Button(label);
  button_area(area);
  tooltip(hint);
  return pressed;
}

void MapCodePanel::set_code(std::string_view code, const std::string& origin, bool is_trusted) {
  editor_.text().set(code);
  origin_ = origin;
  is_trusted_ = is_trusted;
  problems_.clear();
  failure_.clear();
  tried_.reset();
}

void MapCodePanel::keep(LifeSettings& settings) {
  kept_ = std::make_shared<const MapCode>(
      MapCode{editor_.text().text(), kept_ != nullptr ? kept_->exercise : std::string(), is_trusted_});
  kept_version_ = editor_.text().version();
  settings.map_code = kept_;
}

// Code that another scene, a lesson or an undo step has set.
void MapCodePanel::load(LifeSettings& settings) {
  const std::shared_ptr<const MapCode> wanted = settings.map_code;
  const std::string exercise = wanted != nullptr ? wanted->exercise : std::string();
  const bool same_exercise = kept_ != nullptr && kept_->exercise == exercise;
  kept_ = wanted;
  if (!same_exercise || (exercise_.has_value() != !exercise.empty())) {
    exercise_.reset();
    hints_ = 0;
    shows_solution_ = false;
    results_.clear_measured();
    try {
      if (!exercise.empty()) exercise_ = find_exercise(exercise);
      if (exercise_) editor_.focus();
    } catch (const InputError& error) {
      message_ = Message::error(error.what());
    }
  }
  const std::string_view standard =
      exercise_ ? std::string_view(exercise_->starter) : map_templates()[0].code;
  const std::string_view code =
      wanted == nullptr || wanted->text.empty() ? standard : std::string_view(wanted->text);
  if (editor_.text().text() == code) return;
  const bool of_program = (exercise_ && !exercise_->name.empty() && code == exercise_->starter) ||
                          is_own_text(code) || (wanted != nullptr && wanted->trusted);
  set_code(code, of_program ? "" : exercise_ ? "the exercise" : "the scene", of_program);
  results_.clear();
  keep(settings);
}

void MapCodePanel::begin_exercise(const std::string& name, LifeSettings& settings) {
  settings.map_code = std::make_shared<const MapCode>(MapCode{{}, name});
  load(settings);
  if (!exercise_) return;
  const ExerciseCase& first = exercise_->cases.front();
  settings.config.fractal = first.fractal;
  settings.config.level = first.level;
  settings.config.tile_size = nearest_tile_size(first.fractal, first.level, settings.config.tile_size);
  keep_method_valid(settings.config);
}

std::string MapCodePanel::read_code(const std::filesystem::path& file) {
  std::string code = read_input(file.string(), kMaxFile, "the code of a thread map");
  if (code.size() > kMaxMapCode)
    throw InputError(
        fmt::format("'{}' has {} bytes; allowed: up to {}", short_name(file), code.size(), kMaxMapCode));
  return code;
}

void MapCodePanel::open_code(std::string_view code, const std::string& name, LifeSettings& settings) {
  if (kept_ == nullptr) load(settings);
  set_code(code, name, is_own_text(code));
  keep(settings);
  settings.show_code = true;
}

void MapCodePanel::start(const LifeSettings& settings, bool runs) {
  if (task_.running()) {
    run_waits_ = run_waits_ || runs;
    if (!user_runs_ || runs) task_.cancel();
    return;
  }
  run_waits_ = false;
  MapAttemptRequest request{.code = editor_.text().text(),
                            .version = editor_.text().version(),
                            .config = settings.config,
                            .runs = runs,
                            .backend = runs ? map_backend_of(first_device(backend_)) : MapBackend(),
                            .exercise = runs ? exercise_ : std::nullopt};
  tried_ = MapAttemptRequest{{}, request.version, request.config, runs, request.backend, {}};
  if (!runs) request.config.level = feedback_level(settings.config).value_or(settings.config.level);
  running_version_ = request.version;
  user_runs_ = runs;
  if (runs) {
    is_trusted_ = true;
    origin_.clear();
  }
  failure_.clear();
  task_.start([request = std::move(request)](ProgressMonitor& watch) { return attempt_map(request, watch); },
              "out of memory while running the map");
}

void MapCodePanel::take() {
  // Frames that show nothing new would take time of the cores that compute the feedback.
  auto outcome = task_.poll(user_runs_ ? TaskTimeout{} : kFeedbackWait);
  if (!outcome) return;
  if (outcome->cancelled) {
    if (user_runs_ && !run_waits_) failure_ = "cancelled";
    return;
  }
  if (!outcome->result) {
    failure_ = outcome->problem;
    return;
  }
  MapAttempt& attempt = *outcome->result;
  problems_ = attempt.map.problems;
  outcome_ = attempt.map.outcome;
  if (outcome_ != MapOutcome::kRan) return;
  results_.take(std::move(attempt));
}

void MapCodePanel::update(LifeSettings& settings, const BackendSelection& backend) {
  if (settings.map_code != kept_ || (settings.show_code && kept_ == nullptr)) load(settings);
  if (!backend_.same_device(backend)) backend_ = backend;
  results_.begin_frame();
  take();
  if (!settings.show_code) {
    if (task_.running() && !user_runs_) task_.cancel();
    return;
  }
  const std::uint64_t version = editor_.text().version();
  const double now = ImGui::GetTime();
  if (version != seen_version_) {
    seen_version_ = version;
    changed_at_ = now;
  }
  if (version != kept_version_ && now - changed_at_ > kPause) keep(settings);
  if (task_.running()) {
    if (!user_runs_ && running_version_ != version) task_.cancel();
    return;
  }
  if (run_waits_) return start(settings, true);
  const bool is_new = !tried_ || tried_->version != version ||
                      !(tried_->config.fractal == settings.config.fractal) ||
                      tried_->config.level != settings.config.level;
  if (!is_new || !is_trusted_ || now - changed_at_ < kPause) return;
  if (feedback_level(settings.config)) return start(settings, false);
  // The map does not run on this fractal; the text is checked alone.
  problems_.clear();
  if (const auto problem = check_map_code(editor_.text().text())) problems_.push_back(*problem);
  outcome_ = problems_.empty() ? MapOutcome::kRan : MapOutcome::kRejected;
  tried_ = MapAttemptRequest{{}, version, settings.config, false, {}, {}};
}

bool MapCodePanel::is_animating() const {
  return task_.running() || run_waits_ || ImGui::GetTime() - changed_at_ < 2 * kPause;
}

Progress MapCodePanel::progress() const {
  return busy() ? Progress{"running the map", -1} : Progress{};
}

bool MapCodePanel::has_passed() const {
  return results_.has_passed(editor_.text().text());
}

bool MapCodePanel::press(const KeyPress& press, LifeSettings& settings) {
  if (!settings.show_code) return false;
  const bool is_enter = press.key == GLFW_KEY_ENTER || press.key == GLFW_KEY_KP_ENTER;
  if (is_enter && press.ctrl) {
    start(settings, true);
    return true;
  }
  if (press.ctrl) return false;
  if (is_enter) {
    editor_.focus();
    return true;
  }
  if (press.key != GLFW_KEY_ESCAPE) return false;
  if (finds_) {
    finds_ = false;
    editor_.focus();
  } else if (busy()) {
    cancel();
  } else {
    settings.show_code = false;
  }
  return true;
}

void MapCodePanel::menus(LifeSettings& settings) {
  if (button("Templates", "templates",
             "Replaces the code by a map to begin with. Ctrl Z in the editor brings the old code back"))
    ImGui::OpenPopup("##templates");
  if (ImGui::BeginPopup("##templates")) {
    for (const MapTemplate& one : map_templates()) {
      if (ImGui::Selectable(std::string(one.name).c_str())) {
        editor_.text().set(one.code, false);
        is_trusted_ = true;
        origin_.clear();
        editor_.focus();
      }
      areas_[fmt::format("template {}", one.name)] = item_area();
    }
    ImGui::EndPopup();
  }
  ImGui::SameLine();
  if (button("Exercises", "exercises", "Tasks whose answer is a map. Run grades it"))
    ImGui::OpenPopup("##exercises");
  if (ImGui::BeginPopup("##exercises")) {
    if (ImGui::Selectable("None")) {
      settings.map_code = std::make_shared<const MapCode>(MapCode{editor_.text().text(), {}});
      load(settings);
    }
    for (const BundledExercise& one : bundled_exercises()) {
      const std::string name(one.name);
      const bool is_chosen = exercise_ && exercise_->name == name;
      if (ImGui::Selectable(capitalized(name).c_str(), is_chosen) && !is_chosen) {
        begin_exercise(name, settings);
        editor_.focus();
      }
      areas_["exercise " + name] = item_area();
    }
    ImGui::EndPopup();
  }
}

void MapCodePanel::bar(LifeSettings& settings) {
  const MapBackend backend = MapBackend{first_device(backend_).device, {}};
  const std::string no_run =
      busy() ? std::string("The map runs. Cancel ends it") : run_problem(settings.config, backend);
  if (choice_button(exercise_ ? "Run and grade" : "Run", !is_trusted_,
                    button_width(exercise_ ? "Run and grade" : "Run"), no_run,
                    "Runs the map on this level, and measures it if coverage is exact (Ctrl Enter)"))
    start(settings, true);
  button_area("run");
  ImGui::SameLine();
  if (choice_button("Cancel", false, button_width("Cancel"), busy() ? "" : "Nothing runs",
                    "Ends the run (Esc)"))
    cancel();
  button_area("cancel");
  ImGui::SameLine();
  menus(settings);
  ImGui::SameLine();
  code::EditorCommand command = editor_.take_command();
  if (button("Open...", "open", "Opens the code of a map (Ctrl O). It runs after you have pressed Run"))
    command = code::EditorCommand::kOpen;
  ImGui::SameLine();
  if (button("Save...", "save", "Saves the code, for map run and map check (Ctrl S)"))
    command = code::EditorCommand::kSave;
  ImGui::SameLine();
  const bool compares = !settings.secondary_panes.empty();
  if (choice_button("Compare maps", compares, button_width("Compare maps"), {},
                    "Bounding box, λ and compact below the code. A cell or thread under the cursor is marked "
                    "in all of them (V)")) {
    set_panes(settings, compares ? PanePreset::kSingle : PanePreset::kMaps);
    editor_.focus();
  }
  button_area("compare");
  ImGui::SameLine();
  if (button("Close", "close", "Back to the picture (Esc). The code is kept")) settings.show_code = false;
  switch (command) {
    case code::EditorCommand::kRun:
      start(settings, true);
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
  }
}

void MapCodePanel::files(LifeSettings& settings) {
  const auto file = browser_.show();
  if (!file) return;
  try {
    if (browser_.what() == scene::FileBrowser::Mode::kSave) {
      write_file(*file, editor_.text().text());
      message_ = Message::success("Saved " + file->string());
    } else {
      open_code(read_code(*file), short_name(*file), settings);
    }
    browser_.close();
    editor_.focus();
  } catch (const InputError& error) {
    browser_.show_problem(error.what());
  }
}

void MapCodePanel::find_row() {
  if (!finds_) return;
  if (std::exchange(focuses_find_, false)) imgui_compat::focus_next_item();
  std::array<char, kFindLength> field{};
  words_.copy(field.data(), field.size() - 1);
  ImGui::SetNextItemWidth(12 * ImGui::GetFontSize());
  const bool entered = ImGui::InputTextWithHint("##find", "Find", field.data(), field.size(),
                                                ImGuiInputTextFlags_EnterReturnsTrue);
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
  hints();
}

void MapCodePanel::hints() {
  for (std::size_t i = 0; i < hints_ && i < exercise_->hints.size(); ++i)
    note(fmt::format("Hint {}: {}", i + 1, exercise_->hints[i]));
  if (hints_ < exercise_->hints.size()) {
    if (ImGui::SmallButton(hints_ == 0 ? "Hint" : "Next hint")) ++hints_;
    button_area("hint");
    ImGui::SameLine();
  }
  if (!exercise_->solution.empty() && exercise_->shows_solution) {
    if (ImGui::SmallButton("Show solution")) {
      editor_.text().set(exercise_->solution, false);
      shows_solution_ = true;
    }
    button_area("solution");
    tooltip("Replaces your code by the solution. Ctrl Z in the editor brings it back");
    ImGui::SameLine();
  }
  if (ImGui::SmallButton("Start again")) editor_.text().set(exercise_->starter, false);
  button_area("start again");
  tooltip("Replaces your code by the starter code. Ctrl Z in the editor brings it back");
}

void MapCodePanel::status_row() {
  const theme::Colours& colours = theme::colours();
  if (!is_trusted_)
    return coloured(colours.warning,
                    fmt::format("This code came with {}. Read it, then press Run to run it", origin_));
  if (busy()) return note("Running...");
  if (!failure_.empty())
    return coloured(colours.warning, fmt::format("The last run has no result: {}", failure_));
  if (!problems_.empty()) {
    const CodeProblem& first = problems_.front();
    const std::string more = problems_.size() > 1 ? fmt::format(" (and {} more)", problems_.size() - 1) : "";
    return coloured(colours.error, fmt::format("\u2717 {}{}", to_string(first), more));
  }
  const std::optional<MapAttempt>& shown = results_.shown();
  if (!shown || !tried_ || shown->request.version != tried_->version)
    return note(tried_ && !feedback_level(tried_->config)
                    ? run_problem(tried_->config, MapBackend{first_device(backend_).device, {}})
                    : "...");
  const MapCoverage& coverage = shown->map.coverage;
  const std::string level = level_text(*shown);
  if (coverage.is_exact())
    return coloured(colours.success,
                    fmt::format("\u2713 Coverage is exact{}: each cell is reached by one thread", level));
  if (shown->map.wrong)
    return coloured(colours.warning,
                    fmt::format("First wrong thread{}: {}", level, to_string(*shown->map.wrong)));
  if (shown->map.first_missed)
    return coloured(colours.warning,
                    fmt::format("No thread{} reaches ({}, {}) and {} other cells", level,
                                shown->map.first_missed->x, shown->map.first_missed->y, coverage.missed - 1));
  coloured(colours.warning, fmt::format("Coverage is not exact{}", level));
}

// Feedback on a lower level than that of the scene says so.
std::string MapCodePanel::level_text(const MapAttempt& shown) const {
  const int level = shown.request.config.level;
  if (level == tried_->config.level) return {};
  const bool runs = run_problem(tried_->config, MapBackend{first_device(backend_).device, {}}).empty();
  return runs ? fmt::format(" at level {} (Run checks level {})", level, tried_->config.level)
              : fmt::format(" at level {} (level {} has too many points)", level, tried_->config.level);
}

void MapCodePanel::show(const Area& area, LifeSettings& settings, const std::optional<Coord64>& linked) {
  areas_.clear();
  begin_pane_window("##map code", area, false);
  bar(settings);
  status_row();
  const glm::vec2 room = ImGui::GetContentRegionAvail();
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float right = MapResultsView::wanted_width(room);
  ImGui::BeginChild("##left", {room.x - right - gap, 0}, false);
  task_text();
  find_row();
  editor_.show("##code", ImGui::GetContentRegionAvail(), problems_);
  areas_["editor"] = editor_.area();
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("##right", {right, 0}, false);
  results_.show(room, editor_.text().text(), settings.config, linked);
  ImGui::EndChild();
  ImGui::End();
  files(settings);
}

void MapCodePanel::add_state(nlohmann::ordered_json& json, bool shown) const {
  json = {{"shown", shown},
          {"text", editor_.text().text()},
          {"lines", editor_.text().line_count()},
          {"focused", editor_.is_focused()},
          {"trusted", is_trusted_},
          {"origin", origin_},
          {"running", task_.running()},
          {"outcome", name_of(outcome_)},
          {"failure", failure_},
          {"exercise", exercise_ ? exercise_->name : ""},
          {"passed", has_passed()},
          {"hints", hints_},
          {"finds", finds_},
          {"pause_seconds", kPause}};
  json["problems"] = nlohmann::ordered_json::array();
  for (const CodeProblem& one : problems_)
    json["problems"].push_back({{"line", one.line}, {"column", one.column}, {"message", one.message}});
  json["up_to_date"] = !task_.running() && tried_ && tried_->version == editor_.text().version();
  results_.add_state(json);
  json["places"] = nlohmann::ordered_json::object();
  for (const auto& [name, place] : results_.areas()) json["places"][name] = numbers_of(place);
  for (const auto& [name, place] : areas_) json["places"][name] = numbers_of(place);
  for (const auto& [name, place] : browser_.areas()) json["places"]["browser " + name] = numbers_of(place);
}

}  // namespace loom::app
