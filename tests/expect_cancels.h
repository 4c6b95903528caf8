#pragma once

#include <gtest/gtest.h>

#include "compute/engine/progress_monitor.h"

namespace loom::tests {

/// `job`, which is given a ProgressMonitor, polls its cancel at least `least` times, and ends by
/// OperationCancelled at whichever of them it is wished. No clock is looked at.
template <typename Job>
void expect_cancels(const Job& job, std::int64_t least) {
  constexpr std::int64_t kNever = std::int64_t{1} << 40;
  ProgressMonitor watch;
  watch.cancel_at_poll(kNever);
  ASSERT_NO_THROW(job(watch));
  const std::int64_t polls = kNever - watch.polls_left();
  EXPECT_GE(polls, least);
  for (const std::int64_t at : {std::int64_t{1}, polls / 2, polls}) {
    if (at < 1) continue;
    watch.reset();
    watch.cancel_at_poll(at);
    EXPECT_THROW(job(watch), OperationCancelled) << "at poll " << at << " of " << polls;
  }
}

}  // namespace loom::tests
