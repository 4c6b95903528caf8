#include "app/tasks/task.h"

#include <new>
#include <stdexcept>
#include <system_error>

#include "compute/core/error.h"
#include "compute/cpu/thread_pool.h"

namespace loom::app {

Worker::~Worker() {
  if (!thread_.joinable()) return;
  watch_.cancel();
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Worker::start(Job job) {
  // The thread is created with the first job, so that a program without jobs has no extra thread.
  if (!thread_.joinable()) make_thread();
  watch_.reset();
  busy_ = true;
  {
    const std::lock_guard lock(mutex_);
    job_ = std::move(job);
    done_ = false;
  }
  changed_.notify_all();
}

void Worker::make_thread() {
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& error) {
    throw MachineError(std::string("cannot create a thread for background work: ") + error.what());
  }
}

void Worker::run() {
  cpu::make_pool();
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ends_ || job_; });
    if (ends_) return;
    Job job = std::exchange(job_, nullptr);
    lock.unlock();
    std::exception_ptr error;
    try {
      job(watch_);
    } catch (...) {
      error = std::current_exception();
    }
    job = nullptr;  // destroy before signalling: the job may own data that the waiting thread then uses
    lock.lock();
    error_ = error;
    done_ = true;
    changed_.notify_all();
  }
}

void Worker::finish() {
  busy_ = false;
  if (const std::exception_ptr error = std::exchange(error_, nullptr)) std::rethrow_exception(error);
}

bool Worker::wait_for(std::chrono::duration<double, std::milli> most) {
  if (!busy_) return true;
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, most, [this] { return done_; })) return false;
  finish();
  return true;
}

void Worker::wait() {
  if (!busy_) return;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return done_; });
  finish();
}

TaskFailure handled_failure(std::string_view out_of_memory) {
  try {
    throw;
  } catch (const OperationCancelled&) {
    return {.cancelled = true};
  } catch (const DeviceFault&) {
    throw;
  } catch (const std::bad_alloc&) {
    return {.problem = std::string(out_of_memory)};
  } catch (const std::runtime_error& error) {  // InputError, MachineError
    return {.problem = error.what()};
  }
}

std::optional<TaskFailure> wait_for_end(Worker& worker, TaskTimeout timeout, std::string_view out_of_memory) {
  bool ended = true;
  TaskFailure failure = run_job(out_of_memory, [&] { ended = worker.wait_for(timeout); });
  if (!ended) return std::nullopt;
  return failure;
}

}  // namespace loom::app
