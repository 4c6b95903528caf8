#include "app/workspaces/life/code/map_code_panel.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <nlohmann/json.hpp>

#include "app/exercises/exercise.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"

namespace loom::app {
namespace {

constexpr double kPause = 0.15;  ///< seconds without a change until the code is tried
constexpr TaskTimeout kFeedbackWait{30};
constexpr std::uint64_t kMaxFile = std::uint64_t{1} << 20;

}  // namespace

MapCodePanel::MapCodePanel() : browser_({"Open a map", "Save the map", "No .cu files in this folder"}) {}

bool MapCodePanel::is_known(std::string_view code) const {
  return runs_.contains(code) || is_bundled_code(code);
}

void MapCodePanel::set_code(std::string_view code, std::string_view origin, bool is_new) {
  code::CodeText& text = editor_.text();
  text.set(code, origin, is_new);
  if (is_known(text.text())) text.accept();
  run_waits_ = false;
  problems_.clear();
  failure_.clear();
  tried_.reset();
}

void MapCodePanel::keep(LifeSettings& settings) {
  const code::CodeText& text = editor_.text();
  kept_ = std::make_shared<const MapCode>(
      MapCode{text.text(), kept_ != nullptr ? kept_->exercise : std::string(), text.origin()});
  kept_version_ = editor_.text().version();
  settings.map_code = kept_;
}

// Code that another scene, a lesson or an undo step has set.
void MapCodePanel::load(LifeSettings& settings) {
  const std::shared_ptr<const MapCode> wanted = settings.map_code;
  const std::string exercise = wanted != nullptr ? wanted->exercise : std::string();
  const bool same_exercise = kept_ != nullptr && kept_->exercise == exercise;
  // A scene without code leaves the user's own code as it is.
  if (wanted == nullptr && kept_ != nullptr && same_exercise) return keep(settings);
  const std::string& text = editor_.text().text();
  if (kept_ != nullptr && !same_exercise && !(exercise_ && text == exercise_->starter))
    left_[kept_->exercise] = {text, kept_->exercise, editor_.text().origin()};
  kept_ = wanted;
  if (!same_exercise || (exercise_.has_value() != !exercise.empty())) {
    exercise_.reset();
    hints_ = 0;
    solution_waits_ = false;
    results_.clear_measured();
    try {
      if (!exercise.empty()) exercise_ = find_exercise(exercise);
      solution_waits_ = exercise_ && exercise_->requirements.cells == RequiredCells::kAsSolution &&
                        !is_known(exercise_->solution);
      if (exercise_) editor_.focus();
    } catch (const InputError& error) {
      message_ = Message::error(error.what());
    }
  }
  MapCode shown{exercise_ ? exercise_->starter : std::string(map_templates()[0].code), exercise,
                kExerciseOrigin};
  const auto left = left_.find(exercise);
  if (!same_exercise && left != left_.end()) shown = left->second;
  if (wanted != nullptr && !wanted->text.empty()) shown = *wanted;
  const auto& [code, of_exercise, origin] = shown;
  if (editor_.text().text() == code) {
    if (origin.empty()) editor_.text().accept();
    if (kept_ != nullptr && kept_->origin != editor_.text().origin()) keep(settings);
    return;
  }
  set_code(code, origin, true);
  results_.clear();
  keep(settings);
}

std::string MapCodePanel::read_code(const std::filesystem::path& file) {
  std::string code = read_input(file.string(), kMaxFile, "the code of a thread map");
  if (code.size() > kMaxMapCode)
    throw InputError(fmt::format("'{}' has {} bytes; allowed: up to {}", file.filename().string(),
                                 code.size(), kMaxMapCode));
  return code;
}

void MapCodePanel::open_code(std::string_view code, const std::string& name, LifeSettings& settings) {
  if (kept_ == nullptr) load(settings);
  set_code(code, name, true);
  keep(settings);
  settings.show_code = true;
}

// The user pressed Run. Its results take the place of the stepped warp.
void MapCodePanel::run(const LifeSettings& settings) {
  steps_.end();
  editor_.text().accept();
  runs_.insert(editor_.text().text());
  start(settings, true);
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
                            .exercise = exercise_};
  if (solution_waits_) request.exercise->solution.clear();
  tried_ = MapAttemptRequest{{}, request.version, request.config, runs, request.backend, {}};
  if (!runs) request.config.level = feedback_level(settings.config).value_or(settings.config.level);
  running_version_ = request.version;
  user_runs_ = runs;
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
  const std::optional<Exercise>& exercise = attempt.request.exercise;
  if (exercise && !exercise->name.empty() && attempt.grade && attempt.grade->passed)
    passed_.add(exercise->name, 1);
  results_.take(std::move(attempt));
}

void MapCodePanel::update(LifeSettings& settings, const BackendSelection& backend) {
  if (!next_exercise_.empty()) begin_exercise(settings, std::exchange(next_exercise_, {}));
  if (settings.map_code != kept_ || (settings.show_code && kept_ == nullptr)) load(settings);
  // An exercise that was left has given back another fractal.
  const bool opens = !std::exchange(was_shown_, settings.show_code) && settings.show_code;
  if (opens && exercise_ && !(settings.config.fractal == exercise_->cases.front().fractal))
    show_first_case(settings.config, *exercise_);
  if (!backend_.same_device(backend)) backend_ = backend;
  results_.begin_frame();
  take();
  if (const std::string why = passed_.update(); !why.empty())
    message_ =
        Message::error("Passed exercises cannot be saved and are known until this window closes: " + why);
  update_steps(settings);
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
  if (std::exchange(run_waits_, false) && is_trusted()) return start(settings, true);
  const bool is_new = !tried_ || tried_->version != version ||
                      !(tried_->config.fractal == settings.config.fractal) ||
                      tried_->config.level != settings.config.level;
  if (!is_new || !is_trusted() || now - changed_at_ < kPause) return;
  if (feedback_level(settings.config)) return start(settings, false);
  // The map does not run on this fractal; the text is checked alone.
  problems_ = editor_.program().problems;
  outcome_ = problems_.empty() ? MapOutcome::kRan : MapOutcome::kRejected;
  tried_ = MapAttemptRequest{{}, version, settings.config, false, {}, {}};
}

// As in the pictures, which are of a lower level while the user types on a large one.
std::optional<FractalConfig> MapCodePanel::stepped_config(const LifeSettings& settings) const {
  const std::optional<MapAttempt>& shown = results_.shown();
  if (shown && shown->request.version == editor_.text().version() &&
      shown->request.config.fractal == settings.config.fractal)
    return shown->request.config;
  const auto level = feedback_level(settings.config);
  if (!level) return std::nullopt;
  FractalConfig config = settings.config;
  config.level = *level;
  return config;
}

void MapCodePanel::begin_steps(const LifeSettings& settings) {
  if (!is_trusted()) {
    message_ = Message::hint(
        fmt::format("This code came with {}. Run it before you step through it", editor_.text().origin()));
    return;
  }
  const MapProgram& program = editor_.program();
  const auto config = stepped_config(settings);
  if (!program.problems.empty()) {
    message_ = Message::warning(to_string(program.problems.front()));
  } else if (!config) {
    message_ = Message::warning(run_problem(settings.config, MapBackend()));
  } else {
    try {
      steps_.begin(program, *config);
      stepped_version_ = editor_.text().version();
    } catch (const InputError& error) {
      message_ = Message::warning(error.what());
    }
  }
}

void MapCodePanel::step(code::EditorCommand command, const LifeSettings& settings) {
  const bool begins = !steps_.is_active();
  if (command == code::EditorCommand::kNone || (begins && command == code::EditorCommand::kStop)) return;
  if (begins) begin_steps(settings);
  // The first key shows the first statement.
  if (!begins || command == code::EditorCommand::kContinue || command == code::EditorCommand::kRunToCursor)
    steps_.act(command, editor_.breakpoints(), editor_.cursor_line());
  if (steps_.is_active()) {
    editor_.go_to_line(steps_.line());
  } else if (command == code::EditorCommand::kStop) {
    editor_.focus();
  }
}

// The pinned point of the panes is that of the chosen thread. Another text ends stepping; another fractal or
// level begins anew.
void MapCodePanel::update_steps(const LifeSettings& settings) {
  if (settings.pinned != followed_ && settings.show_code && results_.shown()) {
    followed_ = settings.pinned;
    const auto thread = followed_ ? results_.first_thread_of({static_cast<std::int32_t>(followed_->x),
                                                              static_cast<std::int32_t>(followed_->y)})
                                  : std::nullopt;
    if (thread) steps_.is_active() ? steps_.choose(*thread) : steps_.choose_later(*thread);
  }
  if (!steps_.is_active()) return;
  if (stepped_version_ != editor_.text().version() || !is_trusted() || !settings.show_code)
    return steps_.end();
  const auto config = stepped_config(settings);
  const FractalConfig& now = steps_.config();
  if (!config || !(config->fractal == now.fractal) || config->level != now.level) {
    steps_.end();
    if (config) begin_steps(settings);
  }
  if (steps_.is_active()) steps_.record();
}

// A click on the pictures chooses a thread, and pins its cell in the panes.
void MapCodePanel::choose_thread(LifeSettings& settings) {
  const auto thread = results_.clicked_thread();
  if (!thread) return;
  steps_.is_active() ? steps_.choose(*thread) : steps_.choose_later(*thread);
  settings.pinned = followed_ = results_.hovered();
  settings.show_thread = settings.show_thread || settings.pinned.has_value();
}

int MapCodePanel::hovered_lane() const {
  if (const auto lane = steps_.hovered_lane()) return *lane;
  const auto thread = results_.is_pointed_at() ? results_.hovered_thread() : std::nullopt;
  const auto lane = thread ? steps_.lane_of(*thread) : std::nullopt;
  return lane.value_or(steps_.lane());
}

bool MapCodePanel::is_animating() const {
  return steps_.is_recording() || task_.running() || run_waits_ ||
         ImGui::GetTime() - changed_at_ < 2 * kPause;
}

Progress MapCodePanel::progress() const {
  return busy() ? Progress{"running the map", -1} : Progress{};
}

bool MapCodePanel::has_passed() const {
  return results_.has_passed(editor_.text().text());
}

const MapResult* MapCodePanel::ran() const {
  const std::optional<MapAttempt>& shown = results_.shown();
  const bool is_current = shown && shown->request.version == editor_.text().version();
  return is_current ? &shown->map : nullptr;
}

bool MapCodePanel::press(const KeyPress& press, LifeSettings& settings) {
  if (!settings.show_code) return false;
  const bool is_enter = press.key == GLFW_KEY_ENTER || press.key == GLFW_KEY_KP_ENTER;
  if (is_enter && press.ctrl) {
    run(settings);
    return true;
  }
  if (const auto step_by = code::step_command(press.key, press.ctrl, press.shift);
      step_by != code::EditorCommand::kNone && steps_.is_active()) {
    step(step_by, settings);
    return true;
  }
  if (press.key == GLFW_KEY_F9 && steps_.is_active()) {
    editor_.toggle_breakpoint(editor_.cursor_line());
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
  } else if (steps_.is_active()) {
    steps_.end();
  } else {
    settings.show_code = false;
  }
  return true;
}

void MapCodePanel::add_state(nlohmann::ordered_json& json, bool shown) const {
  json = {{"shown", shown},
          {"text", editor_.text().text()},
          {"lines", editor_.text().line_count()},
          {"focused", editor_.is_focused()},
          {"trusted", is_trusted()},
          {"origin", editor_.text().origin()},
          {"solution_waits", solution_waits_},
          {"dimmed", is_old()},
          {"running", task_.running()},
          {"outcome", name_of(outcome_)},
          {"failure", failure_},
          {"status", status_},
          {"exercise", exercise_ ? exercise_->name : ""},
          {"passed", has_passed()},
          {"hints", hints_},
          {"finds", finds_},
          {"pause_seconds", kPause}};
  json["solved"] = nlohmann::ordered_json::array();
  for (const BundledExercise& one : bundled_exercises()) {
    if (passed_.solved(std::string(one.name)) > 0) json["solved"].push_back(one.name);
  }
  json["problems"] = nlohmann::ordered_json::array();
  for (const CodeProblem& one : problems_)
    json["problems"].push_back({{"line", one.line}, {"column", one.column}, {"message", one.message}});
  json["up_to_date"] = !task_.running() && tried_ && tried_->version == editor_.text().version();
  json["breakpoints"] = editor_.breakpoints();
  steps_.add_state(json);
  results_.add_state(json);
  json["places"] = numbers_of(results_.areas());
  json["places"]["line 1"] = numbers_of(editor_.number_area(1));
  for (const auto& areas :
       {numbers_of(areas_), numbers_of(steps_.areas(), "step "), numbers_of(browser_.areas(), "browser ")})
    json["places"].update(nlohmann::ordered_json(areas));
}

}  // namespace loom::app
