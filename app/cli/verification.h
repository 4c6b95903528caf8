#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compute/engine/all_methods.h"
#include "compute/engine/engine_factory.h"
#include "compute/engine/fractal_engine.h"

namespace loom::app {

/// What `verify` is to compare with the plain reference.
struct VerifyPlan {
  std::vector<NbbFractal> fractals;
  int level_min = 0;  ///< every level from this one
  int level_max = 0;  ///< to this one, or to the fractal's own highest
  MethodSet methods = MethodSet::kMaps;
  std::uint32_t steps = 0;
  LifeRule rule;
  RandomStart start;
  std::vector<BackendSelection> backends;
};

/// One way to compute a fractal's life: what the table calls a configuration.
struct VerifyCase {
  FractalConfig config;
  BackendKind backend = BackendKind::kCpu;
};
/// "sierpinski-gasket level 3, compact, block 4, halo on, cpu"
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
  Census census = {};  ///< of the reference, after all generations
  std::uint64_t passed = 0;
  std::uint64_t differing = 0;
  std::uint64_t skipped = 0;
};

/// One of the check values that DESIGN.md pins, on every map, block size and backend.
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

struct VerifyResult {
  std::vector<VerifyLevel> levels;
  std::vector<VerifyPin> pins;
  std::vector<VerifyNote> differences;
  std::vector<VerifyNote> skips;
  std::uint64_t passed() const;
  bool ok() const { return differences.empty(); }
};

/// Called before each configuration with how many are done, how many there are, and the one that comes.
using VerifyProgress = std::function<void(std::uint64_t done, std::uint64_t total, const VerifyCase& next)>;

/// Runs the plan. A configuration passes if at the random start, after the first few generations and after
/// all of them every cell, the population and the hash are the reference's, every hole of a small square is
/// known as one, and the steps gave each cell exactly one thread. What does not fit in memory is noted as
/// skipped. Throws MachineError where a device fails.
VerifyResult verify(const VerifyPlan& plan, const VerifyProgress& progress);

}  // namespace loom::app
