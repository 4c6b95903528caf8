#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/bench/config_json.h"
#include "app/bench/machine.h"
#include "app/bench/mandelbrot_results.h"
#include "app/bench/shard.h"
#include "app/bench/sweep.h"

namespace loom::app::bench {

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
