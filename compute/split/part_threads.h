#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace loom {

/// A thread for each part, so that what one waits for holds up no other: the caller's for the first. They
/// wait in between.
class PartThreads {
 public:
  explicit PartThreads(std::size_t parts);
  ~PartThreads();
  PartThreads(const PartThreads&) = delete;
  PartThreads& operator=(const PartThreads&) = delete;

  /// Calls work(i) for every part i, each in its own thread, and returns when all are done. Throws what the
  /// first of them threw.
  void run(const std::function<void(std::size_t part)>& work);

 private:
  void end_all();
  void serve(std::size_t part);
  void do_part(const std::function<void(std::size_t)>& work, std::size_t part);

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::size_t turn_ = 0;     ///< counts the calls of run()
  std::size_t at_work_ = 0;  ///< threads that have not done this turn
  bool end_ = false;
  std::vector<std::exception_ptr> thrown_;
  std::vector<std::thread> threads_;
};

}  // namespace loom
