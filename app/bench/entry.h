#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/bench/statistics.h"
#include "compute/backend/engine_factory.h"

namespace loom::app::bench {

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

}  // namespace loom::app::bench
