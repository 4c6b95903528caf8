#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "compute/split/part_exchange.h"

namespace loom {

/// The processes of one run over several machines or sockets, as mpirun started them. All of them make the
/// same calls in the same order.
class Ranks {
 public:
  /// The run that this process is one of, the same until leave(); null where it was started alone. Throws
  /// MachineError where it was started with others and the program was built without MPI.
  static Ranks* join();
  /// Before the process ends.
  static void leave();
  /// How many processes a launcher's variables say there are; 1 where none does. Calls no MPI.
  static int started();
  /// "Open MPI 4.1.4"; empty where the program was built without MPI.
  static std::string library();
  virtual ~Ranks() = default;

  virtual int rank() const = 0;
  virtual int count() const = 0;
  /// Among those of this machine, from 0: which device is its own.
  virtual int local_rank() const = 0;
  /// Throws InputError in all processes where one has another text than the first: names `what` and both.
  virtual void agree(std::string_view what, std::string_view text) const = 0;
  /// Every process says what went wrong with it, or nothing. Returns what the first to fail said, with its
  /// rank before it; empty where all is well.
  virtual std::string first_complaint(std::string_view complaint) const = 0;
  /// The first process' bytes, in all.
  virtual void broadcast(std::span<std::byte> bytes) const = 0;
  /// Adds values over all processes.
  virtual void sum(std::span<std::uint64_t> values) const = 0;
  /// Between parts that lie in the processes' own memory, a part each.
  virtual std::unique_ptr<PartExchange> make_exchange() const = 0;
  /// Returns when all have called it.
  virtual void wait_for_others() const = 0;
  /// Ends all processes at once with this exit status.
  [[noreturn]] virtual void abort(int status) const = 0;
};

}  // namespace loom
