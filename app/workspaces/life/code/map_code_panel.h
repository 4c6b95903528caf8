#pragma once

#include <array>
#include <functional>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/code/window/code_editor.h"
#include "app/code/window/map_step_view.h"
#include "app/document/scene/window/file_browser.h"
#include "app/gui/input_queue.h"
#include "app/gui/layout.h"
#include "app/shell/toasts.h"
#include "app/tasks/learning_progress.h"
#include "app/tasks/task.h"
#include "app/workspaces/life/code/map_attempt.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "compute/map_code/stepper.h"
#include "render/colour_texture.h"

namespace loom::app {

/// Draws wrapped text.
void coloured(const glm::vec4& colour, std::string_view text);

/// What the threads of a custom map reach: pictures of the square and of the launch, counts, times and grade.
class MapResultsView {
 public:
  /// Takes an attempt that ran.
  void take(MapAttempt attempt);
  void clear();
  void clear_measured() { measured_.reset(); }
  /// The last attempt that ran.
  const std::optional<MapAttempt>& shown() const { return shown_; }
  /// Whether this code passed when it was last run by the user.
  bool has_passed(std::string_view code) const;

  /// The width that it wants of a room that it shares with the editor.
  static float wanted_width(glm::vec2 room);
  /// Draws into the current window, dimmed if it `is_old`: the newest code has no result. `linked`: the cell
  /// that the panes of the scene mark. `stepped`: marked in the pictures, which leave room for what
  /// `show_steps` draws in place of the counts; null: no warp is stepped.
  void show(glm::vec2 room, std::string_view code, bool is_old, const FractalConfig& scene,
            const std::optional<Coord64>& linked, const SteppedWarp* stepped,
            const std::function<void()>& show_steps);
  /// Call every frame, shown or not.
  void begin_frame() {
    is_pointed_at_ = false;
    clicked_thread_.reset();
  }
  /// The thread of the pictures that was clicked in this frame, or that returns the point that was.
  std::optional<std::uint64_t> clicked_thread() const { return clicked_thread_; }
  /// The first thread that returns the point; the search of the last one is remembered.
  std::optional<std::uint64_t> first_thread_of(const MapPoint& point);
  bool is_pointed_at() const { return is_pointed_at_; }
  /// The thread that the pictures mark.
  std::optional<std::uint64_t> hovered_thread() const { return hovered_thread_; }
  /// By line, from 1, of all warps, if they are to be shown; else empty.
  std::span<const LineCounts> lines() const {
    return shows_divergence_ && shown_ ? std::span(shown_->map.lines) : std::span<const LineCounts>();
  }
  /// The point of the square under the cursor, or of the thread under the cursor, of the scene's fractal.
  std::optional<Coord64> hovered() const { return is_pointed_at_ ? hovered_ : std::nullopt; }
  const std::map<std::string, Area, std::less<>>& areas() const { return areas_; }
  void add_state(nlohmann::ordered_json& json) const;

 private:
  static bool is_low(glm::vec2 room);
  /// For pictures that are `side` pixels wide on the screen.
  void draw_images(int side);
  void leave_pictures();  ///< the cursor points at none of them
  /// `heading`: of the picture of the square.
  void pictures(float side, const std::string& heading, const std::optional<Coord64>& linked,
                const SteppedWarp* stepped);
  void divergence_button();
  bool has_divergence() const { return shown_ && !shown_->map.warps.empty(); }
  /// Which thread reaches the marked point; empty if none is marked.
  std::string hovered_text() const;
  void counts();
  void times(std::string_view code);
  void grade(std::string_view code);

  std::optional<MapAttempt> shown_;
  std::optional<MapAttempt> measured_;  ///< the last that was run by the user and ran
  LaunchLayout layout_;
  CoverageColours colours_ = {};
  bool images_are_old_ = false;
  int image_side_ = 0;
  CoverageImage square_;
  CoverageImage launch_;
  render::ColourTexture square_texture_;
  render::ColourTexture launch_texture_;
  std::array<render::ColourTexture, kCoverageMarks> mark_textures_;
  std::optional<Coord64> hovered_;  ///< marked in the pictures
  std::optional<std::uint64_t>
      hovered_thread_;  ///< the first one that returns it, or the one under the cursor
  struct FoundThread {
    MapPoint point;
    std::optional<std::uint64_t> thread;
  };
  std::optional<FoundThread> found_;  ///< of the last search, which visits all threads
  bool is_pointed_at_ = false;        ///< the cursor is on a picture, not in another pane
  std::optional<std::uint64_t> clicked_thread_;
  bool shows_divergence_ = false;  ///< in place of the coverage
  std::map<std::string, Area, std::less<>> areas_;
};

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
