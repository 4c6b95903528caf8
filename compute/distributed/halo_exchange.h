#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "compute/distributed/fractal_partition.h"

namespace loom {

/// The halo exchange between the partitions of one fractal: those of this process and, if any, those of other
/// processes. Failures of other processes throw MachineError with their names.
class HaloExchange {
 public:
  virtual ~HaloExchange() = default;

  /// Starts to transfer all boundaries to their receivers. `parts` are this process's own partitions.
  virtual void start(std::span<FractalPartition* const> parts) = 0;
  /// Waits until the halos have been received; on a device, later work is ordered after the exchange.
  virtual void finish() = 0;

  /// Adds values over all processes, which must all call it with the same number of values; all get the sums.
  virtual void sum(std::span<std::uint64_t>) {}
  /// "in this process", "NCCL 2.28.3", "MPI: Open MPI 4.1.4": for the status line.
  virtual std::string name() const = 0;
};

/// Within one process: the sender of a segment of a receiver's halo, and the segment's offset in the sender's
/// buffer.
struct HaloMessage {
  FractalPartition* sender = nullptr;
  HaloSegment sent;
};
HaloMessage find_halo_message(std::span<FractalPartition* const> parts, const FractalPartition& receiver,
                              const HaloSegment& from);

/// The exchange between partitions in the memory of one process.
std::unique_ptr<HaloExchange> make_host_exchange();

}  // namespace loom
