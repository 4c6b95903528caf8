#include "app/lessons/window/lesson_progress.h"

#include <gtest/gtest.h>

#include "compute/core/error.h"

namespace loom::app::lessons {
namespace {

TEST(LessonProgress, AFileIsReadAsItWasWritten) {
  const SolvedSteps solved{{"bounding-box", {1, 3}}, {"lambda", {2}}};
  EXPECT_EQ(read_solved_steps(progress_text(solved)), solved);
  EXPECT_EQ(read_solved_steps(progress_text({})), SolvedSteps{});
}

TEST(LessonProgress, OtherFilesAreRejected) {
  for (const char* const text : {"", "{}", "[]", "{\"format\":\"fractal-loom settings\",\"solved\":{}}",
                                 "{\"format\":\"fractal-loom lesson progress\"}",
                                 "{\"format\":\"fractal-loom lesson progress\",\"solved\":[]}",
                                 "{\"format\":\"fractal-loom lesson progress\",\"solved\":{\"a\":1}}",
                                 "{\"format\":\"fractal-loom lesson progress\",\"solved\":{\"a\":[0]}}",
                                 "{\"format\":\"fractal-loom lesson progress\",\"solved\":{\"a\":[-1]}}",
                                 "{\"format\":\"fractal-loom lesson progress\",\"solved\":{\"a\":[1.5]}}"})
    EXPECT_THROW(read_solved_steps(text), InputError) << text;
}

}  // namespace
}  // namespace loom::app::lessons
