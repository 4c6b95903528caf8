#pragma once

#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/code/window/code_editor.h"
#include "app/gui/layout.h"
#include "app/widgets/inputs.h"
#include "compute/engine/fractal_config.h"
#include "compute/map_code/stepper.h"

namespace loom::app {

/// The warp that is stepped, to be marked in the pictures.
struct SteppedWarp {
  std::uint64_t first_thread = 0;  ///< numbered as by thread_of()
  std::uint32_t lanes = 0;         ///< that have a thread, as bits
  std::uint32_t active = 0;
  int lane = 0;                    ///< the chosen one
  std::vector<glm::ivec2> path;    ///< points that it has been at, the last one now
  std::vector<glm::ivec2> others;  ///< where the other active lanes are
};

/// Steps one warp of a custom map or formula: where it is, the variables of its lanes, and the way of a lane.
class MapStepView {
 public:
  static constexpr int kLanes = 32;
  /// Begins before the first statement of the warp of this thread, numbered as by thread_of(); without one,
  /// of the thread that was chosen last, if the launch has it. Throws InputError.
  void begin(const MapProgram& program, const FractalConfig& config,
             std::optional<std::uint64_t> thread = std::nullopt);
  /// Begins a step of a formula from these orbits, by lane.
  void begin(const MapProgram& formula, const FormulaLanes& lanes);
  /// The orbits after the step, once it has ended.
  std::optional<FormulaLanes> next_lanes() const { return stepper_ ? stepper_->next_lanes() : std::nullopt; }
  void end() { stepper_.reset(); }
  bool is_active() const { return stepper_.has_value(); }
  const FractalConfig& config() const { return *config_; }
  /// Carries out a command of a debugger. `line`: of the cursor, for Run to cursor.
  void act(code::EditorCommand command, const std::set<int>& breakpoints, int line);
  /// Continues to record the statements of the warp, for some milliseconds. Call every frame.
  void record();
  bool is_recording() const { return stepper_ && !is_recorded_; }

  /// The chosen thread, numbered as by thread_of(). Choosing one of another warp steps that warp to the same
  /// statement. Throws InputError.
  void choose(std::uint64_t thread);
  void choose_later(std::uint64_t thread) { thread_ = thread; }
  std::uint64_t thread() const { return thread_; }
  /// The lane of this thread, if it is one of the warp.
  std::optional<int> lane_of(std::uint64_t thread) const;
  int line() const { return stepper_->line(); }
  int lane() const { return static_cast<int>(thread_in_block() % kLanes); }

  /// Draws the buttons, a row each of position and of fields, and the table of variables.
  /// Returns the command of a button; Stop's is kStop.
  code::EditorCommand bar(bool has_breakpoints);
  void position_row(int hovered_lane) const;
  void thread_fields();
  void table();
  /// The lane under the cursor, in the table.
  std::optional<int> hovered_lane() const { return hovered_lane_; }

  code::ExecutionMarks marks() const;
  SteppedWarp stepped_warp() const;
  const std::string& problem() const { return problem_; }
  const std::map<std::string, Area, std::less<>>& areas() const { return areas_; }
  void add_state(nlohmann::ordered_json& json) const;

 private:
  /// Where the lanes are, by variables x and y of the outermost function that has both.
  struct PathStep {
    std::uint64_t state = 0;
    std::array<glm::ivec2, kLanes> at;
  };
  std::uint32_t thread_in_block() const {
    return static_cast<std::uint32_t>(thread_ % stepper_->launch().threads_per_block());
  }
  void start(std::uint64_t thread);
  void moved();
  std::string sentence(int lane) const;

  std::optional<MapStepper> stepper_;
  std::optional<MapStepper> recorder_;   ///< runs ahead
  std::optional<FractalConfig> config_;  ///< of a map
  std::optional<FormulaLanes> formula_;  ///< of a formula
  std::uint64_t thread_ = 0;
  std::string problem_;  ///< why another thread could not be chosen

  // As recorded so far.
  std::vector<std::uint64_t> states_;  ///< of each statement, and of the end
  std::vector<PathStep> path_steps_;   ///< in which a lane has moved
  bool is_recorded_ = false;

  // Of the current state.
  std::vector<StepVariable> variables_;
  std::vector<LineCounts> lines_;

  std::array<NumberFieldState, 4> fields_;
  std::optional<int> hovered_lane_;
  int shown_lane_ = -1;  ///< to which the table is scrolled
  std::map<std::string, Area, std::less<>> areas_;
};

}  // namespace loom::app
