#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <string>

#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "device_faults.h"

namespace loom::tests {

/// Tests that need a CUDA device; without one they are skipped with the reason. No call fails unless a test
/// requests it.
class DeviceFaultTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      backend_ = select_backend(BackendChoice::kCuda);
    } catch (const MachineError& error) {
      GTEST_SKIP() << error.what();
    }
  }
  void TearDown() override {
    fail_allocation(0);
    fail_interop(0);
    keep_launches_few(false);
    refuse_launches(false);
  }

  BackendSelection backend_;
};

/// The outcome of a call whose n-th allocation may fail.
enum class Came { kDone, kShort };

/// Runs `call` with its n-th allocation failing. A failure must be a CapacityError with a message of one
/// line.
template <typename Call>
Came fail_in(std::uint64_t nth, const Call& call) {
  fail_allocation(nth);
  Came came = Came::kDone;
  try {
    call();
  } catch (const CapacityError& error) {
    came = Came::kShort;
    const std::string words = error.what();
    EXPECT_FALSE(words.empty());
    EXPECT_EQ(words.find('\n'), std::string::npos) << words;
  } catch (const std::exception& error) {
    came = Came::kShort;
    ADD_FAILURE() << "allocation " << nth << ": not CapacityError, but: " << error.what();
  }
  const bool fault = fault_came();
  fail_allocation(0);
  EXPECT_EQ(came == Came::kShort, fault) << "allocation " << nth;
  return came;
}

inline constexpr std::uint64_t kMostAllocations = 400;

/// For n = 1, 2, ... until nothing fails: `prepare()` creates an object, `call(it)` runs with the n-th
/// allocation failing, and `look(it, came)` checks the state afterwards. Returns the number of failures.
template <typename Prepare, typename Call, typename Look>
std::uint64_t walk(const Prepare& prepare, const Call& call, const Look& look) {
  for (std::uint64_t nth = 1; nth <= kMostAllocations; ++nth) {
    SCOPED_TRACE("allocation " + std::to_string(nth));
    auto it = prepare();
    const Came came = fail_in(nth, [&] { call(it); });
    look(it, came);
    if (came == Came::kDone) return nth - 1;
    if (testing::Test::HasFatalFailure()) return nth;
  }
  ADD_FAILURE() << "the loop does not end";
  return kMostAllocations;
}

}  // namespace loom::tests
