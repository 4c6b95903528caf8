#include <gtest/gtest.h>

#include "app/lessons/lesson.h"
#include "lesson_text.h"

namespace loom::app::lessons {
namespace {

const CheckScene kAnyScene = [](const SceneSettingList&) {};

std::string complaint_about(const std::string& text, const CheckScene& check = kAnyScene) {
  try {
    parse_lesson(text, "l.toml", kFields, check);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

std::string changed(const std::string& what, const std::string& by) {
  std::string text = kLessonText;
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(LessonFile, ReadsStepsWithTheirScenesAndQuestions) {
  const Lesson lesson = three_questions();
  EXPECT_EQ(lesson.title, "Three questions");
  ASSERT_EQ(lesson.steps.size(), 3u);
  const LessonStep& first = lesson.steps[0];
  EXPECT_EQ(first.text.text.source(), "There are {=cells} cells in the square.\nA new paragraph.");
  EXPECT_EQ(first.highlight, Control::kMap);
  ASSERT_EQ(first.scene.entries.size(), 2u);
  EXPECT_EQ(first.scene.entries[0], (SceneSetting{"level", "4", 4}));
  ASSERT_TRUE(first.question);
  EXPECT_EQ(first.question->kind, Question::Kind::kNumber);
  EXPECT_EQ(first.question->answer_line, 17u);

  const LessonStep& second = lesson.steps[1];
  ASSERT_EQ(second.scene.entries.size(), 4u)
      << "the lesson's map, and the step's level instead of the lesson's";
  EXPECT_EQ(second.scene.entries[0], (SceneSetting{"map", "bounding-box", 5}));
  EXPECT_EQ(second.scene.entries[1], (SceneSetting{"level", "5", 24}));
  EXPECT_EQ(second.scene.entries[2], (SceneSetting{"view", "-0.75,0.1,0.5", 25}));
  EXPECT_EQ(second.scene.entries[3], (SceneSetting{"model", std::nullopt, 26}))
      << "true is an option without a value";
  EXPECT_EQ(second.question->choices.size(), 2u);
  EXPECT_EQ(lesson.steps[2].question->cell_y.text(), "8");
  EXPECT_FALSE(first.hide);
}

TEST(LessonFile, ReadsWhatAStepHides) {
  const Lesson lesson =
      parse_lesson(changed("highlight = \"map\"", "hide = \"lambda\""), "l.toml", kFields, kAnyScene);
  EXPECT_EQ(lesson.steps[0].hide, Control::kLambda);
}

TEST(LessonFile, ComplaintsNameTheLineAndWhatIsAllowed) {
  struct Case {
    std::string text;
    std::string wanted;
  };
  const Case cases[] = {
      {"title =", "l.toml:1: not TOML"},
      {changed("summary", "sumary"), "l.toml:2: unknown key 'sumary' in a lesson; allowed: title, summary"},
      {changed("title = \"Three questions\"\n", ""), "without title"},
      {"title = \"t\"\n", "l.toml:1: no [[step]] table"},
      {changed("highlight = \"map\"", "highlight = \"mapp\""),
       "l.toml:13: unknown control 'mapp'; allowed: fractal, level"},
      {changed("highlight = \"map\"", "hide = \"map\""),
       "l.toml:13: 'hide' names something that cannot be hidden; allowed: \"lambda\""},
      {changed("kind = \"number\"", "kind = \"essay\""),
       "l.toml:15: unknown kind of question 'essay'; allowed: number"},
      {changed("threads_launched - cells", "threads - cells"),
       "l.toml:17: 'threads - cells' does not evaluate: unknown field 'threads'"},
      {changed("threads_launched - cells", "175"), "l.toml:17: the answer '175' is constant"},
      {changed("threads_launched - cells", "map"), "l.toml:17: the answer 'map' is not a number"},
      {changed("threads_launched - cells", "cells +"), "l.toml:17: 'cells +' does not evaluate"},
      {changed("{=cells}", "{=cels}"), "l.toml:8: 'cels' does not evaluate: unknown field"},
      {changed("choices = [\"few\", \"many\"]", "choices = [\"few\"]"), "allowed: an array of 2 to 4 texts"},
      {changed("answer = \"cells < 100 ? 1 : 2\"", "answer = \"cells < 100\""), "does not give a choice"},
      {changed("thread.address == 136", "thread.address"), "neither true nor false"},
      {changed("cell = [\"width - 8\", \"8\"]", "cell = [\"width - 8\"]"), "two expressions"},
      {changed("hint = \"Count.\"\n", ""), "a question without hint"},
      {changed("unit = \"threads\"", "unit = \"threads\"\ntolerance = 2"), "allowed: a number from 0 to 0.5"},
      {changed("level = 5", "level = [5, \"six\"]"), "allowed: numbers"},
      {changed("text = \"Look.\"\n", ""), "a step without text"},
  };
  for (const Case& one : cases) {
    const std::string found = complaint_about(one.text);
    EXPECT_NE(found.find(one.wanted), std::string::npos) << "wanted: " << one.wanted << "\nfound: " << found;
    EXPECT_TRUE(found.starts_with("l.toml:")) << found;
    EXPECT_NE(found.find("allowed: "), std::string::npos) << found;
  }
}

TEST(LessonFile, AComplaintAboutASceneHasTheLineOfTheSettingToBlame) {
  // Checks as the program does: a block size needs a sufficient level, and names must be known.
  const CheckScene check = [](const SceneSettingList& scene) {
    int level = 9;
    for (const SceneSetting& word : scene.entries) {
      if (word.key == "level") level = std::stoi(*word.value);
    }
    for (const SceneSetting& word : scene.entries) {
      if (word.key == "map" && *word.value != "lambda")
        throw InputError("unknown map 'box'; allowed: lambda");
      if (word.key == "block" && level < 3) throw InputError("--block: too large; allowed: 1");
    }
  };
  const auto lesson = [](const std::string& scene) {
    return "title = \"t\"\n[scene]\n" + scene + "[[step]]\ntext = \"x\"\n";
  };
  EXPECT_EQ(complaint_about(lesson("level = 2\nblock = 8\nmap = \"lambda\"\n"), check).substr(0, 9),
            "l.toml:4:");
  EXPECT_EQ(complaint_about(lesson("block = 8\nlevel = 4\nmap = \"box\"\n"), check).substr(0, 9),
            "l.toml:5:");
  EXPECT_EQ(complaint_about(lesson("block = 8\nlevel = 4\n"), check), "none");
}

TEST(LessonFile, AFileThatIsNotThereIsAnswered) {
  EXPECT_THROW(read_lesson_file("/nowhere/lesson.toml", kFields, kAnyScene), InputError);
  EXPECT_THROW(find_lesson("no-such-lesson", kFields, kAnyScene), InputError);
}

}  // namespace
}  // namespace loom::app::lessons
