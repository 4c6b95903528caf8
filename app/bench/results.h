#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/bench/cell_config.h"
#include "app/bench/machine.h"
#include "app/bench/mandelbrot_sweep.h"
#include "app/bench/sampler.h"
#include "app/bench/sweep.h"
#include "compute/backend/engine_factory.h"
#include "compute/mandelbrot/mandelbrot_report.h"

namespace loom::app::bench {

/// One of the parts that a sweep is divided into: "2/3".
struct Shard {
  std::uint32_t number = 1;  ///< 1 to `of`
  std::uint32_t of = 1;
  friend bool operator==(const Shard&, const Shard&) = default;
};

/// Parses "K/N" with K from 1 to N, and N up to the largest number of cases. Throws InputError with what is
/// allowed.
Shard parse_shard(std::string_view text);

/// The shards of a divided sweep that results contain.
struct Shards {
  std::uint32_t of = 1;
  std::vector<std::uint32_t> have = {1};  ///< numbers of shards, ascending, at least one
  std::uint64_t configurations = 1;       ///< number in the whole sweep, at least `of`
  bool whole() const { return have.size() == of; }
  friend bool operator==(const Shards&, const Shards&) = default;
};

/// One shard of a sweep with this number of configurations. Throws InputError if there are fewer
/// configurations than shards.
Shards one_shard(const Shard& shard, std::uint64_t configurations);

/// The shard number of each configuration of a sweep. Of every N consecutive configurations, each shard gets
/// one; which one is shuffled by splitmix64, so that no shard receives a single value of a periodic axis
/// (tile sizes, maps). The result depends only on the arguments.
std::vector<std::uint32_t> assign_shards(std::uint32_t of, std::size_t configurations);

/// The number of configurations of each shard, by shard number; index 0 is unused.
std::vector<std::uint64_t> shard_sizes(const Shards& shards);
/// The number of configurations of all shards in `have`.
std::uint64_t total_shard_size(const Shards& shards);

/// The cases of these shards in the order of the sweep, each with its shard number. Throws InputError if the
/// shards belong to a sweep of another size.
std::vector<Case> select_shards(const std::vector<Case>& cases, const Shards& shards);

/// "shard 2 of 3"; "2 of 3 shards; missing: 2/3"; "3 shards".
std::string to_string(const Shards& shards);

/// The time of a round of a configuration: a generation of cells, or an image.
struct Timing {
  Summary milliseconds;  ///< per round
  bool limited = false;  ///< a limit ended the sampling before the noise was low enough
  friend bool operator==(const Timing&, const Timing&) = default;
};

/// Where a configuration was measured, or why it was not.
struct EntryOrigin {
  std::string backend;
  int device = 0;  ///< CUDA ordinal; 0 on the CPU
  int repeat = 0;
  int devices = 1;           ///< number of devices, or of processes with one device each
  std::uint32_t shard = 0;   ///< its shard; 0 if the sweep was not divided
  std::string skipped = {};  ///< why it was not measured; empty where it was
  friend bool operator==(const EntryOrigin&, const EntryOrigin&) = default;
};

inline EntryOrigin origin_of(const BackendSelection& backend, int repeat, std::uint32_t shard) {
  return {.backend = std::string(name_of(backend.device.kind)),
          .device = backend.device.ordinal,
          .repeat = repeat,
          .shard = shard};
}

/// One configuration in a results file: its settings, where it was measured, and the measurement. Both
/// workloads, maps and the Mandelbrot set, have a type of settings and a type of results.
template <typename Setup, typename Result>
struct EntryOf : Setup, EntryOrigin {
  std::optional<Result> measured = {};
  friend bool operator==(const EntryOf&, const EntryOf&) = default;
};

/// Whether two entries are of one configuration, whatever was measured.
template <typename Setup, typename Result>
bool same_configuration(const EntryOf<Setup, Result>& a, const EntryOf<Setup, Result>& b) {
  EntryOrigin one = a;
  one.skipped = b.skipped;
  return static_cast<const Setup&>(a) == static_cast<const Setup&>(b) &&
         one == static_cast<const EntryOrigin&>(b);
}

/// The median time of a round; empty if the configuration was skipped.
template <typename Setup, typename Result>
std::optional<double> median_ms(const EntryOf<Setup, Result>& entry) {
  return entry.measured ? std::optional(entry.measured->milliseconds.median) : std::nullopt;
}

/// The measurement of one Mandelbrot configuration. Times are per image.
struct MandelbrotResult : Timing {
  /// Counts per image; times, including those of levels, are medians of the samples.
  MandelbrotReport report;
  friend bool operator==(const MandelbrotResult&, const MandelbrotResult&) = default;
};

struct MandelbrotSetup {
  MandelbrotConfig config;
  MandelbrotView view;
  friend bool operator==(const MandelbrotSetup&, const MandelbrotSetup&) = default;
};

/// One configuration of the Mandelbrot set in a results file.
using MandelbrotEntry = EntryOf<MandelbrotSetup, MandelbrotResult>;

/// The entry of a case, not yet measured.
MandelbrotEntry describe(const MandelbrotCase& one);

/// The configuration in words: "n 1024, ask-sbr, g 32, r 2, B 32, ideas all"; of a decimal view
/// also precision and width.
std::string long_text(const MandelbrotEntry& entry);

/// "exhaustive", "ask-sbr".
std::string method_text(const MandelbrotConfig& config);
/// "g 32, r 2, B 32".
std::string cut_text(const MandelbrotConfig& config);

/// The width of a view in the complex plane, decimal.
std::string width_text(const MandelbrotView& view);

/// -log10 of the width.
double depth_of(const MandelbrotView& view);

/// Number of pixels written without being computed.
std::uint64_t filled_pixels(const MandelbrotReport& report);
/// Number of computed pixels that were computed before: the next level processes the border of a region that
/// splits. All pixels are the computed ones without these, the filled and the mirrored ones.
std::uint64_t recomputed_pixels(const MandelbrotReport& report);

/// P over the whole image: the fraction of regions that split, among those that could (all levels except the
/// last). Empty if there are none.
std::optional<double> split_fraction(const MandelbrotReport& report);

/// The measurement of one map configuration. Times and counts are per generation.
struct MapResult : Timing {
  std::uint32_t generations_per_sample = 1;  ///< short generations are timed together
  std::uint64_t tiles_launched = 0;          ///< counted tiles and threads (ThreadCount)
  std::uint64_t threads_launched = 0;
  std::uint64_t threads_active = 0;
  std::uint64_t allocated_bytes = 0;
  std::uint64_t bytes_moved = 0;
  friend bool operator==(const MapResult&, const MapResult&) = default;
};

/// A map configuration with the size of its fractal, and its workload.
struct MapSetup : ConfigNames {
  std::uint64_t width = 1;   ///< n_x
  std::uint64_t height = 1;  ///< n_y
  std::uint64_t depth = 1;   ///< n_z; 1 in two dimensions
  std::uint64_t cells = 1;   ///< k^r
  std::string workload;
  std::optional<std::string> reduction = {};  ///< reduction method; only for the workload reduction
  friend bool operator==(const MapSetup&, const MapSetup&) = default;
};

/// One configuration of a map sweep in a results file.
using MapEntry = EntryOf<MapSetup, MapResult>;

/// A configuration of either kind of sweep.
using Entry = std::variant<MapEntry, MandelbrotEntry>;

/// Configurations with their measurements, all of one kind.
struct Entries : std::variant<std::vector<MapEntry>, std::vector<MandelbrotEntry>> {
  using variant::variant;
  using variant::operator=;
  Entries() = default;
  /// Copies by assignment: in libstdc++ 12, copy construction of a variant that runs out of memory destroys
  /// members that were never constructed.
  Entries(const Entries& other) : variant() { *this = other; }
  Entries(Entries&&) = default;
  Entries& operator=(const Entries&) = default;
  Entries& operator=(Entries&&) = default;
};

/// A sweep's results.
struct Results {
  Results() = default;
  explicit Results(SweepKind kind) {
    if (kind == SweepKind::kMandelbrot) entries = std::vector<MandelbrotEntry>();
  }

  std::string program;  ///< "fractal-loom 0.1.0"
  std::string commit;
  std::string date;  ///< start of the sweep, ISO 8601 in UTC
  Machine machine;
  nlohmann::ordered_json settings;    ///< axes and limits
  std::optional<Shards> shards = {};  ///< which shards these are, if the sweep was divided
  std::uint64_t planned = 0;          ///< configurations of the whole sweep, or of those shards
  bool complete = false;              ///< all planned configurations are present
  bool interrupted = false;           ///< the user ended it
  Entries entries;                    ///< in the order of measurement

  SweepKind kind() const { return static_cast<SweepKind>(entries.index()); }
  std::size_t size() const {
    return std::visit([](const auto& all) { return all.size(); }, entries);
  }
  /// The entries of a map sweep. Throws std::bad_variant_access for the other kind, as does dwells().
  std::vector<MapEntry>& maps() { return std::get<0>(entries); }
  const std::vector<MapEntry>& maps() const { return std::get<0>(entries); }
  /// The entries of a Mandelbrot sweep.
  std::vector<MandelbrotEntry>& dwells() { return std::get<1>(entries); }
  const std::vector<MandelbrotEntry>& dwells() const { return std::get<1>(entries); }
  /// Calls `use` with each entry of either type, from number `first` on.
  template <typename Use>
  void for_each(Use use, std::size_t first = 0) const {
    std::visit(
        [&](const auto& all) {
          for (std::size_t i = first; i < all.size(); ++i) use(all[i]);
        },
        entries);
  }
  /// Adds an entry of the same kind.
  void add(Entry entry);

  friend bool operator==(const Results&, const Results&) = default;
};

/// The entry of a case, not yet measured.
template <typename Config>
MapEntry describe(const CellCase<Config>& one);
Entry describe(const Case& one);

/// The configuration in words: "sierpinski-gasket level 4, lambda, table, lookup, tile size 16".
std::string long_text(const MapEntry& entry);

/// The median time per generation or image; empty if skipped.
std::optional<double> median_ms(const Entry& entry);

/// Cells (bytes) of one generation over its median time; 0 if the time is 0.
double cells_per_second(const MapEntry& entry);
double bytes_per_second(const MapEntry& entry);

}  // namespace loom::app::bench
