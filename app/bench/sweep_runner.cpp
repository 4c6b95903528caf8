#include "app/bench/sweep_runner.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "compute/core/error.h"

namespace loom::app::bench {

SweepRunner::SweepRunner(Results results, std::vector<Case> cases, const Sampling& sampling, Begin begin)
    : results_(std::move(results)),
      cases_(std::move(cases)),
      sampling_(sampling),
      begin_(std::move(begin)),
      remaining_time_(cases_, sampling_),
      since_(Clock::now()) {
  if (results_.size() > 0) {
    results_.for_each([&](const auto& entry) {
      if (!entry.skipped.empty()) ++skipped_;
      if (!cases_.empty()) remaining_time_.add(median_ms(entry), 0);
    });
    status_ =
        done() < std::max<std::size_t>(cases_.size(), results_.planned) ? Status::kStopped : Status::kDone;
    return;
  }
  results_.planned = cases_.size();
  if (cases_.empty()) {
    status_ = Status::kDone;
    results_.complete = true;
  }
}

void SweepRunner::run(Clock::duration budget) {
  const auto end = Clock::now() + budget;
  while (status_ == Status::kRunning) {
    work(end - Clock::now());
    take();
    if (Clock::now() >= end) return;
  }
}

void SweepRunner::work(Clock::duration budget, ProgressMonitor* watch) {
  const auto end = Clock::now() + budget;
  do step(watch);
  while (!finished_ && Clock::now() < end);
}

void SweepRunner::step(ProgressMonitor* watch) {
  check_cancel(watch);
  try {
    if (!measurement_) {
      measurement_ = begin_(cases_[done()], sampling_, watch);
      return;
    }
    measurement_->advance();
    if (measurement_->finished()) finished_ = measurement_->entry();
  } catch (const DeviceFault&) {
    throw;
  } catch (const InputError& error) {
    skip(error.what());
  } catch (const MachineError& error) {
    skip(error.what());
  } catch (const std::bad_alloc&) {
    skip("out of memory");
  }
}

void SweepRunner::skip(const std::string& reason) {
  finished_ = describe(cases_[done()]);
  std::visit([&](EntryOrigin& origin) { origin.skipped = reason; }, *finished_);
}

void SweepRunner::take() {
  if (status_ == Status::kStopped) finished_.reset();
  // Frees the memory of this engine before the next one is built.
  if (finished_ || status_ == Status::kStopped) measurement_.reset();
  if (!finished_) return;
  Entry entry = *std::exchange(finished_, std::nullopt);
  if (status_ == Status::kRunning) {
    const auto now = Clock::now();
    seconds_ += std::chrono::duration<double>(now - since_).count();
    since_ = now;
  }
  remaining_time_.add(median_ms(entry), std::exchange(seconds_, 0));
  if (std::visit([](const EntryOrigin& origin) { return !origin.skipped.empty(); }, entry)) ++skipped_;
  results_.add(std::move(entry));
  if (done() < cases_.size()) return;
  status_ = Status::kDone;
  results_.complete = true;
}

void SweepRunner::pause() {
  if (status_ != Status::kRunning) return;
  status_ = Status::kPaused;
  seconds_ += std::chrono::duration<double>(Clock::now() - since_).count();
}

void SweepRunner::resume() {
  if (status_ != Status::kPaused) return;
  status_ = Status::kRunning;
  since_ = Clock::now();
}

void SweepRunner::continue_sweep() {
  if (!can_continue()) return;
  results_.interrupted = false;
  finished_.reset();
  measurement_.reset();
  status_ = Status::kRunning;
  since_ = Clock::now();
  seconds_ = 0;
}

void SweepRunner::stop() {
  if (ended()) return;
  status_ = Status::kStopped;
  results_.interrupted = true;
}

std::string_view name_of(SweepRunner::Status status) {
  static constexpr std::array<std::string_view, 4> kNames = {"running", "paused", "stopped", "done"};
  return kNames[static_cast<std::size_t>(status)];
}

}  // namespace loom::app::bench
