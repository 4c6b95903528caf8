#pragma once

#include <cstdint>
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

}  // namespace loom::app::bench
