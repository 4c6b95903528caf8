#include "app/life/scene/life_course.h"

#include <gtest/gtest.h>

namespace loom::app {
namespace {

void count(LifeCourse& course, std::uint64_t generation, std::uint64_t state, const Work& work = {}) {
  course.add({{.population = state + 1, .hash = state * 977}, generation}, work);
}

TEST(LifeCourse, FindsAPeriodAndSinceWhen) {
  LifeCourse course;
  // 0 1 2 3 | 4 5 6 4 5 6 ...
  for (std::uint64_t g = 0; g < 9; ++g) count(course, g, g < 4 ? g : 4 + (g - 4) % 3);
  EXPECT_FALSE(course.repeat()) << "not confirmed yet";
  for (std::uint64_t g = 9; g < 12; ++g) count(course, g, 4 + (g - 4) % 3);
  ASSERT_TRUE(course.repeat());
  EXPECT_EQ(course.repeat()->period, 3u);
  EXPECT_EQ(course.repeat()->since, 4u);
  EXPECT_FALSE(course.repeat()->or_before);
  EXPECT_FALSE(course.repeat()->divides);
}

TEST(LifeCourse, StandsStill) {
  LifeCourse course;
  for (std::uint64_t g = 0; g < 6; ++g) count(course, g, g < 2 ? g : 2);
  ASSERT_TRUE(course.repeat());
  EXPECT_EQ(course.repeat()->period, 1u);
  EXPECT_EQ(course.repeat()->since, 2u);
}

TEST(LifeCourse, SaysWhatItDidNotSee) {
  LifeCourse late;  // counted from generation 50 on, where it repeats already
  for (std::uint64_t g = 50; g < 60; ++g) count(late, g, g % 2);
  ASSERT_TRUE(late.repeat());
  EXPECT_TRUE(late.repeat()->or_before);
  EXPECT_EQ(late.repeat()->since, 50u);
  LifeCourse sparse;  // of a period of 4 every sixth generation
  for (std::uint64_t g = 0; g < 60; g += 6) count(sparse, g, g % 4);
  ASSERT_TRUE(sparse.repeat());
  EXPECT_TRUE(sparse.repeat()->divides);
  EXPECT_EQ(sparse.repeat()->period % 4, 0u);
}

TEST(LifeCourse, BeginsAnewWithOtherWorkAndGoingBack) {
  LifeCourse course;
  for (std::uint64_t g = 0; g < 6; ++g) count(course, g, 7);
  ASSERT_TRUE(course.repeat());
  count(course, 6, 7, {.rule = {8, 12}});
  EXPECT_FALSE(course.repeat()) << "another rule makes something else of the same state";
  EXPECT_EQ(course.size(), 1u);
  count(course, 2, 7, {.rule = {8, 12}});
  EXPECT_EQ(course.size(), 1u);
  count(course, 2, 7, {.rule = {8, 12}});
  EXPECT_EQ(course.size(), 1u) << "the same count twice";
}

TEST(LifeCourse, KeepsTheNewest) {
  LifeCourse course;
  for (std::uint64_t g = 0; g < 2000; ++g) count(course, g, g);
  EXPECT_EQ(course.size(), LifeCourse::kKept);
  EXPECT_EQ(course[0].generation, 2000 - LifeCourse::kKept);
  EXPECT_EQ(course[LifeCourse::kKept - 1].generation, 1999u);
  EXPECT_FALSE(course.repeat());
}

}  // namespace
}  // namespace loom::app
