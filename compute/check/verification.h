#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compute/backend/engine_factory.h"
#include "compute/check/all_methods.h"
#include "compute/engine/fractal_engine.h"

namespace loom {

/// What `verify` is to compare with the plain reference.
struct VerifyPlan {
  std::vector<NbbFractal> fractals;
  int level_min = 0;  ///< every level from this one
  int level_max = 0;  ///< to this one, or to the fractal's own highest
  MethodSet methods = MethodSet::kMaps;
  std::uint32_t steps = 0;  ///< generations of life
  /// Fewer generations on large fields: as many as make so many new cells, at least two; fields of more cells
  /// than that run each workload once only. None: always `steps`.
  std::optional<std::uint64_t> most_cells = {};
  std::uint32_t samples = 0;  ///< random blocks a configuration at levels 7 to 20, and for the FP16 limits
  LifeRule rule;
  RandomStart start;
  std::vector<BackendSelection> backends;
};

/// One workload run in one way: what the table calls a configuration.
struct VerifyCase {
  FractalConfig config;
  BackendKind backend = BackendKind::kCpu;
  Work work = {};  ///< its rule is the plan's
};
/// "sierpinski-gasket level 3, compact, block 4, halo on, cpu, life"
std::string to_string(const VerifyCase& verified);

/// A configuration that differs from the reference, or that was skipped, and why.
struct VerifyNote {
  VerifyCase verified;
  std::string what;
};

/// What came out for one fractal at one level.
struct VerifyLevel {
  std::string fractal;
  int level = 0;
  std::uint64_t cells = 0;
  std::uint32_t steps = 0;      ///< generations of life that were compared
  Census census = {};           ///< of the reference, after all generations
  std::uint64_t start_sum = 0;  ///< the reference's reduction of the random start
  std::uint64_t passed = 0;
  std::uint64_t differing = 0;
  std::uint64_t skipped = 0;
};

/// One of the pinned check values (docs/reference/command-line.md, "verify"), on every map, block size and
/// backend.
struct VerifyPin {
  FractalConfig config;  ///< fractal and level; the method varies
  RandomStart start = {};
  std::uint32_t steps = 0;
  std::uint64_t cells = 0;
  Census census = {};  ///< as pinned
  std::uint64_t passed = 0;
  std::uint64_t differing = 0;
  std::uint64_t skipped = 0;
};

/// lambda and nu of one fractal at one level, at sampled blocks, under every arithmetic and block size.
struct VerifySampled {
  std::string fractal;
  int level = 0;
  std::uint64_t values = 0;  ///< coordinates compared
  std::uint64_t passed = 0;  ///< configurations
  std::uint64_t differing = 0;
};

/// Where the plain FP16 weights of tensor-fp16 go wrong for one fractal and direction.
struct VerifyFp16 {
  std::string fractal;
  std::string map;  ///< "lambda", "nu"
  BackendKind backend = BackendKind::kCpu;
  std::optional<int> expected = {};  ///< block level by first_wrong_level()
  std::optional<int> found = {};     ///< by running; nothing where all levels in reach are right
  int highest = 0;                   ///< the highest block level that was run
  /// A level beyond reach counts as right.
  bool ok() const { return found == (expected && *expected <= highest ? expected : std::nullopt); }
};

struct VerifyResult {
  std::vector<VerifyLevel> levels;
  std::vector<VerifyPin> pins;
  std::vector<VerifySampled> sampled;
  std::vector<VerifyFp16> fp16;
  std::vector<VerifyNote> differences;
  std::vector<VerifyNote> skips;
  std::uint64_t passed() const;
  bool ok() const { return differences.empty(); }
  /// Whether the plan's levels and samples came to any comparison. The check values are always compared and
  /// do not count.
  bool compared_any() const;
};

/// Called before each configuration with how many are done, how many there are, and the one that comes.
using VerifyProgress = std::function<void(std::uint64_t done, std::uint64_t total, const VerifyCase& next)>;

/// Runs the plan. Life passes if at the random start, after the first few generations and after all of them
/// every cell is the reference's, the population and the hash at the end, and every hole of a small square is
/// known as one (once a storage); a reduction if the sums of the random start and of the last generation are,
/// and no cell changed; a single write if every cell is. All of them only if the threads of the method's
/// launch, counted one by one, are as many as the definition says, with and without a cell.
/// What does not fit in memory is noted as skipped. With samples also the maps at levels 7 to 20, and the
/// levels at which tensor-fp16 goes wrong, which is a difference only where it is not as expected. Throws
/// MachineError where a device fails.
VerifyResult verify(const VerifyPlan& plan, const VerifyProgress& progress);

}  // namespace loom
