#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compute/device/device.h"
#include "compute/engine/fractal_engine.h"

namespace loom {

/// Sets of methods that a fractal can be run with.
enum class MethodSet {
  kMaps,      ///< every map and tile size, the compact map with and without halo, default arithmetic and
              ///< intra-block mapping; compact and bounding box also bit-packed
  kAll,       ///< kMaps with every exact map arithmetic and every intra-block mapping
  kAllTiles,  ///< kAll with automatic tiles and, for loop arithmetic, also one tile and the largest number of
              ///< tiles; in three dimensions, for look-up tables, every number
};

/// The configurations of a set for a fractal at a level. All give the same states.
std::vector<FractalConfig> all_methods(const NbbFractal& fractal, int level, MethodSet set);
std::vector<SolidConfig> all_methods(const SolidFractal& fractal, int level, MethodSet set);

// The types below have the dimension as a parameter; those without it in their name are for two dimensions.

/// The comparisons with the plain reference that `verify` runs.
template <int kDimensions>
struct VerifyPlanOf {
  std::vector<FractalOf<kDimensions>> fractals;
  int level_min = 0;  ///< first level
  int level_max = 0;  ///< last level, limited to the fractal's highest level
  MethodSet methods = MethodSet::kMaps;
  std::uint32_t steps = 0;  ///< generations of life
  /// Limits the number of generations on large fields to this number of new cells, but at least two
  /// generations. Fields with more cells than this run each workload once only. Nothing: always `steps`.
  std::optional<std::uint64_t> max_cells = {};
  std::uint32_t samples = 0;  ///< random tiles per configuration at levels 7 to 20, and for the FP16 limits;
                              ///< in three dimensions 0
  LifeRuleOf<kDimensions> rule;
  RandomStart start;
  std::vector<BackendSelection> backends;
};
using VerifyPlan = VerifyPlanOf<2>;

/// A rule with which every three-dimensional fractal of the catalogue has living cells after many
/// generations, unlike with rules that need many neighbours.
SolidRule solid_verify_rule();

/// One workload with one method; in three dimensions all workloads, of which it names life.
template <int kDimensions>
struct VerifyCaseOf {
  FractalConfigOf<kDimensions> config;
  BackendKind backend = BackendKind::kCpu;
  WorkOf<kDimensions> work = {};  ///< its rule is the plan's rule
};
using VerifyCase = VerifyCaseOf<2>;
/// "sierpinski-gasket level 3, compact, block 4, halo on, cpu, life"
std::string to_string(const VerifyCase& verified);
std::string to_string(const VerifyCaseOf<3>& verified);

/// A configuration that differs from the reference or was skipped, with the reason.
template <int kDimensions>
struct VerifyNoteOf {
  VerifyCaseOf<kDimensions> verified;
  std::string what;
};
using VerifyNote = VerifyNoteOf<2>;

/// The results for one fractal at one level.
struct VerifyLevel {
  std::string fractal;
  int level = 0;
  std::uint64_t cells = 0;
  std::uint32_t steps = 0;      ///< generations of life that were compared
  Census census = {};           ///< census of the reference after all generations
  std::uint64_t start_sum = 0;  ///< the reduction of the reference's random start
  std::uint64_t passed = 0;
  std::uint64_t differing = 0;
  std::uint64_t skipped = 0;
};

/// One of the pinned check values (docs/reference/command-line.md, "verify"), for every map, tile size and
/// backend.
template <int kDimensions>
struct VerifyPinOf {
  FractalConfigOf<kDimensions> config;  ///< fractal and level; the method varies
  RandomStart start = {};
  LifeRuleOf<kDimensions> rule = {};
  std::uint32_t steps = 0;
  std::uint64_t cells = 0;
  Census census = {};  ///< the pinned values
  std::uint64_t passed = 0;
  std::uint64_t differing = 0;
  std::uint64_t skipped = 0;
};
using VerifyPin = VerifyPinOf<2>;

/// lambda and nu of one fractal at one level, at sampled tiles, for every arithmetic and tile size.
struct VerifySampled {
  std::string fractal;
  int level = 0;
  std::uint64_t values = 0;  ///< coordinates compared
  std::uint64_t passed = 0;  ///< configurations
  std::uint64_t differing = 0;
};

/// The tile level from which the plain FP16 weights of tensor-fp16 are wrong, for one fractal and direction.
struct VerifyFp16 {
  std::string fractal;
  std::string map;  ///< "lambda", "nu"
  BackendKind backend = BackendKind::kCpu;
  std::optional<int> expected = {};  ///< tile level by first_wrong_level()
  std::optional<int> found = {};     ///< tile level found by running; nothing if all tested levels are right
  int highest = 0;                   ///< highest tile level that was run
  /// An expected level above the highest tested level counts as right.
  bool ok() const { return found == (expected && *expected <= highest ? expected : std::nullopt); }
};

template <int kDimensions>
struct VerifyResultOf {
  std::vector<VerifyLevel> levels;
  std::vector<VerifyPinOf<kDimensions>> pins;
  std::vector<VerifySampled> sampled;
  std::vector<VerifyFp16> fp16;
  std::vector<VerifyNoteOf<kDimensions>> differences;
  std::vector<VerifyNoteOf<kDimensions>> skips;
  std::uint64_t passed() const;
  bool ok() const { return differences.empty(); }
  /// Whether the plan's levels and samples led to any comparison. The check values are always compared and do
  /// not count.
  bool compared_any() const;
};
using VerifyResult = VerifyResultOf<2>;

/// Called before each configuration with the number of finished configurations, the total, and the next
/// configuration.
template <int kDimensions>
using VerifyProgressOf =
    std::function<void(std::uint64_t done, std::uint64_t total, const VerifyCaseOf<kDimensions>& next)>;
using VerifyProgress = VerifyProgressOf<2>;

/// Runs the plan. Life passes if every cell equals the reference's at the random start, after the first few
/// generations and after the last one, if the final population and hash agree, and if every hole of a small
/// box is reported as a hole (once per storage). A reduction passes if the sums of the random start and of
/// the last generation agree and no cell changed. A single write passes if every cell agrees. In addition,
/// the numbers of threads of the method's launch, with and without a cell, must be those of the definition.
/// Configurations that do not fit in memory are noted as skipped. With samples, the maps at levels 7 to 20
/// and the levels from which tensor-fp16 is wrong are checked as well. Throws MachineError if a device fails.
VerifyResult verify(const VerifyPlan& plan, const VerifyProgress& progress);
VerifyResultOf<3> verify(const VerifyPlanOf<3>& plan, const VerifyProgressOf<3>& progress);

/// The result of the Mandelbrot part of `verify`.
struct MandelbrotVerification {
  std::uint64_t passed = 0;         ///< configurations
  std::uint64_t border_misses = 0;  ///< sum over all configurations of the pixels that differ from the plain
                                    ///< loop and are explained by border filling
  std::vector<std::string> differences;  ///< the configurations that failed, each with its error
  bool ok() const { return differences.empty(); }
};

/// Computes a few views by every method, scheme and optimisation, in both precisions, on every backend.
/// Compares the exhaustive method with the plain loop on the host, pixel by pixel, and the other methods with
/// each other and with the plain loop. Deep views are compared with exact arithmetic. Only border misses may
/// differ from the plain loop.
MandelbrotVerification verify_mandelbrot(const std::vector<BackendSelection>& backends);

}  // namespace loom
