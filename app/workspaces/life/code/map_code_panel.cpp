#include "app/workspaces/life/code/map_code_panel.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/exercises/map_templates.h"
#include "app/workspaces/life/scene/life_setting_changes.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "compute/map_code/coverage.h"

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
  const std::string_view standard =
      exercise_ ? std::string_view(exercise_->starter) : map_templates()[0].code;
  const bool is_standard = wanted == nullptr || wanted->text.empty();
  const std::string_view code = is_standard ? standard : std::string_view(wanted->text);
  const std::string_view origin = is_standard ? kExerciseOrigin : std::string_view(wanted->origin);
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

// The user pressed Run.
void MapCodePanel::run(const LifeSettings& settings) {
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
                            .exercise = runs && !solution_waits_ ? exercise_ : std::nullopt};
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
  if (!backend_.same_device(backend)) backend_ = backend;
  results_.begin_frame();
  take();
  if (const std::string why = passed_.update(); !why.empty())
    message_ =
        Message::error("Passed exercises cannot be saved and are known until this window closes: " + why);
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
  problems_ = parse_map_code(editor_.text().text()).problems;
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
  results_.add_state(json);
  json["places"] = nlohmann::ordered_json::object();
  for (const auto& [name, place] : results_.areas()) json["places"][name] = numbers_of(place);
  for (const auto& [name, place] : areas_) json["places"][name] = numbers_of(place);
  for (const auto& [name, place] : browser_.areas()) json["places"]["browser " + name] = numbers_of(place);
}

}  // namespace loom::app
