#include "app/tasks/learning_progress.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "compute/core/error.h"
#include "temporary_folder.h"

namespace loom::app {
namespace {

TEST(LearningProgress, AFileIsReadAsItWasWritten) {
  const SolvedSteps solved{{"bounding-box", {1, 3}}, {"lambda", {2}}};
  EXPECT_EQ(read_solved_steps("lesson", progress_text("lesson", solved)), solved);
  EXPECT_EQ(read_solved_steps("lesson", progress_text("lesson", {})), SolvedSteps{});
}

TEST(LearningProgress, OtherFilesAreRejected) {
  for (const char* const text : {"", "{}", "[]", "{\"format\":\"fractal-loom settings\",\"solved\":{}}",
                                 "{\"format\":\"fractal-loom lesson progress\"}",
                                 "{\"format\":\"fractal-loom lesson progress\",\"solved\":[]}",
                                 "{\"format\":\"fractal-loom lesson progress\",\"solved\":{\"a\":1}}",
                                 "{\"format\":\"fractal-loom lesson progress\",\"solved\":{\"a\":[0]}}",
                                 "{\"format\":\"fractal-loom lesson progress\",\"solved\":{\"a\":[-1]}}",
                                 "{\"format\":\"fractal-loom lesson progress\",\"solved\":{\"a\":[1.5]}}"})
    EXPECT_THROW(read_solved_steps("lesson", text), InputError) << text;
  EXPECT_THROW(read_solved_steps("exercise", progress_text("lesson", {})), InputError);
}

TEST(LearningProgress, WhatIsLostIsSaidOnceAndTriedAgainAtTheEnd) {
  const tests::TemporaryFolder folder;
  const auto state = folder.path() / "state";
  std::ofstream(state) << "no folder";
  unsetenv("FRACTAL_LOOM_NO_CONFIG");
  setenv("XDG_STATE_HOME", state.c_str(), 1);
  const std::string why = (state / "fractal-loom").string() + ": Not a directory";
  LearningProgress progress("lesson");
  EXPECT_EQ(progress.finish(), "") << "nothing is solved";
  progress.add("lambda", 2);
  std::string said;
  while (said.empty()) said = progress.update();
  EXPECT_EQ(said, why);
  EXPECT_EQ(progress.update(), "") << "once";
  EXPECT_EQ(progress.finish(), why);
  std::filesystem::remove(state);
  EXPECT_EQ(progress.finish(), "");
  EXPECT_EQ(LearningProgress("lesson").solved("lambda"), 1u);
  unsetenv("XDG_STATE_HOME");
}

}  // namespace
}  // namespace loom::app
