#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compute/map_code/machine.h"

namespace loom {

// Steps through a map: one warp of its launch, forwards and back. The stepper runs the same instructions as a
// run of the whole map. A state is the number of instructions that the warp has executed; equal states have
// equal values.

using LaneMask = std::uint32_t;  ///< bit l: lane l

/// A variable in scope, an element of an array, or a member of a Cell, of a function that the warp is in.
struct StepVariable {
  std::string name;                          ///< "x", "table[3]", "c.y"
  int depth = 0;                             ///< 0: cell_of_thread(), 1: a function that it called, ...
  int line = 0;                              ///< of its declaration
  std::array<std::int64_t, 32> values = {};  ///< by lane; of active and inactive lanes
  LaneMask changed = 0;                      ///< lanes whose value the last movement changed
  Type type = Type::kInt;                    ///< of a floating-point number, the values are its bits
  bool is_unsigned() const { return type == Type::kULong; }  ///< such a value is read as std::uint64_t
  std::string text(int lane) const;
};

/// A function that the warp is in.
struct StepFrame {
  std::string function;
  int line = 0;       ///< the current statement, or that of the call
  LaneMask mask = 0;  ///< lanes that called it
};

/// The orbits of a formula in the lanes of a warp: z and c.
struct FormulaLanes {
  std::array<std::array<double, 32>, 6> numbers = {};  ///< re and im of z, then of c; or those of vectors
};

class MapStepper {
 public:
  /// One step of these orbits, before its first statement. `formula`: without problems, its numbers double.
  MapStepper(MapProgram formula, const FormulaLanes& lanes);
  /// The orbits after the step; empty until it has ended.
  std::optional<FormulaLanes> next_lanes() const;
  /// The warp `warp` of a thread block, from 0, before its first statement. Runs launch() first. `program`
  /// must have no problems. Throws InputError if launch() fails or its launch has no such thread block or
  /// warp (with what is allowed), or as check_map_request().
  MapStepper(MapProgram program, const NbbFractal& fractal, int level, std::int64_t block_x,
             std::int64_t block_y, int warp);

  // Movements. Each returns whether the state changed. Forwards they end at the next statement that fits, at
  // a problem, at the end, or after kMaxStepInstructions, and can then be continued. `line` is a line of
  // MapProgram::lines, else the next one after it.

  bool step();       ///< to the next statement, also in a function that is called: Step (F11)
  bool step_over();  ///< to the next statement of this function or of its caller: Step over (F10)
  bool step_out();   ///< to the caller: Step out (Shift F11)
  bool run_to(int line, std::set<int> breakpoints = {});
  bool run(const std::set<int>& breakpoints);  ///< to a breakpoint or the end: Continue (F5)
  bool back();                                 ///< to the statement before, also out of or into a function
  bool seek(std::uint64_t state);              ///< to any earlier or later state(), as far as it goes

  static constexpr std::uint64_t kMaxStepInstructions = 1 << 22;

  // The current state.

  std::uint64_t state() const { return now().instructions; }    ///< instructions so far
  std::uint64_t statement() const { return now().statements; }  ///< the number of step() from the begin
  bool is_at_end() const { return now().is_done || now().fault != Fault::kNone; }  ///< of all, or problem()
  const std::optional<CodeProblem>& problem() const { return problem_; }           ///< what stopped the warp
  int line() const { return now().is_done ? 0 : place().line; }  ///< of the next statement; 0 at the end
  int column() const { return now().is_done ? 0 : place().column; }
  LaneMask mask() const { return now().is_done ? 0 : now().mask; }  ///< lanes that execute it
  LaneMask lanes() const { return lanes_; }                         ///< lanes that have a thread
  LaneMask returned() const;              ///< lanes of lanes() that have returned from cell_of_thread()
  std::vector<StepFrame> frames() const;  ///< cell_of_thread() first; never empty until the end
  /// Of all functions that the warp is in, or of the top one. An array has up to `max_elements` elements.
  std::vector<StepVariable> variables(bool of_all_frames = false, std::size_t max_elements = 64) const;
  /// What each lane returned so far; none() before.
  std::array<MapPoint, 32> points() const;
  /// What a lane has returned: "none()", "cell(3, 4)", "0.5 - 0.25 i", "(0.5, 0, 1)".
  std::string result_text(int lane) const;
  /// By line, from 1 (0 is empty), up to now.
  std::vector<LineCounts> line_counts() const;
  MapCounts counts() const { return now().totals; }
  /// "lane 5: level = 3, digit = 2, x = 9": what changed last in this lane, else its variables in scope.
  std::string describe(int lane) const;

  const MapLaunch& launch() const { return launch_; }
  const MapProgram& program() const { return program_; }

 private:
  const WarpState& now() const { return machine_.state(); }
  const Instruction& place() const { return item(program_.code->instructions, now().at); }
  bool is_formula() const { return program_.code->next >= 0; }
  void begin();
  void advance();
  void restore(const WarpState& state, std::uint64_t run_until);
  template <typename Fits>
  bool forward(const Fits& fits);

  MapProgram program_;
  Machine machine_;
  MapLaunch launch_;
  FormulaLanes orbits_;  ///< of a formula
  LaneMask lanes_ = 0;
  std::uint64_t begin_ = 0;                  ///< state of the first statement
  std::map<std::uint64_t, WarpState> kept_;  ///< by state
  WarpState before_;                         ///< the last movement
  std::optional<CodeProblem> problem_;
};

}  // namespace loom
