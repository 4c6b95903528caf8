#pragma once

#include <string>

#include "app/lessons/lesson.h"

namespace loom::app::lessons {

/// Fields that the tests' lessons may use.
inline const ReportFields kFields = [] {
  using Kind = ReportField::Kind;
  ReportFields fields = {{"workspace", Kind::kText, ""},
                         {"map", Kind::kText, ""},
                         {"playing", Kind::kBoolean, ""},
                         {"thread.works", Kind::kBoolean, ""},
                         {"pane#.map", Kind::kText, ""}};
  for (const char* number :
       {"cells", "width", "height", "points", "density", "population", "tiles_launched", "threads_launched",
        "bytes_held", "step_ms", "code_passed", "thread.address", "thread.level#.digit",
        "pane#.threads_launched", "pane#.cells_that_differ", "pane#.thread.line"})
    fields.push_back({number, Kind::kNumber, ""});
  return fields;
}();

/// A lesson with a question of each kind. Line numbers matter to the tests.
inline const std::string kLessonText = R"(title = "Three questions"
summary = "For tests."
[scene]
level = 4
map = "bounding-box"
[[step]]
title = "First"
text = """
There are {=cells} cells
in the square.

A new paragraph."""
highlight = "map"
[step.question]
kind = "number"
ask = "How many threads idle?"
answer = "threads_launched - cells"
unit = "threads"
hint = "Subtract."
after = "Most of them."
[[step]]
text = "Look."
[step.scene]
level = 5
view = [-0.75, 0.1, 0.5]
model = true
[step.question]
kind = "choice"
ask = "Which?"
choices = ["few", "many"]
answer = "cells < 100 ? 1 : 2"
hint = "Count."
[[step]]
text = "Click."
[step.question]
kind = "cell"
ask = "Where is the byte 136?"
answer = "thread.address == 136"
cell = ["width - 8", "8"]
hint = "Row by row."
)";

inline Lesson three_questions() {
  return parse_lesson(kLessonText, "three.toml", kFields, [](const SceneSettingList&) {});
}

}  // namespace loom::app::lessons
