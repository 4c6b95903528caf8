#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/geometry/nbb_fractal.h"
#include "compute/map/map_method.h"
#include "compute/map_code/run.h"

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

/// One requirement and how a map meets it.
struct RequirementResult {
  std::string name;      ///< the key in the exercise's file: "thread_utilization"
  std::string required;  ///< "at least 0.9"
  std::string found;     ///< the worst of all cases: "0.42 (vicsek, level 3)"
  bool holds = false;
};

/// The grade of one map.
struct Grade {
  bool passed = false;  ///< every requirement holds
  std::vector<RequirementResult> requirements;
  std::string problem;  ///< why it did not run, or the first thread that is wrong; empty if it passed
  /// Of the first case, if it ran.
  std::optional<MapCoverage> coverage;
  std::optional<double> single_write_milliseconds;
};

/// What is wrong with the coverage of a map that ran, in one line: "81 of 324 cells are missed; the first is
/// (3, 5)". Empty if it is exact.
std::string coverage_problem(const MapResult& result);

/// Runs maps on all cases of an exercise, on a device of MapBackend. Every run has `time_limit`. Thread
/// blocks run in random order, each warp with variables of its own; the interpreter counts what they do.
class Grader {
 public:
  /// Runs the solution once if the requirements need it. Throws InputError if it does not run, MachineError.
  explicit Grader(Exercise exercise, Device device = {},
                  std::chrono::milliseconds time_limit = std::chrono::milliseconds(1000));
  /// Any text. Several threads may grade at once. `monitor` may cancel it (OperationCancelled) and be null.
  /// Throws MachineError.
  Grade grade(const std::string& code, const ProgressMonitor* monitor = nullptr) const;
  const Exercise& exercise() const { return exercise_; }

 private:
  MapResult run(const std::string& code, const ExerciseCase& on, const ProgressMonitor* monitor,
                MapStorage measure = MapStorage::kNone) const;
  Exercise exercise_;
  Device device_;
  std::chrono::milliseconds time_limit_;
  std::vector<std::vector<std::uint8_t>> solution_hits_;  ///< by case; empty if not needed
};

/// A map to begin with.
struct MapTemplate {
  std::string_view name;  ///< sentence case, for a menu
  std::string_view code;
};
/// Bounding box, one thread per row, λ by loop, λ by table, and a map that is to be repaired.
std::span<const MapTemplate> map_templates();
/// Whether this is, to the byte, a template, or the starter or solution of a bundled exercise.
bool is_bundled_code(std::string_view code);

/// A built-in map in the map language: the same thread blocks and threads as the program's kernel, each with
/// a tile of s_x^j × s_y^j points, j = `tile_level`. λ by loop for λ and compact, whose storage differs
/// alone.
std::string built_in_map_code(MapKind map, int tile_level);

/// A built-in map as text to read, change and step through: one thread per point or cell, the same points as
/// the program's own map.
enum class MapText : std::uint8_t {
  kBoundingBox,
  kLambdaLoop,   ///< uniform_lambda_map()
  kLambdaTable,  ///< the same, several levels at once by a table of this fractal
  kCompact,      ///< compact's λ, and ν back: a thread returns the cell whose place is its own
};
struct MapTextChoice {
  MapText value;
  std::string_view name;  ///< for a menu
};
std::span<const MapTextChoice> map_texts();
/// Of a uniform fractal.
std::string map_text(MapText which, const NbbFractal& fractal);

}  // namespace loom::app
