// The values that the workspaces report for lessons.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/lessons/lesson.h"
#include "app/program/workspace_formats.h"

namespace loom::app {
namespace {

struct Source {
  std::optional<double> number;
  std::string text;
};
constexpr ReportValue<Source> kRows[] = {
    {"number", "half of it", [](auto& source) { return source.number; }},
    {"known", "whether there is one", [](auto& source) { return source.number.has_value(); }},
    {"text", "its text", [](auto& source) { return source.text; }},
    {"setting", "written elsewhere", ReportField::Kind::kNumber},
};

TEST(ReportValues, AreMembersOfTheReportAndFieldsOfLessons) {
  nlohmann::ordered_json json;
  const Source source{0.5, "a"};
  add_values(json, kRows, &source);
  EXPECT_EQ(json, nlohmann::ordered_json::parse(R"({"number": 0.5, "known": true, "text": "a"})"));
  const Source empty;
  add_values(json, kRows, &empty);
  EXPECT_EQ(json, nlohmann::ordered_json::parse(R"({"number": null, "known": false, "text": ""})"));
  add_values(json, kRows, nullptr);
  EXPECT_EQ(json, nlohmann::ordered_json::parse(R"({"number": null, "known": null, "text": null})"));
  ReportFields fields;
  add_fields(fields, "of.", kRows);
  ASSERT_EQ(fields.size(), 4u);
  EXPECT_EQ(fields[0].name, "of.number");
  EXPECT_EQ(fields[0].meaning, "half of it");
  EXPECT_EQ(fields[0].kind, ReportField::Kind::kNumber);
  EXPECT_EQ(fields[1].kind, ReportField::Kind::kBoolean);
  EXPECT_EQ(fields[2].kind, ReportField::Kind::kText);
  EXPECT_EQ(fields[3].kind, ReportField::Kind::kNumber);
}

TEST(ReportFields, HaveNamesOfTheirOwn) {
  const ReportFields all = report_fields();
  for (const ReportField& field : all) {
    std::string name = field.name;
    for (std::size_t at = name.find('#'); at != std::string::npos; at = name.find('#')) name[at] = '2';
    EXPECT_EQ(lessons::find_report_field(all, name), &field) << name;
  }
}

TEST(BundledLessons, AreAClassOfTenOrMoreWithNamesOfTheirOwn) {
  std::vector<std::string> names;
  using namespace lessons;
  for (const BundledLesson& bundled : bundled_lessons()) {
    const Lesson lesson =
        find_lesson(std::string(bundled.name), report_fields(), [](const SceneSettingList&) {});
    EXPECT_EQ(lesson.name, bundled.name);
    EXPECT_FALSE(lesson.is_file());
    EXPECT_FALSE(lesson.summary.empty()) << bundled.name;
    EXPECT_GE(lesson.steps.size(), 3u) << bundled.name;
    int questions = 0;
    for (const LessonStep& step : lesson.steps) questions += step.question.has_value();
    EXPECT_GE(questions, 2) << bundled.name;
    EXPECT_EQ(std::count(names.begin(), names.end(), bundled.name), 0) << bundled.name;
    names.emplace_back(bundled.name);
  }
  EXPECT_GE(names.size(), 10u);
}

}  // namespace
}  // namespace loom::app
