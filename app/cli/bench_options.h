#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/axis_fields.h"

namespace loom::app {

/// What was typed after bench.
struct BenchOptions {
  std::string preset;
  /// What was typed of the axes; the backend, which both kinds have, is apart.
  std::map<bench::SweepKind, bench::AxisTexts> axes;
  std::string backend;
  /// The first option that was typed of those for one kind alone.
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
  std::string at_once;
  std::string max_samples = "100";
  std::string max_seconds = "2";
  std::string rule = "B2/S23";
  std::string seed = "1";
  std::string density = "0.5";
  std::string out;
  std::string csv;
  std::string shard;
  std::vector<std::string> merge;
  std::string beside_merge;  ///< the first option that was typed and means nothing beside --merge
  bool resume = false;
  bool force = false;
  bool yes = false;
  bool json = false;
};

/// The axis that both kinds of sweep have.
inline constexpr std::string_view kBackendAxis = "backend";

/// Declares them on `command`, whose parsing fills them.
void add_bench_options(CLI::App& command, BenchOptions& options);
/// After parsing: which options were typed that exclude others.
void note_exclusive_options(const CLI::App& command, BenchOptions& options);

}  // namespace loom::app
