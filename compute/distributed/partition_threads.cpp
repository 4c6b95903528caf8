#include "compute/distributed/partition_threads.h"

#include <algorithm>

namespace loom {

PartitionThreads::PartitionThreads(std::size_t parts) : thrown_(parts) {
  try {
    for (std::size_t part = 1; part < parts; ++part) threads_.emplace_back([this, part] { serve(part); });
  } catch (...) {
    abort_all_ranks();
    throw;
  }
}

PartitionThreads::~PartitionThreads() {
  abort_all_ranks();
}

void PartitionThreads::abort_all_ranks() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void PartitionThreads::do_part(const std::function<void(std::size_t)>& work, std::size_t part) {
  try {
    work(part);
  } catch (...) {
    thrown_[part] = std::current_exception();
  }
}

void PartitionThreads::serve(std::size_t part) {
  std::unique_lock lock(mutex_);
  for (std::size_t done = 0;;) {
    changed_.wait(lock, [&] { return end_ || turn_ != done; });
    if (end_) return;
    done = turn_;
    const std::function<void(std::size_t)>& work = *work_;
    lock.unlock();
    do_part(work, part);
    lock.lock();
    if (--at_work_ == 0) changed_.notify_all();
  }
}

void PartitionThreads::run(const std::function<void(std::size_t)>& work) {
  {
    const std::lock_guard lock(mutex_);
    std::fill(thrown_.begin(), thrown_.end(), nullptr);
    work_ = &work;
    at_work_ = threads_.size();
    ++turn_;
  }
  changed_.notify_all();
  do_part(work, 0);
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return at_work_ == 0; });
  }
  for (const std::exception_ptr& thrown : thrown_) {
    if (thrown) std::rethrow_exception(thrown);
  }
}

}  // namespace loom
