#pragma once

#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/exercises/exercise.h"
#include "compute/backend/map_backend.h"
#include "compute/engine/fractal_config.h"
#include "compute/engine/progress_monitor.h"
#include "compute/map_code/run.h"

namespace loom::app {

/// Times of single writes that are comparable with MapResult::single_write_milliseconds on the same backend.
struct CustomMapComparison {
  std::array<std::optional<double>, 3> ms;  ///< by MapKind; nothing where a map did not end in time
  std::string conditions;                   ///< what was measured, as one sentence
};

/// Measures single writes through the three maps with the fractal, level and tile size of `config`: as maps
/// in the map language, which are compiled, launched and measured as a custom map is, in the process that
/// runs them (`program`). Throws as run_map().
CustomMapComparison measure_built_in_maps(const FractalConfig& config, const MapBackend& backend,
                                          ProgressMonitor& watch);

/// What is done with the code of a custom map.
struct MapAttemptRequest {
  std::string code;
  std::uint64_t version = 0;  ///< of the text
  FractalConfig config;       ///< fractal and tile size of the scene, and the level of the run; in a
                              ///< result: the level that it is of
  /// False: feedback while typing, on the CPU and in little time: on a lower level where this one takes too
  /// long. True: the user pressed Run.
  bool runs = false;
  MapBackend backend;                ///< if it runs
  std::optional<Exercise> exercise;  ///< without its solution: that one may not run, and nothing is graded
};

/// What came of it.
struct MapAttempt {
  MapAttemptRequest request;
  MapResult map;
  std::optional<CustomMapComparison> comparison;  ///< if it runs and the coverage is exact
  std::optional<Grade> grade;                     ///< if it runs and has an exercise
  /// The exercise asks for some cells: those of its solution count in `map` as the cells of the fractal do
  /// else, and all other points as holes. Where the solution may not run, no cell counts as missed.
  bool is_part = false;
  bool is_part_known = false;
};

/// The level whose coverage is computed while the user types: that of the scene, or the highest below it that
/// takes little time. Empty for fractals on which maps in code do not run.
std::optional<int> feedback_level(const FractalConfig& config);
/// Why a map cannot run on this fractal and level; empty if it can.
std::string run_problem(const FractalConfig& config, const MapBackend& backend);

/// Compiles, runs, grades and measures in the calling thread. Throws OperationCancelled, MachineError.
MapAttempt attempt_map(MapAttemptRequest request, ProgressMonitor& watch);

/// What happened at a point of the square, or to a thread. Each has a colour and a pattern, so that the
/// picture can be read without colours.
enum class CoverageMark : std::uint8_t {
  kEmpty,     ///< a hole without a thread; an idle thread
  kOnce,      ///< filled
  kRepeated,  ///< striped
  kMissed,    ///< a frame, or filled where that would be too thin
  kOnHole,    ///< a cross
  kOutside,   ///< a dot
};
inline constexpr std::size_t kCoverageMarks = 6;
using CoverageColours = std::array<std::uint32_t, kCoverageMarks>;

/// Pixels, red in the lowest byte, rows from the top.
struct CoverageImage {
  glm::ivec2 size = {};    ///< in pixels
  glm::ivec2 points = {};  ///< in points of the square, or threads
  float point_size = 1;    ///< pixels per point; below 1 for points that share a pixel
  std::vector<std::uint32_t> pixels;
  bool empty() const { return pixels.empty(); }
};

/// How the threads of a launch are laid out in a picture: as the grid is, or, for one row of thread blocks of
/// one row of threads, in rows of whole blocks.
class LaunchLayout {
 public:
  LaunchLayout() = default;
  explicit LaunchLayout(const MapLaunch& launch);
  glm::ivec2 size() const { return size_; }
  /// The number of the thread in the order of thread_of(); nothing beside the launch.
  std::optional<std::uint64_t> thread_at(glm::ivec2 place) const;
  glm::ivec2 place_of(std::uint64_t thread) const;

 private:
  MapLaunch launch_;
  glm::ivec2 size_ = {};
  bool is_row_ = false;
};

/// The picture of the square, of at most `most` pixels in each direction; empty if the attempt has no
/// coverage by point. Points that share a pixel show the worst of them.
CoverageImage square_image(const MapAttempt& attempt, const CoverageColours& colours, int most);
/// The picture of the launch; empty for more threads than a picture can show.
CoverageImage launch_image(const MapAttempt& attempt, const LaunchLayout& layout,
                           const CoverageColours& colours, int most);
/// The same pictures coloured by the idle lanes of the warp of a thread: of the one that reaches a point, the
/// first one. Only if the attempt has counts of warps.
CoverageImage square_divergence_image(const MapAttempt& attempt, const CoverageColours& colours, int most);
CoverageImage launch_divergence_image(const MapAttempt& attempt, const LaunchLayout& layout,
                                      const CoverageColours& colours, int most);
/// The number of the warp of a thread, in the order of MapResult::warps.
std::size_t warp_of_thread(const MapLaunch& launch, std::uint64_t thread);
/// One mark, `side` pixels wide, for the legend.
CoverageImage mark_image(CoverageMark mark, int side, const CoverageColours& colours);

}  // namespace loom::app
