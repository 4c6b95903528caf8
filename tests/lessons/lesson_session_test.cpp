#include <gtest/gtest.h>

#include "app/lessons/lesson.h"
#include "lesson_text.h"

namespace loom::app::lessons {
namespace {

/// A host whose whole scene is a text: the scene of the lesson, or what the user has changed it to.
class TextStage final : public LessonHost {
 public:
  struct State final : SceneSnapshot {
    std::string text;
  };
  std::shared_ptr<const SceneSnapshot> take_snapshot() override {
    auto state = std::make_shared<State>();
    state->text = now;
    return state;
  }
  void restore_snapshot(const SceneSnapshot& state) override { now = dynamic_cast<const State&>(state).text; }
  void set(const SceneSettingList& scene) override {
    now.clear();
    for (const SceneSetting& word : scene.entries) now += word.key + "=" + word.value.value_or("") + " ";
  }
  std::string now = "the user's own";
};

class PlayTest : public testing::Test {
 protected:
  ReportValues report(double cells) {
    ReportValues values;
    values.known = {{"cells", cells}, {"threads_launched", 256.0}, {"width", 16.0}, {"height", 16.0}};
    return values;
  }
  TextStage host_;
  LessonSession play_{three_questions(), host_};
};

TEST_F(PlayTest, TheNextStepComesWhenItIsAskedFor) {
  EXPECT_EQ(host_.now, "level=4 map=bounding-box ");
  play_.progress().typed = "175";
  play_.answer_number(report(81));
  EXPECT_TRUE(play_.progress().is_correct);
  EXPECT_EQ(play_.at(), 0u) << "a correct answer alone does not start the next step";
  play_.next();
  EXPECT_EQ(play_.at(), 1u);
  EXPECT_EQ(host_.now.substr(0, 24), "map=bounding-box level=5");
  play_.next();
  play_.next();
  EXPECT_TRUE(play_.last());
  EXPECT_EQ(play_.at(), 2u) << "there is no step after the last one";
  play_.back();
  play_.back();
  play_.back();
  EXPECT_TRUE(play_.first());
  EXPECT_TRUE(play_.progress().is_correct) << "answers are kept";
}

TEST_F(PlayTest, WhatIsChangedInAStepIsKeptApartFromItsScene) {
  const std::string scene = host_.now;
  host_.now = "changed by the student";
  play_.next();
  EXPECT_NE(host_.now, "changed by the student");
  play_.back();
  EXPECT_EQ(host_.now, "changed by the student");
  play_.reset_scene();
  EXPECT_EQ(host_.now, scene);
  play_.next();
  play_.back();
  EXPECT_EQ(host_.now, scene) << "the changes stay discarded";
  play_.end();
  EXPECT_EQ(host_.now, "the user's own");
}

TEST_F(PlayTest, AnotherLessonGivesBackWhatWasBeforeTheFirst) {
  host_.now = "changed by the student";
  LessonSession second(three_questions(), host_, play_.before());
  second.end();
  EXPECT_EQ(host_.now, "the user's own");
}

TEST_F(PlayTest, AWrongAnswerGetsTheHintAndTheNumbersOnlyWhenAskedFor) {
  EXPECT_FALSE(play_.progress().hint);
  play_.answer_number(report(81));
  EXPECT_EQ(play_.progress().wrong, 0) << "nothing was typed";
  play_.progress().typed = "81";
  play_.answer_number(report(81));
  EXPECT_EQ(play_.progress().wrong, 1);
  EXPECT_TRUE(play_.progress().hint);
  EXPECT_FALSE(play_.progress().shown);
  play_.show_answer(report(81));
  EXPECT_TRUE(play_.progress().shown);
  EXPECT_EQ(shown_answer(*play_.step().question, report(81)),
            "threads launched − cells = 256 − 81 = 175 threads");
}

TEST_F(PlayTest, TheAnswerIsThatOfTheReportOfTheMoment) {
  play_.progress().typed = "175";
  play_.answer_number(report(82));
  EXPECT_FALSE(play_.progress().is_correct);
  play_.answer_number(report(81));
  EXPECT_TRUE(play_.progress().is_correct);
  play_.clear_verdict();
  EXPECT_FALSE(play_.progress().is_correct);
}

TEST_F(PlayTest, AVerdictGoesWhenTheStudentActs) {
  play_.progress().typed = "81";
  play_.answer_number(report(81));
  EXPECT_TRUE(play_.progress().has_verdict);
  play_.clear_verdict();
  EXPECT_FALSE(play_.progress().has_verdict);
  EXPECT_TRUE(play_.progress().hint) << "the hint stays";
  play_.answer_number({});
  EXPECT_NE(play_.progress().feedback, "");
  play_.reset_scene();
  EXPECT_EQ(play_.progress().feedback, "") << "resetting the scene clears the feedback";
  play_.next();
  play_.next();
  play_.answer_cell(report(81));
  EXPECT_NE(play_.progress().feedback, "");
  play_.on_pin_changed();
  EXPECT_EQ(play_.progress().feedback, "") << "clicking a point clears the feedback";
  ReportValues pinned = report(81);
  pinned.known["pinned1"] = pinned.known["pinned2"] = 8.0;
  pinned.known["thread.address"] = 136.0;
  play_.answer_cell(pinned);
  play_.on_pin_changed();
  play_.reset_scene();
  EXPECT_TRUE(play_.progress().is_correct) << "a correct answer stays correct";
}

TEST_F(PlayTest, IsCompleteWhenTheLastStepAsksForNothingMore) {
  EXPECT_EQ(play_.questions(), 3u);
  play_.progress().typed = "175";
  play_.answer_number(report(81));
  EXPECT_FALSE(play_.awaits_answer());
  EXPECT_FALSE(play_.complete()) << "there are more steps";
  play_.next();
  play_.next();
  EXPECT_TRUE(play_.awaits_answer());
  EXPECT_FALSE(play_.complete());
  play_.answer_cell(report(81));
  EXPECT_NE(play_.progress().feedback, "");
  play_.show_answer(report(81));
  EXPECT_EQ(play_.progress().feedback, "") << "showing the answer clears the feedback";
  EXPECT_TRUE(play_.complete());
  EXPECT_EQ(play_.answered(), 1u) << "shown answers and skipped questions do not count";
}

TEST_F(PlayTest, WhatCannotBeJudgedSaysWhy) {
  play_.progress().typed = "many";
  play_.answer_number(report(81));
  EXPECT_EQ(play_.progress().feedback, "'many' is not a number");
  EXPECT_EQ(play_.progress().wrong, 0) << "an unreadable answer does not count as wrong";
  play_.progress().typed = "175";
  play_.answer_number({});
  EXPECT_NE(play_.progress().feedback.find("Reset"), std::string::npos) << play_.progress().feedback;
}

TEST_F(PlayTest, NumbersAreReadAsTheyAreWritten) {
  const Question& question = *play_.step().question;
  for (const char* typed : {"175", "175.0", "256 - 81", "256−81", " 1 7 5 ", "1\u00a075", "25×7", "25 x 7",
                            "3^5 - 68", "175,0", "175 threads", "175threads "})
    EXPECT_TRUE(is_right_number(question, typed, report(81))) << typed;
  for (const char* typed : {"174", "176", "0", "-175", "1750"})
    EXPECT_FALSE(is_right_number(question, typed, report(81))) << typed;
  for (const char* typed : {"", "cells", "1/0", "175 blocks", "threads", "2^70"})
    EXPECT_THROW(is_right_number(question, typed, report(81)), InputError) << typed;
  // Thousands separators: spaces, as the program writes them, or commas. A single comma may also be a decimal
  // point.
  for (const char* typed : {"262144", "262 144", "262,144", "262,144 threads", "262144,0"})
    EXPECT_TRUE(is_right_number(question, typed, report(-261888))) << typed;
  for (const char* typed : {"262,14", "26,2144", "0,262144", "262,1440"})
    EXPECT_FALSE(is_right_number(question, typed, report(-261888))) << typed;
  EXPECT_TRUE(is_right_number(question, "1,024,256", report(-1024000)));
  Question about = question;
  about.tolerance = 0.1;
  EXPECT_TRUE(is_right_number(about, "160", report(81)));
  EXPECT_FALSE(is_right_number(about, "150", report(81)));
}

TEST_F(PlayTest, WhatIsSaidOfAnAnswerIsOfTheMomentWhenItWasGiven) {
  play_.progress().typed = "175";
  EXPECT_FALSE(play_.progress().values);
  play_.answer_number(report(82));
  EXPECT_FALSE(play_.progress().values) << "a wrong answer shows no values";
  play_.answer_number(report(81));
  ASSERT_TRUE(play_.progress().values);
  EXPECT_EQ(shown_answer(*play_.step().question, *play_.progress().values),
            "threads launched − cells = 256 − 81 = 175 threads");
  EXPECT_EQ(answer_in_values(*play_.step().question, *play_.progress().values), "256 − 81 = 175 threads");
  play_.next();
  play_.show_answer(report(27));
  ASSERT_TRUE(play_.progress().values);
  EXPECT_EQ(play_.progress().values->known.at("cells"), FieldValue(27.0));
}

TEST_F(PlayTest, AChoiceIsRightByItsNumberOrItsText) {
  play_.next();
  play_.answer_choice(1, report(81));
  EXPECT_FALSE(play_.progress().is_correct);
  EXPECT_EQ(play_.progress().picked, 1u);
  play_.answer_choice(0, report(81));
  EXPECT_TRUE(play_.progress().is_correct);
  play_.answer_choice(7, report(81));
  EXPECT_EQ(play_.progress().picked, 0u) << "there is no choice 7";
  Question by_text = *play_.step().question;
  by_text.answer = Expression("cells < 100 ? \"few\" : \"many\"", kFields);
  EXPECT_EQ(right_choice(by_text, report(81)), 0u);
  EXPECT_EQ(right_choice(by_text, report(100)), 1u);
  by_text.answer = Expression("cells", kFields);
  EXPECT_THROW(right_choice(by_text, report(81)), InputError) << "81 is not one of two choices";
}

TEST_F(PlayTest, ACellIsThePinnedPoint) {
  play_.next();
  play_.next();
  play_.answer_cell(report(81));
  EXPECT_NE(play_.progress().feedback.find("Click"), std::string::npos);
  ReportValues pinned = report(81);
  pinned.known["pinned1"] = 8.0;
  pinned.known["pinned2"] = 8.0;
  pinned.known["thread.address"] = 137.0;
  play_.answer_cell(pinned);
  EXPECT_FALSE(play_.progress().is_correct);
  EXPECT_EQ(play_.progress().wrong, 1);
  pinned.known["thread.address"] = 136.0;
  play_.answer_cell(pinned);
  EXPECT_TRUE(play_.progress().is_correct);
  EXPECT_EQ(right_cell(*play_.step().question, pinned).x, 8u);
  EXPECT_THROW(right_cell(*play_.step().question, {}), InputError);
  ReportValues narrow = pinned;
  narrow.known["width"] = 7.0;
  EXPECT_THROW(right_cell(*play_.step().question, narrow), InputError) << "outside the square";
}

TEST_F(PlayTest, CodeIsRightWhenItPassedItsExercise) {
  const char* const text =
      "title = \"Code\"\nsummary = \"For tests.\"\n[[step]]\ntext = \"Write.\"\n[step.question]\n"
      "kind = \"code\"\nexercise = \"lambda\"\nask = \"Write λ.\"\nhint = \"Digits.\"\n";
  LessonSession play(parse_lesson(text, "code.toml", kFields, [](const SceneSettingList&) {}), host_);
  EXPECT_EQ(host_.now, "exercise=lambda ") << "the exercise belongs to the scene";
  ReportValues values = report(81);
  values.known["code_passed"] = 0.0;
  EXPECT_FALSE(is_right_code(*play.step().question, values));
  play.answer_code(values);
  EXPECT_TRUE(play.awaits_answer());
  EXPECT_TRUE(play.progress().hint);
  values.known["code_passed"] = 1.0;
  play.answer_code(values);
  EXPECT_TRUE(play.progress().is_correct);
  EXPECT_TRUE(play.complete());
  EXPECT_NE(shown_answer(*play.step().question, values).find("Show solution"), std::string::npos);
}

}  // namespace
}  // namespace loom::app::lessons
