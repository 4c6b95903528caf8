#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/axes.h"
#include "app/bench/plan.h"
#include "app/bench/results.h"
#include "compute/distributed/process_group.h"

namespace loom::app {

/// The options of bench, as typed.
struct BenchOptions {
  std::string preset;
  /// Typed axes of each kind; the backend axis, which both kinds have, is separate.
  std::map<bench::SweepKind, bench::AxisTexts> axes;
  std::string backend;
  /// The first typed option that belongs to one kind only.
  std::map<bench::SweepKind, std::string> kind_option;
  std::string size_min;
  std::string size_max;
  std::string fractal_file;
  std::string level_min;
  std::string level_max;
  std::string repeats = "1";
  std::optional<std::string> device;
  std::string device_list;
  std::string clock;
  std::string rounds_per_call;
  std::string max_samples = "100";
  std::string max_seconds = "2";
  std::string rule = "B2/S23";
  std::string seed = "1";
  std::string density = "0.5";
  std::string out;
  std::string csv;
  std::string shard;
  std::vector<std::string> merge;
  bool resume = false;
  bool force = false;
  bool yes = false;
  bool json = false;
  bool energy = false;
};

/// The axis that both kinds of sweep have.
inline constexpr std::string_view kBackendAxis = "backend";

/// Adds the options to `command`. `options` must outlive the parse.
void add_bench_options(CLI::App& command, BenchOptions& options);
/// Call after parsing: records typed options that exclude others.
void note_exclusive_options(const CLI::App& command, BenchOptions& options);

/// The plan of the requested sweep. `ranks` are the processes that measure it together, or null. Throws
/// InputError.
bench::Plan make_bench_plan(const BenchOptions& options, const ProcessGroup* ranks);

/// A table with the best tile size of each method at each level, and the ratio to the best bounding box of
/// the same fractal, level, workload and backend; for Mandelbrot, the best g, r and B of each method and set
/// of optimizations per image, with the ratio to the best exhaustive time.
std::string summary_table(const bench::Results& results);

}  // namespace loom::app
