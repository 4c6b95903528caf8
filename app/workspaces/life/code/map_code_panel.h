#pragma once

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "app/code/window/code_editor.h"
#include "app/code/window/map_step_view.h"
#include "app/document/scene/window/file_browser.h"
#include "app/gui/input_queue.h"
#include "app/shell/toasts.h"
#include "app/tasks/learning_progress.h"
#include "app/tasks/task.h"
#include "app/workspaces/life/code/map_attempt.h"
#include "app/workspaces/life/code/map_results_view.h"
#include "app/workspaces/life/scene/life_settings.h"

namespace loom::app {

/// The custom map: an editor for its code beside what its threads reach. It runs in the background, while the
/// user types and on Run, and is stepped a warp at a time.
class MapCodePanel {
 public:
  static constexpr const char* kExtension = ".cu";
  static constexpr const char* kExerciseOrigin = "the exercise";
  MapCodePanel();
  /// Takes results, starts feedback, and keeps the code in the settings. Call every frame; `backend`: of the
  /// scene.
  void update(LifeSettings& settings, const BackendSelection& backend);
  /// Draws the panel. `linked`: the cell that the panes mark, which is marked in the pictures too.
  void show(const Area& area, LifeSettings& settings, const std::optional<Coord64>& linked);
  /// Escape leaves; Enter goes to the editor; Ctrl Enter runs; while the map is stepped, the keys of
  /// debuggers step it. Returns whether the key was taken.
  bool press(const KeyPress& press, LifeSettings& settings);
  /// The code in a file. Throws InputError.
  static std::string read_code(const std::filesystem::path& file);
  /// Shows code that came with a file of this name. It runs after the user has pressed Run.
  void open_code(std::string_view code, const std::string& name, LifeSettings& settings);
  /// The keyboard focus goes to the editor.
  void focus() { editor_.focus(); }
  /// Carries out a command of the editor, as its key does.
  void command(code::EditorCommand command, LifeSettings& settings);
  bool busy() const { return task_.running() && user_runs_; }
  /// Whether a result or a pause in typing is waited for.
  bool is_animating() const;
  Progress progress() const;
  void cancel() { task_.cancel(); }
  Message take_message() { return std::exchange(message_, {}); }

  /// The point of the square under the cursor, or of the thread under the cursor, of the scene's fractal.
  std::optional<Coord64> hovered() const { return results_.hovered(); }
  /// The last run of the text in the editor; null if it has none.
  const MapResult* ran() const;
  /// Whether the code passes the exercise as it was last run.
  bool has_passed() const;
  void add_state(nlohmann::ordered_json& json, bool shown) const;

 private:
  void load(LifeSettings& settings);
  /// Replaces the text by code from `origin`, which waits for Run unless it is bundled or was run before.
  void set_code(std::string_view code, std::string_view origin, bool is_new);
  bool is_known(std::string_view code) const;
  bool is_trusted() const { return editor_.text().origin().empty(); }
  /// Whether the results shown are not those of the newest code, which has none.
  bool is_old() const { return !problems_.empty() || !failure_.empty() || !is_trusted(); }
  void keep(LifeSettings& settings);
  void run(const LifeSettings& settings);
  void start(const LifeSettings& settings, bool runs);
  void step(code::EditorCommand command, const LifeSettings& settings);
  void begin_steps(const LifeSettings& settings);
  void update_steps(const LifeSettings& settings);
  std::optional<FractalConfig> stepped_config(const LifeSettings& settings) const;
  int hovered_lane() const;
  void choose_thread(LifeSettings& settings);
  void take();
  void bar(LifeSettings& settings);
  void menus(LifeSettings& settings);
  void files(LifeSettings& settings);
  void find_row();
  void task_text();
  void status_row(const LifeSettings& settings);
  std::string level_text(const MapAttempt& shown) const;
  void hints();
  void button_area(const char* name);
  bool button(const char* label, const char* area, const char* hint);

  code::CodeEditor editor_;
  std::shared_ptr<const MapCode> kept_;  ///< as in the settings
  std::uint64_t kept_version_ = 0;
  std::set<std::string, std::less<>> runs_;  ///< texts on which the user has pressed Run
  BackendSelection backend_;

  Task<MapAttempt> task_;
  bool user_runs_ = false;                  ///< the running attempt is one of Run
  std::uint64_t running_version_ = 0;       ///< of its code
  bool run_waits_ = false;                  ///< Run was pressed while another attempt ends
  double changed_at_ = 0;                   ///< seconds
  std::uint64_t seen_version_ = 0;          ///< for changed_at_
  std::optional<MapAttemptRequest> tried_;  ///< what was tried last, without its code
  std::vector<CodeProblem> problems_;       ///< of the newest attempt
  MapOutcome outcome_ = MapOutcome::kRan;   ///< of the newest attempt
  std::string failure_;                     ///< why the newest attempt has no outcome
  MapResultsView results_;
  std::string status_;  ///< the sentence above the code

  MapStepView steps_;
  std::uint64_t stepped_version_ = 0;  ///< of the text
  std::optional<Coord64> followed_;    ///< the pinned point whose thread was chosen

  std::optional<Exercise> exercise_;
  LearningProgress passed_{"exercise"};
  /// The code of exercises that were left, by name, and of the map without one: they go on where they were.
  std::map<std::string, MapCode, std::less<>> left_;
  std::string_view next_exercise_;  ///< to begin with; of a bundled one, or empty
  std::size_t hints_ = 0;           ///< shown
  bool solution_waits_ =
      false;  ///< grading would run the exercise's solution, which the user has not allowed

  bool was_shown_ = false;  ///< in the last frame
  bool finds_ = false;
  bool focuses_find_ = false;
  std::string words_;
  scene::FileBrowser browser_;
  Message message_;

  std::map<std::string, Area, std::less<>> areas_;
};

}  // namespace loom::app
