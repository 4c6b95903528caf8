#include "app/tasks/task.h"

#include <gtest/gtest.h>

#include <new>

#include "compute/core/error.h"

namespace loom::app {
namespace {

TEST(Task, ReturnsItsResultOnce) {
  Task<int> task;
  EXPECT_FALSE(task.poll());
  EXPECT_FALSE(task.wait());
  task.start([](ProgressMonitor&) { return 7; });
  EXPECT_TRUE(task.running());
  const auto outcome = task.wait();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->result, 7);
  EXPECT_FALSE(outcome->cancelled);
  EXPECT_EQ(outcome->problem, "");
  EXPECT_FALSE(task.running());
  EXPECT_FALSE(task.poll());
}

TEST(Task, RunsInTheBackgroundAndEndsWhenItIsCancelled) {
  Task<int> task;
  task.start([](ProgressMonitor& monitor) {
    for (;;) check_cancel(&monitor);
    return 1;
  });
  EXPECT_FALSE(task.poll());
  task.cancel();
  const auto outcome = task.wait();
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->cancelled);
  EXPECT_FALSE(outcome->result);
  EXPECT_EQ(outcome->problem, "");
  // The cancellation does not affect the next task.
  task.start([](ProgressMonitor& monitor) {
    check_cancel(&monitor);
    return 2;
  });
  EXPECT_EQ(task.wait()->result, 2);
}

TEST(Task, SaysWhyThereIsNoResult) {
  Task<int> task;
  task.start([](ProgressMonitor&) -> int { throw InputError("unknown fractal"); });
  EXPECT_EQ(task.wait()->problem, "unknown fractal");
  task.start([](ProgressMonitor&) -> int { throw MachineError("no device"); });
  EXPECT_EQ(task.wait()->problem, "no device");
  task.start([](ProgressMonitor&) -> int { throw std::bad_alloc(); }, "out of memory while reading");
  const auto outcome = task.wait();
  EXPECT_EQ(outcome->problem, "out of memory while reading");
  EXPECT_FALSE(outcome->result);
  EXPECT_FALSE(outcome->cancelled);
}

TEST(Task, PassesADeviceFaultOn) {
  Task<int> task;
  task.start([](ProgressMonitor&) -> int { throw DeviceFault("the device is lost"); });
  EXPECT_THROW(task.wait(), DeviceFault);
  EXPECT_FALSE(task.running());
}

TEST(Task, CancelsItsJobWhenItIsDestroyed) {
  Task<int> task;
  task.start([](ProgressMonitor& monitor) {
    for (;;) check_cancel(&monitor);
    return 1;
  });
}

}  // namespace
}  // namespace loom::app
