#include "app/shell/allocator.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

// Sanitizers replace the allocator.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <malloc.h>

namespace loom::app {
namespace {

/// The number of malloc arenas of this process.
int arenas() {
  char* text = nullptr;
  std::size_t size = 0;
  FILE* const stream = open_memstream(&text, &size);
  malloc_info(0, stream);
  std::fclose(stream);
  const std::string told(text, size);
  std::free(text);
  int count = 0;
  for (std::size_t at = told.find("<heap nr="); at != std::string::npos; at = told.find("<heap nr=", at + 1))
    ++count;
  return count;
}

/// The number of arenas while all `threads` threads hold an allocation.
int arenas_with_threads(int threads) {
  std::atomic<int> there = 0;
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) {
    all.emplace_back([&] {
      const auto held = std::make_unique<std::vector<int>>(1000);
      for (++there; there < threads;) std::this_thread::yield();
    });
  }
  for (std::thread& one : all) one.join();
  return arenas();
}

// Death tests run in new processes, which have no threads yet.
TEST(AllocatorDeathTest, ThreadsHaveTwoArenasInAllWhichByDefaultTheyDoNot) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  constexpr int kThreads = 6;  // one core allows up to eight arenas
  EXPECT_EXIT(std::_Exit(arenas_with_threads(kThreads)), testing::ExitedWithCode(kThreads + 1), "");
  EXPECT_EXIT(
      {
        tune_allocator();
        std::_Exit(arenas_with_threads(kThreads));
      },
      testing::ExitedWithCode(2), "");
}

/// Whether a buffer is mapped separately (mmap) after a larger one was allocated and freed.
int has_own_pages() {
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  volatile std::size_t size = 16 * kMiB;  // keeps the compiler from removing the calls
  std::free(std::malloc(size));
  const std::size_t before = mallinfo2().hblks;
  size = kMiB;
  void* const held = std::malloc(size);
  const std::size_t after = mallinfo2().hblks;
  std::free(held);
  return after > before ? 1 : 0;
}

TEST(AllocatorDeathTest, WhatIsLargeGoesBackWhichByDefaultItDoesNot) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(std::_Exit(has_own_pages()), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(
      {
        tune_allocator();
        std::_Exit(has_own_pages());
      },
      testing::ExitedWithCode(1), "");
}

}  // namespace
}  // namespace loom::app

#endif
