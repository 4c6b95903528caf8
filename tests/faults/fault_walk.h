#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <string>

#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "device_faults.h"

namespace loom::tests {

/// Tests on a CUDA device; without one each is skipped, with the reason. Nothing fails before it is asked to.
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

/// What came of a call whose n-th allocation failed.
enum class Came { kDone, kShort };

/// Makes `call`, with its n-th allocation failing. Whatever fails is CapacityError, in one line.
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

/// For n = 1, 2, ... until nothing fails: `prepare()` makes something, `call(it)` works on it while the n-th
/// allocation fails, and `look(it, came)` sees what is left. Returns how many failed.
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
  ADD_FAILURE() << "it never ends";
  return kMostAllocations;
}

}  // namespace loom::tests
