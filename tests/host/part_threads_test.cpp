#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>

#include "compute/distributed/partitioning.h"

namespace loom {
namespace {

TEST(PartitionThreads, EachPartIsDoneOnceATurnInItsOwnThread) {
  for (const std::size_t parts : {1, 2, 5}) {
    PartitionThreads threads(parts);
    std::vector<std::thread::id> first(parts);
    for (int turn = 0; turn < 200; ++turn) {
      std::vector<int> done(parts);
      std::vector<std::thread::id> ids(parts);
      threads.run([&](std::size_t part) {
        ++done[part];
        ids[part] = std::this_thread::get_id();
      });
      EXPECT_EQ(done, std::vector<int>(parts, 1));
      if (turn == 0) first = ids;
      EXPECT_EQ(ids, first);
    }
    EXPECT_EQ(first[0], std::this_thread::get_id());
    EXPECT_EQ(std::set(first.begin(), first.end()).size(), parts);
  }
}

TEST(PartitionThreads, TheyWorkAtTheSameTime) {
  PartitionThreads threads(3);
  std::mutex mutex;
  std::condition_variable all_here;
  int here = 0;
  threads.run([&](std::size_t) {  // no thread returns before all have arrived
    std::unique_lock lock(mutex);
    ++here;
    all_here.notify_all();
    all_here.wait(lock, [&] { return here == 3; });
  });
  EXPECT_EQ(here, 3);
}

TEST(PartitionThreads, WhatTheFirstThrewIsThrownWhenAllAreDone) {
  PartitionThreads threads(3);
  for (int turn = 0; turn < 20; ++turn) {
    std::vector<int> done(3);
    try {
      threads.run([&](std::size_t part) {
        done[part] = 1;
        if (part > 0) throw std::runtime_error("part " + std::to_string(part));
      });
      ADD_FAILURE() << "no exception was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "part 1");
    }
    EXPECT_EQ(done, std::vector<int>(3, 1));
    threads.run([&](std::size_t part) { done[part] = 2; });
    EXPECT_EQ(done, std::vector<int>(3, 2));
  }
}

}  // namespace
}  // namespace loom
