#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace loom {

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
