#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "compute/split/fractal_part.h"

namespace loom {

/// The halo exchange between the partitions of one fractal: those of this process and, if any, those of other
/// processes. Failures of other processes throw MachineError with their names.
class PartExchange {
 public:
  virtual ~PartExchange() = default;

  /// Starts to transfer all boundaries to their receivers. `parts` are this process's own partitions.
  virtual void start(std::span<FractalPart* const> parts) = 0;
  /// Waits until the halos have been received; on a device, later work is ordered after the exchange.
  virtual void finish() = 0;

  /// Adds values over all processes, which must all call it with the same number of values; all get the sums.
  virtual void sum(std::span<std::uint64_t>) {}
  /// "in this process", "NCCL 2.28.3", "MPI: Open MPI 4.1.4": for the status line.
  virtual std::string name() const = 0;
};

/// Within one process: the sender of a segment of a receiver's halo, and the segment's offset in the sender's
/// buffer.
struct Telling {
  FractalPart* teller = nullptr;
  PartStretch told;
};
Telling find_telling(std::span<FractalPart* const> parts, const FractalPart& hearer, const PartStretch& from);

/// The exchange between partitions in the memory of one process.
std::unique_ptr<PartExchange> make_host_exchange();

}  // namespace loom
