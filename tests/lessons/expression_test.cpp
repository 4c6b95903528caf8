#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/lessons/lesson.h"
#include "lesson_text.h"

namespace loom::app::lessons {
namespace {

ReportValues report() {
  return values_of_report(nlohmann::ordered_json::parse(R"({
    "map": "lambda", "cells": 81, "threads_launched": 256, "playing": false, "bytes_held": 512, "points": 3.5,
    "population": null, "level": 4, "step_ms": 0.25, "density": 0,
    "explained": {"address": 136, "works": true, "level2": {"digit": 2}},
    "pinned": [3, 14], "tiles_launched": 9007199254740993,
    "panes_beside": [{"map": "bounding-box", "threads_launched": 1024, "explained": {"line": 7}},
                     {"threads_launched": 81}]})"));
}

double number(const std::string& text) {
  return std::get<double>(Expression(text, kFields).value(report()));
}
bool truth(const std::string& text) {
  return std::get<bool>(Expression(text, kFields).value(report()));
}

std::string complaint(const std::string& text, const ReportFields& fields = kFields) {
  try {
    Expression(text, fields).value(report());
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(Expression, ReadsTheReportByTheNamesOfItsFields) {
  EXPECT_EQ(number("threads_launched - cells"), 175);
  EXPECT_EQ(number("pane2.threads_launched / pane3.threads_launched * 81"), 1024);
  EXPECT_EQ(number("thread.level2.digit + thread.address"), 138);
  EXPECT_EQ(number("pane2.thread.line"), 7);
  EXPECT_TRUE(truth("map == \"lambda\" and thread.works"));
  EXPECT_FALSE(truth("not(thread.works) or playing"));
  EXPECT_EQ(std::get<std::string>(Expression("cells < 100 ? \"few\" : \"many\"", kFields).value(report())),
            "few");
}

TEST(Expression, HasTheFunctionsThatLambdaNeeds) {
  EXPECT_EQ(number("mod(floor(cells / 3^2), 3)"), 0);
  EXPECT_EQ(number("mod(cells, 2) + round(points)"), 5);
  EXPECT_EQ(number("mod(0 - cells, 4)"), 3) << "mod is never negative";
  EXPECT_EQ(number("2^53 - 1 - (2^53 - cells)"), 80) << "exact for whole numbers up to 2^53";
}

TEST(Expression, AnUnknownFieldNamesThoseThatThereAre) {
  EXPECT_NE(complaint("cels + 1").find("unknown field 'cels'; allowed: workspace, map"), std::string::npos);
  const std::string of_thread = complaint("thread.adress");
  EXPECT_NE(of_thread.find("thread.address"), std::string::npos) << of_thread;
  EXPECT_EQ(of_thread.find("threads_launched"), std::string::npos)
      << "only fields of the same group are listed:" << of_thread;
  EXPECT_NE(complaint("pane2.mapp").find("pane#.map"), std::string::npos);
  EXPECT_EQ(complaint("pane.map").find("none"), std::string::npos);
}

TEST(Expression, WhatIsNoExpressionIsAnsweredBeforeItIsEvaluated) {
  for (const char* text : {"", "1 +", "(cells", "cells cells", "map + 1", "cells and true", "foo(cells)",
                           "\"open", "cells = 3", "{1, 2}", "cells # 2", "playing + 1", "cells ? 1 : 2"}) {
    try {
      Expression expression(text, kFields);
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("does not evaluate"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("allowed: "), std::string::npos) << error.what();
    }
  }
}

TEST(Expression, AValueThatIsNotThereIsNoNumber) {
  EXPECT_THROW(Expression("population + 1", kFields).value(report()), MissingField) << "population is null";
  EXPECT_THROW(Expression("pane4.cells_that_differ", kFields).value(report()), MissingField)
      << "there is no pane 4";
  EXPECT_NE(complaint("cells / density").find("no finite value"), std::string::npos);
  EXPECT_NE(complaint("tiles_launched").find("beyond 2^53"), std::string::npos);
  EXPECT_NE(complaint("cells * 2^53").find("beyond 2^53"), std::string::npos);
}

TEST(Expression, AStudentTypesNumbersOnly) {
  EXPECT_EQ(std::get<double>(Expression("3^4 - 1", {}).value({})), 80);
  EXPECT_EQ(complaint("cells", {}), "'cells' is not a number");
  EXPECT_NE(complaint("4..5", {}), "none");
}

TEST(Expression, ShowsHowItsValueComesAbout) {
  const Expression expression("threads_launched - 2 * cells", kFields);
  EXPECT_EQ(expression.pretty(), "threads launched − 2 × cells");
  EXPECT_EQ(expression.with_values(report()), "256 − 2 × 81");
  EXPECT_EQ(expression.fields(), (std::vector<std::string>{"threads_launched", "cells"}));
}

TEST(Expression, NamesLevelsAndAxesInWords) {
  ReportFields fields(3);
  fields[0].name = "thread.level#.offset_x";
  fields[1].name = "thread.level#.width";
  fields[2].name = "thread.place_y";
  EXPECT_EQ(Expression("thread.level3.offset_x * thread.level3.width + thread.place_y", fields).pretty(),
            "offset of level 3 in x × width of level 3 + place in y");
}

TEST(TextTemplate, PutsValuesIn) {
  EXPECT_EQ(
      TextTemplate("{=cells} of {=threads_launched}: {%=cells / threads_launched}", kFields).with(report()),
      "81 of 256: 31.6 %");
  EXPECT_EQ(TextTemplate("{B=bytes_held}, {ms=step_ms}, {=map}, {=points}", kFields).with(report()),
            "512 B, 0.250 ms, lambda, 3.5");
  EXPECT_EQ(TextTemplate("so far {=population}", kFields).with(report()), "so far …");
  EXPECT_THROW(TextTemplate("so far {=population}", kFields).check(report()), MissingField);
  for (const char* text : {"{=cells", "{cells}", "}", "{=}", "{=nothing}"})
    EXPECT_THROW(TextTemplate(text, kFields), InputError) << text;
}

TEST(ReportFields, AreFoundByNamesWithNumbersInPlaceOfSigns) {
  EXPECT_EQ(find_report_field(kFields, "thread.level12.digit")->name, "thread.level#.digit");
  for (const char* name : {"pane.map", "pane2.mapx", "pane2.ma", ""})
    EXPECT_EQ(find_report_field(kFields, name), nullptr) << name;
}

}  // namespace
}  // namespace loom::app::lessons
