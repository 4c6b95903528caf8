#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/axis_fields.h"

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
};

/// The axis that both kinds of sweep have.
inline constexpr std::string_view kBackendAxis = "backend";

/// Adds the options to `command`. `options` must outlive the parse.
void add_bench_options(CLI::App& command, BenchOptions& options);
/// Call after parsing: records typed options that exclude others.
void note_exclusive_options(const CLI::App& command, BenchOptions& options);

}  // namespace loom::app
