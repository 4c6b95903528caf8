#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/config_json.h"
#include "app/bench/machine.h"
#include "app/bench/mandelbrot_results.h"
#include "app/bench/statistics.h"
#include "app/bench/sweep.h"

namespace loom::app::bench {

/// What was measured of one configuration. Counts are of one generation.
struct Measured {
  Summary milliseconds;                      ///< of one generation
  std::uint32_t generations_per_sample = 1;  ///< short generations are timed several at once
  bool limited = false;                      ///< a limit ended the sampling before the noise was low enough
  std::uint64_t blocks_launched = 0;         ///< blocks and threads were counted (ThreadCount)
  std::uint64_t threads_launched = 0;
  std::uint64_t threads_active = 0;
  std::uint64_t bytes_held = 0;
  std::uint64_t bytes_moved = 0;
  friend bool operator==(const Measured&, const Measured&) = default;
};

/// One configuration of a results file.
struct Entry : ConfigNames {
  std::uint64_t width = 1;   ///< n_x
  std::uint64_t height = 1;  ///< n_y
  std::uint64_t cells = 1;   ///< k^r
  std::string workload;
  std::optional<std::string> reduction = {};  ///< how it sums; reductions only
  std::string backend;
  int device = 0;  ///< CUDA ordinal; 0 on the CPU
  int repeat = 0;
  std::optional<Measured> measured = {};
  std::string skipped = {};  ///< why it was not measured; empty where it was
  friend bool operator==(const Entry&, const Entry&) = default;
};

/// What a sweep is over: maps on fractals, or methods of the Mandelbrot set.
enum class SweepKind { kMaps, kMandelbrot };
/// "maps", "mandelbrot". The parser throws InputError that lists them.
std::string_view name_of(SweepKind kind);
SweepKind parse_sweep_kind(std::string_view name);

/// A sweep's results.
struct Results {
  std::string program;  ///< "fractal-loom 0.1.0"
  std::string commit;
  std::string date;  ///< start of the sweep, ISO 8601 in UTC
  Machine machine;
  nlohmann::ordered_json settings;  ///< axes and limits
  std::uint64_t planned = 0;        ///< configurations of the whole sweep
  bool complete = false;            ///< all of them are in
  bool interrupted = false;         ///< the user ended it
  SweepKind kind = SweepKind::kMaps;
  std::vector<Entry> entries;           ///< of a sweep over maps
  std::vector<MandelbrotEntry> dwells;  ///< of one over the Mandelbrot set
  std::size_t size() const { return entries.size() + dwells.size(); }
  friend bool operator==(const Results&, const Results&) = default;
};

/// The entry of a case, not yet measured.
Entry describe(const MapCase& bench_case);

/// The median of a generation; none where it was skipped.
std::optional<double> median_ms(const Entry& entry);

/// Derived from the median: cells (bytes) of one generation over its time. 0 where the time is 0.
double cells_per_second(const Entry& entry);
double bytes_per_second(const Entry& entry);

}  // namespace loom::app::bench
