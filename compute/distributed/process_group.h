#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/distributed/fractal_partition.h"

namespace loom {

/// The processes of one run over several machines or sockets, as mpirun started them. All processes must make
/// the same calls in the same order.
class ProcessGroup {
 public:
  /// The process group of this process, the same until leave(); null if the process was started alone. Throws
  /// MachineError if it was started with others and the program was built without MPI.
  static ProcessGroup* join();
  /// Must be called before the process ends.
  static void leave();
  /// The number of processes according to the launcher's environment variables; 1 without a launcher. Does
  /// not call MPI.
  static int started();
  /// "Open MPI 4.1.4"; empty if the program was built without MPI.
  static std::string library();
  virtual ~ProcessGroup() = default;

  virtual int rank() const = 0;
  virtual int count() const = 0;
  /// The rank among the processes of this machine, from 0; it selects the device.
  virtual int local_rank() const = 0;
  /// Throws InputError in all processes if one has another text than the first process. The message has
  /// `what` and both texts.
  virtual void require_same(std::string_view what, std::string_view text) const = 0;
  /// Every process passes its error, or an empty text. Returns the error of the lowest failed rank, preceded
  /// by the rank; empty if all succeeded.
  virtual std::string first_rank_error(std::string_view rank_error) const = 0;
  /// Copies the first process's bytes to all processes.
  virtual void broadcast(std::span<std::byte> bytes) const = 0;
  /// Adds values over all processes.
  virtual void sum(std::span<std::uint64_t> values) const = 0;
  /// Combines bytes that are 0 in all processes but one.
  void merge(std::span<std::byte> bytes) const;
  /// The values of all processes, in the order of their ranks.
  std::vector<std::uint64_t> gather(std::span<const std::uint64_t> own) const;
  /// The halo exchange between the processes' own host memory, one partition per process.
  virtual std::unique_ptr<HaloExchange> make_exchange() const = 0;
  /// A barrier: returns when all processes have called it.
  virtual void barrier_all() const = 0;
  /// Ends all processes immediately with this exit status.
  [[noreturn]] virtual void abort(int status) const = 0;
};

}  // namespace loom
