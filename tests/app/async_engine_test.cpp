#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "app/tasks/task.h"
#include "compute/core/error.h"
#include "compute/engine/progress_monitor.h"

namespace loom::app {
namespace {

/// Counts; stands for an engine of compute.
struct Counter {
  int count = 0;
};

class CountingEngine;

struct CountRequest {
  int add = 0;
  double expected_ms = 0;
  bool builds = false;                                ///< another engine, which begins with `add`
  std::function<void(ProgressMonitor*)> before = {};  ///< called before the addition
  std::function<void()> on_device = {};               ///< called while a device adds
  std::vector<int> data = {};
};

struct CountResult {
  std::unique_ptr<CountingEngine> next = {};
  int sum = 0;
};

class CountingEngine {
 public:
  using Outcome = EngineOutcome<CountRequest, CountResult>;
  explicit CountingEngine(bool on_device = false, int count = 0) : counter_{count}, on_device_(on_device) {}

  int shown = 0;    ///< the count after the last request that has ended
  int updates = 0;  ///< calls of update()

  double expected_ms(const CountRequest& request) const { return request.expected_ms; }
  std::string activity(const CountRequest&) const { return "counting"; }
  static const char* out_of_memory(const CountRequest&) { return "out of memory for the count"; }
  void set_monitor(ProgressMonitor* monitor) { monitor_ = monitor; }
  bool begin(const CountRequest& request, CountResult& result) {
    if (request.before) request.before(monitor_);
    if (request.builds) {
      result.next = std::make_unique<CountingEngine>(on_device_, request.add);
      return false;
    }
    if (on_device_ && monitor_ == nullptr) return true;
    end(request, result);
    return false;
  }
  void end(const CountRequest& request, CountResult& result) {
    if (request.on_device) request.on_device();
    counter_.count += request.add;
    result.sum = counter_.count;
  }
  void update(Outcome& done) {
    ++updates;
    shown = counter_.count;
    if (!done.problem.empty()) done.problem += "; the count is intact";
  }
  Counter& engine() { return counter_; }
  const Counter& engine() const { return counter_; }

 private:
  Counter counter_;
  bool on_device_;
  ProgressMonitor* monitor_ = nullptr;
};

using Counting = AsyncEngine<CountingEngine>;
constexpr double kLongMs = 2 * kProgressMs;

void wait_for_cancel(ProgressMonitor* monitor) {
  for (;;) check_cancel(monitor);
}

TEST(AsyncEngine, AShortRequestIsDoneWithinTheCall) {
  Counting counting(std::make_unique<CountingEngine>());
  EXPECT_EQ(counting.finish(kNoTimeout), nullptr) << "no request was begun";
  counting.begin({.add = 3, .data = {1, 2}});
  EXPECT_FALSE(counting.busy());
  EXPECT_TRUE(counting.progress().what.empty());
  EXPECT_EQ(counting.engine().count, 3);
  EXPECT_EQ(counting->shown, 3);
  const auto* const done = counting.finish({});
  ASSERT_NE(done, nullptr);
  EXPECT_FALSE(done->failed());
  EXPECT_FALSE(done->in_background);
  EXPECT_EQ(done->result.sum, 3);
  EXPECT_EQ(done->request.data, (std::vector{1, 2})) << "the outcome has the request that it answers";
  EXPECT_EQ(counting.finish({}), nullptr) << "an outcome is returned once";
  EXPECT_EQ(counting->updates, 1);
}

// A frame attributes this time to the stage that it waited for.
TEST(AsyncEngine, SaysHowLongItWaited) {
  constexpr std::chrono::milliseconds kWork{40};
  const auto work = [&] { std::this_thread::sleep_for(kWork); };
  Counting here(std::make_unique<CountingEngine>());
  here.begin({.before = [&](ProgressMonitor*) { work(); }});
  here.finish(kNoTimeout);
  EXPECT_EQ(here.waited_ms(), 0) << "begin() did the work";

  Counting on_device(std::make_unique<CountingEngine>(true));
  on_device.begin({.on_device = work});
  on_device.finish({});
  EXPECT_GE(on_device.waited_ms(), 40);
  on_device.finish({});
  EXPECT_EQ(on_device.waited_ms(), 0) << "the outcome was taken";

  std::atomic<bool> may_end = false;
  here.begin({.expected_ms = kLongMs, .before = [&](ProgressMonitor*) {
                while (!may_end) std::this_thread::yield();
                work();
              }});
  EXPECT_EQ(here.finish(TaskTimeout{5}), nullptr);
  EXPECT_GE(here.waited_ms(), 5) << "a wait that ended before the work";
  may_end = true;
  ASSERT_NE(here.finish(kNoTimeout), nullptr);
  EXPECT_GE(here.waited_ms(), 30);
}

TEST(AsyncEngine, ALongRequestRunsInTheBackgroundAndThePreviousStateStays) {
  Counting counting(std::make_unique<CountingEngine>());
  counting.begin({.add = 1});
  counting.finish({});
  std::atomic<bool> may_end = false;
  std::thread::id thread;
  counting.begin({.add = 2, .expected_ms = kLongMs, .before = [&](ProgressMonitor* monitor) {
                    EXPECT_NE(monitor, nullptr);
                    thread = std::this_thread::get_id();
                    while (!may_end) std::this_thread::yield();
                  }});
  EXPECT_TRUE(counting.busy());
  EXPECT_EQ(counting.finish({}), nullptr);
  EXPECT_EQ(counting.progress().what, "counting");
  EXPECT_EQ(counting->shown, 1) << "until the request has ended";
  EXPECT_EQ(counting.request().add, 2);
  may_end = true;
  const auto* const done = counting.finish(kNoTimeout);
  ASSERT_NE(done, nullptr);
  EXPECT_TRUE(done->in_background && counting.in_background());
  EXPECT_EQ(done->result.sum, 3);
  EXPECT_EQ(counting->shown, 3);
  EXPECT_NE(thread, std::this_thread::get_id());
  EXPECT_FALSE(counting.busy());
  counting.begin({});
  EXPECT_FALSE(counting.in_background());
}

TEST(AsyncEngine, ProgressOfWorkThatIsShortIsNotShown) {
  Counting counting(std::make_unique<CountingEngine>());
  std::atomic<bool> may_end = false;
  const auto begun = std::chrono::steady_clock::now();
  const auto passed = [&] {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
  };
  counting.begin({.expected_ms = 2 * kWithinFrameMs, .before = [&](ProgressMonitor*) {
                    while (!may_end) std::this_thread::yield();
                  }});
  EXPECT_TRUE(counting.busy());
  const std::string at_first = counting.progress().what;
  if (passed() < kProgressMs) {
    EXPECT_EQ(at_first, "");
  }
  // It takes longer than expected.
  while (counting.progress().what.empty()) std::this_thread::yield();
  EXPECT_GE(passed(), kProgressMs);
  EXPECT_EQ(counting.progress().what, "counting");
  may_end = true;
  counting.finish(kNoTimeout);
}

TEST(AsyncEngine, ADeviceGoesOnUntilItsWorkIsNeeded) {
  Counting counting(std::make_unique<CountingEngine>(true));
  counting.begin({.add = 3});
  EXPECT_NE(counting.engine_on_device(), nullptr);
  EXPECT_FALSE(counting.busy()) << "the device works, not the background thread";
  EXPECT_EQ(counting->shown, 0);
  EXPECT_EQ(counting.engine().count, 3) << "waits for the device";
  EXPECT_EQ(counting->shown, 3);
  EXPECT_EQ(counting.engine_on_device(), nullptr);
  ASSERT_NE(counting.finish({}), nullptr) << "the outcome was not taken yet";
  counting.begin({.add = 4});
  const auto* const done = counting.finish({});
  ASSERT_NE(done, nullptr);
  EXPECT_EQ(done->result.sum, 7);
  EXPECT_EQ(counting->updates, 2) << "once for each request";
  // A request in the background is complete when it ends.
  counting.begin({.add = 1, .expected_ms = kLongMs});
  EXPECT_EQ(counting.engine_on_device(), nullptr);
  EXPECT_EQ(counting.finish(kNoTimeout)->result.sum, 8);
}

TEST(AsyncEngine, CancelEndsBackgroundWorkAndNotTheNextRequest) {
  Counting counting(std::make_unique<CountingEngine>());
  counting.begin({.add = 1, .expected_ms = kLongMs, .before = wait_for_cancel});
  counting.cancel();
  const auto* const done = counting.finish(kNoTimeout);
  ASSERT_NE(done, nullptr);
  EXPECT_TRUE(done->cancelled && done->failed());
  EXPECT_EQ(done->problem, "");
  EXPECT_EQ(counting.engine().count, 0);
  counting.begin({.add = 1, .expected_ms = kLongMs});
  EXPECT_FALSE(counting.finish(kNoTimeout)->failed());
  EXPECT_EQ(counting.engine().count, 1);
}

TEST(AsyncEngine, AFailureLeavesTheEngineAndSaysWhy) {
  Counting counting(std::make_unique<CountingEngine>());
  for (const double expected_ms : {0.0, kLongMs}) {
    counting.begin({.add = 1, .expected_ms = expected_ms, .before = [](ProgressMonitor*) {
                      throw CapacityError("needs more", 2, 1);
                    }});
    const auto* done = counting.finish(kNoTimeout);
    ASSERT_NE(done, nullptr);
    EXPECT_EQ(done->problem, "needs more; the count is intact") << "update() may add to it";
    EXPECT_TRUE(done->failed());
    counting.begin({.expected_ms = expected_ms, .before = [](ProgressMonitor*) { throw std::bad_alloc(); }});
    EXPECT_EQ(counting.finish(kNoTimeout)->problem, "out of memory for the count; the count is intact");
    counting.begin({.expected_ms = expected_ms});
    done = counting.finish(kNoTimeout);
    EXPECT_FALSE(done->failed()) << "the next request begins without failure";
    EXPECT_EQ(done->result.sum, 0);
  }
}

TEST(AsyncEngine, PassesADeviceFaultOn) {
  const auto fails = [](ProgressMonitor*) { throw DeviceFault("the device is lost"); };
  Counting counting(std::make_unique<CountingEngine>());
  EXPECT_THROW(counting.begin({.before = fails}), DeviceFault);
  EXPECT_EQ(counting.finish({}), nullptr);
  counting.begin({.expected_ms = kLongMs, .before = fails});
  EXPECT_THROW(counting.finish(kNoTimeout), DeviceFault);
}

TEST(AsyncEngine, AnEngineThatIsCompleteReplacesTheOldOne) {
  for (const double expected_ms : {0.0, kLongMs}) {
    Counting counting(std::make_unique<CountingEngine>());
    counting.begin({.add = 1});
    counting.finish({});
    const Counter* const old = &counting.engine();
    counting.begin({.add = 9, .expected_ms = expected_ms, .builds = true, .before = [](ProgressMonitor*) {
                      throw InputError("there is no such engine");
                    }});
    EXPECT_EQ(counting.finish(kNoTimeout)->problem, "there is no such engine; the count is intact");
    EXPECT_EQ(&counting.engine(), old);
    counting.begin({.add = 9, .expected_ms = expected_ms, .builds = true});
    EXPECT_FALSE(counting.finish(kNoTimeout)->failed());
    EXPECT_EQ(counting.engine().count, 9);
  }
}

TEST(AsyncEngine, HasNoEngineUntilItGetsOne) {
  Counting counting;
  EXPECT_FALSE(counting.has_engine());
  EXPECT_FALSE(counting.busy());
  EXPECT_EQ(counting.finish({}), nullptr);
  counting.replace(std::make_unique<CountingEngine>(false, 5));
  EXPECT_TRUE(counting.has_engine());
  EXPECT_EQ(counting.engine().count, 5);
}

TEST(AsyncEngine, CancelsItsRequestWhenItIsDestroyed) {
  Counting counting(std::make_unique<CountingEngine>());
  counting.begin({.expected_ms = kLongMs, .before = wait_for_cancel});
}

}  // namespace
}  // namespace loom::app
