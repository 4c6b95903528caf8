#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "compute/distributed/process_group.h"
#include "compute/engine/fractal_config.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/geometry/partition.h"
#include "compute/geometry/plane_partition.h"

namespace loom {

// Whether and how a configuration's cells are partitioned.

/// Throws InputError if the configuration is invalid, if the map is not compact, or if there are too few
/// groups of bit planes, or tile rows, for this number of partitions.
void check_partitionable(const FractalConfig& config, std::uint32_t parts);

/// The reason why the cells of this configuration cannot be distributed over this number of devices, as one
/// sentence; empty if they can.
std::string partition_problem(const FractalConfig& config, std::size_t devices);

/// The reason why several devices cannot do a workload; empty if they can. They exchange a halo of one cell.
std::string distributed_work_problem(const Work& work);

/// The partitions: groups of bit planes, or tile rows for byte storage.
struct Partitioning {
  std::vector<GroupRange> groups;
  std::vector<TileRows> rows;
  std::size_t parts() const { return groups.size() + rows.size(); }
};

/// Divides the cells in proportion to `shares`, or equally without shares. Throws InputError if there are too
/// few groups or rows.
Partitioning make_partitioning(const FractalConfig& config, std::uint32_t count,
                               std::span<const std::uint32_t> shares = {});

/// Bytes of both generations of a partition, without its halo.
std::uint64_t bytes_of_partition(const FractalConfig& config, const Partitioning& partitioning,
                                 std::uint32_t number);

/// An engine over partitions of the rows of every image, at least one of this process. `together`: each is on
/// a device of its own, so that they work concurrently. `ranks` is null for a single process; otherwise all
/// processes make an engine with one partition each. The engine of the first one makes the calls, and the
/// others execute them in execute_commands() until it is destroyed. Errors outside of a computation are
/// thrown there; errors of a computation are thrown in the first process.
std::unique_ptr<MandelbrotEngine> make_distributed_mandelbrot_engine(
    std::vector<std::unique_ptr<MandelbrotPartition>> parts, bool together, const ProcessGroup* ranks);
void execute_commands(MandelbrotEngine& engine);

/// One thread per partition, so that a blocking call of one partition does not delay the others. The first
/// partition uses the caller's thread. The threads sleep between calls.
class PartitionThreads {
 public:
  explicit PartitionThreads(std::size_t parts);
  ~PartitionThreads();
  PartitionThreads(const PartitionThreads&) = delete;
  PartitionThreads& operator=(const PartitionThreads&) = delete;

  /// Calls work(i) for every partition i, each in its own thread, and returns when all are done. Rethrows the
  /// first exception.
  void run(const std::function<void(std::size_t part)>& work);

 private:
  void abort_all_ranks();
  void serve(std::size_t part);
  void do_part(const std::function<void(std::size_t)>& work, std::size_t part);

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::size_t turn_ = 0;     ///< number of calls of run()
  std::size_t at_work_ = 0;  ///< threads that have not finished this call
  bool end_ = false;
  std::vector<std::exception_ptr> thrown_;
  std::vector<std::thread> threads_;
};

}  // namespace loom
