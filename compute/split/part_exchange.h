#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "compute/split/fractal_part.h"

namespace loom {

/// How the parts of one fractal hear of each other: those of this process, and those of others if there are
/// any. What goes wrong with others throws MachineError that names them.
class PartExchange {
 public:
  virtual ~PartExchange() = default;

  /// Begins to bring what every part tells to those that hear it. `parts` are this process' own.
  virtual void start(std::span<FractalPart* const> parts) = 0;
  /// Until it has come; on a device what is enqueued after this comes after that.
  virtual void finish() = 0;

  /// Adds values over all processes, each of which calls it with as many; all get the sums.
  virtual void sum(std::span<std::uint64_t>) {}
  /// "in this process", "NCCL 2.28.3", "MPI: Open MPI 4.1.4": for the status line.
  virtual std::string name() const = 0;
};

/// Of the parts of one process, the one that tells a stretch of another's copies, and where in what it tells
/// they are.
struct Telling {
  FractalPart* teller = nullptr;
  PartStretch told;
};
Telling find_telling(std::span<FractalPart* const> parts, const FractalPart& hearer, const PartStretch& from);

/// Between parts that lie in one process' memory.
std::unique_ptr<PartExchange> make_host_exchange();

}  // namespace loom
