#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/geometry/nbb_fractal.h"

namespace loom::app {

/// The cells that a map must reach, each by exactly one thread, and nothing else.
enum class RequiredCells : std::uint8_t {
  kAll,         ///< "all": every cell of the fractal
  kAsSolution,  ///< "as-solution": those that the solution reaches
};

/// By what a map is measured. All but kOperators are counted while it runs; those from kInstructions on are
/// per warp with an active thread, on average.
enum class LimitKind : std::uint8_t {
  kIdleThreads,
  kEmptyBlocks,
  kUtilization,
  kIdleLanes,
  kSectorsPerRequest,
  kOperators,
  kInstructions,
  kDivisions,
  kDivergentBranches,
};
inline constexpr std::size_t kLimitKinds = 9;

/// How a limit is written in an exercise's file.
struct LimitKey {
  LimitKind kind;
  std::string_view name;  ///< in [require]
  double highest;         ///< allowed limits: 0 to this
  bool is_whole;          ///< the limit is a whole number
  bool is_least;          ///< the value must be at least the limit, otherwise at most
};
/// In the order of LimitKind.
std::span<const LimitKey> limit_keys();

/// What a map must satisfy. Limits that are not set do not apply.
struct ExerciseRequirements {
  RequiredCells cells = RequiredCells::kAll;
  std::array<std::optional<double>, kLimitKinds> limits = {};  ///< by LimitKind
};

/// A fractal and level on which a map is run.
struct ExerciseCase {
  NbbFractal fractal;
  int level = 0;
  bool hidden = false;  ///< graded, but not shown to the student
};

/// An exercise: a task to be solved by the code of a thread map. The first case is the one that is shown.
struct Exercise {
  std::string name;  ///< of a bundled exercise; empty for one from a file
  std::string title;
  std::string task;  ///< paragraphs, separated by empty lines
  std::string starter;
  std::string solution;        ///< may be empty
  bool shows_solution = true;  ///< students may see it in the window
  std::vector<std::string> hints;
  ExerciseRequirements requirements;
  std::vector<ExerciseCase> cases;
};

/// The limits of an exercise in a line: "sectors per request at most 3, idle lanes at most 90 %". Empty if it
/// has none.
std::string limits_text(const ExerciseRequirements& requirements);

/// Reads an exercise from TOML (docs/how-to/write-an-exercise.md). `file` is the name in messages. Throws
/// InputError "FILE:LINE: what is wrong; what is allowed".
Exercise parse_exercise(std::string_view text, const std::string& file);

/// An exercise that comes with the program, as its file's text.
struct BundledExercise {
  std::string_view name;
  std::string_view text;
  std::string title;
};
/// The path from one thread per point to coalesced writes, in the order of a course.
const std::vector<BundledExercise>& bundled_exercises();

/// The bundled exercise of this name, else the exercise of this file. Throws InputError.
Exercise find_exercise(const std::string& name_or_file);

}  // namespace loom::app
