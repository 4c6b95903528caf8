#include "app/lessons/lesson.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/files/toml_document.h"

namespace loom::app::lessons {
namespace {

constexpr std::size_t kMaxText = 700;
constexpr std::size_t kMaxTitle = 60;
constexpr std::size_t kMaxSummary = 120;
constexpr int kMaxMinutes = 240;
constexpr std::size_t kMaxChoice = 90;
constexpr std::size_t kMaxBytes = 1 << 20;
constexpr std::size_t kMaxWords = 64;  ///< settings of a scene

/// Joins the lines of each paragraph. Paragraphs are separated by an empty line.
std::string joined(std::string_view text) {
  std::string result;
  std::size_t breaks = 0;
  for (const char letter : text) {
    if (letter == '\n') {
      ++breaks;
    } else if (letter != '\r' && !(breaks > 0 && letter == ' ')) {
      if (breaks > 0 && !result.empty()) result += breaks > 1 ? "\n" : " ";
      breaks = 0;
      result += letter;
    }
  }
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

class LessonReader : TomlReader {
 public:
  LessonReader(std::string file, const ReportFields& fields, const CheckScene& check_scene)
      : TomlReader(std::move(file)), fields_(fields), check_scene_(check_scene) {}

  Lesson read(const toml::table& document) const {
    allow(document, {"title", "summary", "minutes", "short_course", "scene", "step"}, "a lesson");
    Lesson lesson;
    lesson.file = file();
    lesson.title = needed_text(document, "title", kMaxTitle, "a lesson").text.source();
    lesson.summary = optional_text(document, "summary", kMaxSummary).text.source();
    if (const toml::node* const node = document.get("minutes")) {
      lesson.minutes = node->is_integer() ? node->value_or(0) : 0;
      if (lesson.minutes < 1 || lesson.minutes > kMaxMinutes)
        fail(*node, fmt::format("minutes is not allowed; allowed: a whole number from 1 to {}", kMaxMinutes));
    }
    lesson.in_short_course = flag(document, "short_course", false);
    const SceneSettingList common = scene_of(document);
    const toml::array* steps = document["step"].as_array();
    if (steps == nullptr || steps->empty())
      fail(1, fmt::format("no [[step]] table; allowed: 1 to {}", kMaxSteps));
    for (const toml::node& node : *steps) {
      if (!node.is_table()) fail(node, "the step is not a table; allowed: [[step]] tables");
      if (lesson.steps.size() == kMaxSteps)
        fail(node, fmt::format("too many steps; allowed: 1 to {}", kMaxSteps));
      lesson.steps.push_back(read_step(*node.as_table(), common));
    }
    return lesson;
  }

 private:
  LessonText text_of(const toml::node& node, std::string_view key, std::size_t most) const {
    const auto text = node.value_exact<std::string>();
    std::string shown = text ? joined(*text) : std::string();
    if (!text || shown.empty() || shown.size() > most) {
      fail(node, fmt::format("{} is not allowed; allowed: a text of 1 to {} bytes", key, most));
    }
    return read_at(node, [&] { return LessonText{TextTemplate(std::move(shown), fields_), line_of(node)}; });
  }

  LessonText optional_text(const toml::table& table, std::string_view key, std::size_t most) const {
    const toml::node* node = table.get(key);
    return node == nullptr ? LessonText{} : text_of(*node, key, most);
  }

  LessonText needed_text(const toml::table& table, std::string_view key, std::size_t most,
                         std::string_view where) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) {
      fail(table, fmt::format("{} without {}; allowed: a text of 1 to {} bytes", where, key, most));
    }
    return text_of(*node, key, most);
  }

  // The value as it would be given on the command line.
  std::optional<std::string> typed(const toml::node& node, std::string_view key) const {
    if (const auto text = node.value_exact<std::string>()) return *text;
    if (const auto whole = node.value_exact<std::int64_t>()) return fmt::format("{}", *whole);
    if (const auto real = node.value_exact<double>()) return fmt::format("{}", *real);
    if (const toml::array* array = node.as_array()) {
      std::vector<std::string> parts;
      for (const toml::node& part : *array) {
        if (!part.is_number()) {
          fail(part, fmt::format("{} contains a value that is not a number; allowed: numbers", key));
        }
        parts.push_back(*typed(part, key));
      }
      return fmt::format("{}", fmt::join(parts, ","));
    }
    fail(node, fmt::format("{} is not allowed; allowed: a text, a number, true or false, or an array of "
                           "numbers",
                           key));
  }

  SceneSettingList scene_of(const toml::table& table) const {
    SceneSettingList scene;
    const toml::node* node = table.get("scene");
    if (node == nullptr) return scene;
    if (!node->is_table()) fail(*node, "scene is not a table; allowed: a table of options");
    scene.line = line_of(*node);
    if (node->as_table()->size() > kMaxWords)
      fail(*node,
           fmt::format("a scene with {} options; allowed: up to {}", node->as_table()->size(), kMaxWords));
    for (const auto& [key, value] : *node->as_table()) {
      SceneSetting word{std::string(key.str()), {}, key.source().begin.line};
      const auto truth = value.value_exact<bool>();
      if (truth && !*truth) {
        word.value = "false";
      } else if (!truth) {
        word.value = typed(value, key.str());
      }
      scene.entries.push_back(std::move(word));
    }
    std::ranges::stable_sort(scene.entries, {}, &SceneSetting::line);
    return scene;
  }

  static SceneSettingList over(const SceneSettingList& common, const SceneSettingList& own,
                               std::size_t line) {
    SceneSettingList scene = common;
    scene.line = own.line > 0 ? own.line : line;
    for (const SceneSetting& word : own.entries) {
      std::erase_if(scene.entries, [&](const SceneSetting& other) { return other.key == word.key; });
      scene.entries.push_back(word);
    }
    // "false" removes a flag.
    std::erase_if(scene.entries, [](const SceneSetting& word) { return word.value == "false"; });
    return scene;
  }

  // Reports the line of the setting without which the scene would be valid.
  void check(const SceneSettingList& scene) const {
    try {
      check_scene_(scene);
    } catch (const InputError& error) {
      std::vector<std::size_t> suspects;
      for (std::size_t i = 0; i < scene.entries.size(); ++i) {
        try {
          check_scene_(without(scene, i));
          suspects.push_back(i);
        } catch (const InputError&) {
        }
      }
      // Of several settings, the one that the message names first.
      std::size_t line = scene.line;
      std::size_t first = std::string::npos;
      for (const std::size_t suspect : suspects) {
        const SceneSetting& word = scene.entries[suspect];
        const std::size_t named = std::string_view(error.what()).find(word.key);
        if (line == scene.line || named < first) line = word.line;
        first = std::min(first, named);
      }
      fail(line, error.what());
    }
  }

  LessonStep read_step(const toml::table& table, const SceneSettingList& common) const {
    allow(table, {"title", "text", "scene", "highlight", "hide", "question"}, "a step");
    LessonStep step;
    step.line = line_of(table);
    step.title = optional_text(table, "title", kMaxTitle).text.source();
    step.text = needed_text(table, "text", kMaxText, "a step");
    step.scene = over(common, scene_of(table), step.line);
    add_exercise(table, step.scene);
    check(step.scene);
    if (const toml::node* node = table.get("highlight")) {
      step.highlight_line = line_of(*node);
      step.highlight = read_at(*node, [&] { return parse_control(node->value_or(std::string("?"))); });
    }
    if (const toml::node* node = table.get("hide")) {
      if (node->value_or(std::string()) != name_of(Control::kLambda))
        fail(*node, "'hide' names something that cannot be hidden; allowed: \"lambda\"");
      if (table.get("question") == nullptr)
        fail(*node, "'hide' in a step without a question; allowed: a step with [step.question]");
      step.hide = Control::kLambda;
    }
    if (const toml::node* node = table.get("question")) {
      if (!node->is_table()) fail(*node, "question is not a table; allowed: a table [step.question]");
      step.question = read_question(*node->as_table());
    }
    return step;
  }

  // The exercise of a question for code is a part of the scene.
  static void add_exercise(const toml::table& step, SceneSettingList& scene) {
    const toml::node_view<const toml::node> question = step["question"];
    const auto name = question["exercise"].value_exact<std::string>();
    if (name) scene.entries.push_back({"exercise", *name, line_of(*question["exercise"].node())});
  }

  Question::Kind kind_of(const toml::table& table) const {
    const toml::node* node = table.get("kind");
    const std::string name = node == nullptr ? "" : node->value_or(std::string());
    if (name == "number") return Question::Kind::kNumber;
    if (name == "choice") return Question::Kind::kChoice;
    if (name == "cell") return Question::Kind::kCell;
    if (name == "code") return Question::Kind::kCode;
    fail(node == nullptr ? table : *node,
         fmt::format("unknown kind of question '{}'; allowed: number, choice, cell, code", shown(name)));
  }

  Expression expression(const toml::table& table, std::string_view key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) fail(table, fmt::format("a question without {}; allowed: an expression", key));
    const auto text = node->value_exact<std::string>();
    if (!text) fail(*node, fmt::format("{} is not allowed; allowed: an expression in quotation marks", key));
    return read_at(*node, [&] { return Expression(*text, fields_); });
  }

  void read_answer(const toml::table& table, Question& question) const {
    question.answer = expression(table, "answer");
    const Expression& answer = question.answer;
    question.answer_line = line_of(*table.get("answer"));
    const auto refuse = [&](const char* why) {
      fail(question.answer_line, fmt::format("the answer '{}' {}", answer.text(), why));
    };
    if (answer.fields().empty()) refuse("is constant; allowed: an expression with a field of the report");
    if (question.kind == Question::Kind::kNumber && !answer.gives_number())
      refuse("is not a number; allowed: a number");
    if (question.kind == Question::Kind::kCell && !answer.gives_boolean())
      refuse("is neither true nor false; allowed: a condition on the pinned point");
    if (question.kind == Question::Kind::kChoice && answer.gives_boolean())
      refuse("does not give a choice; allowed: the number of a choice, from 1, or its text");
  }

  void read_choices(const toml::table& table, Question& question) const {
    const toml::array* choices = table["choices"].as_array();
    const toml::node* node = table.get("choices");
    if (choices == nullptr || choices->size() < 2 || choices->size() > kMaxChoices) {
      fail(node == nullptr ? table : *node,
           fmt::format("choices are not allowed; allowed: an array of 2 to {} texts", kMaxChoices));
    }
    for (const toml::node& choice : *choices)
      question.choices.push_back(text_of(choice, "a choice", kMaxChoice));
  }

  void read_cell(const toml::table& table, Question& question) const {
    const toml::node* node = table.get("cell");
    const toml::array* pair = node == nullptr ? nullptr : node->as_array();
    if (pair == nullptr || pair->size() != 2) {
      fail(node == nullptr ? table : *node,
           "cell is not allowed; allowed: two expressions, the x and y of one correct point");
    }
    question.cell_line = line_of(*node);
    const auto one = [&](std::size_t i) {
      const auto text = pair->get(i)->value_exact<std::string>();
      try {
        if (text) {
          if (Expression coordinate(*text, fields_); coordinate.gives_number()) return coordinate;
        }
        throw InputError("cell is not allowed; allowed: two expressions that give numbers");
      } catch (const InputError& error) {
        fail(question.cell_line, error.what());
      }
    };
    question.cell_x = one(0);
    question.cell_y = one(1);
  }

  Question read_question(const toml::table& table) const {
    Question question;
    question.line = line_of(table);
    question.kind = kind_of(table);
    switch (question.kind) {
      case Question::Kind::kNumber:
        allow(table, {"kind", "ask", "answer", "tolerance", "unit", "hint", "after"},
              "a question for a number");
        question.unit = optional_text(table, "unit", kMaxTitle).text.source();
        if (const toml::node* node = table.get("tolerance")) {
          question.tolerance = node->is_number() ? node->value_or(-1.0) : -1.0;
          if (!(question.tolerance >= 0 && question.tolerance <= 0.5))
            fail(*node, "tolerance is not allowed; allowed: a number from 0 to 0.5, relative to the answer");
        }
        break;
      case Question::Kind::kChoice:
        allow(table, {"kind", "ask", "answer", "choices", "shown", "hint", "after"},
              "a question with choices");
        read_choices(table, question);
        if (table.get("shown") != nullptr) question.shown = expression(table, "shown");
        break;
      case Question::Kind::kCell:
        allow(table, {"kind", "ask", "answer", "cell", "hint", "after"}, "a question for a cell");
        read_cell(table, question);
        break;
      case Question::Kind::kCode:
        allow(table, {"kind", "ask", "exercise", "hint", "after"}, "a question for code");
        if (!table["exercise"].is_string())
          fail(table, "a question for code without exercise; allowed: the name of an exercise, or a file");
        question.answer = Expression("code_passed == 1", fields_);
        question.answer_line = question.line;
        break;
    }
    question.ask = needed_text(table, "ask", kMaxText, "a question");
    question.hint = needed_text(table, "hint", kMaxText, "a question");
    question.after = optional_text(table, "after", kMaxText);
    if (question.kind != Question::Kind::kCode) read_answer(table, question);
    return question;
  }

  const ReportFields& fields_;
  const CheckScene& check_scene_;
};

}  // namespace

Lesson parse_lesson(std::string_view text, const std::string& file, const ReportFields& fields,
                    const CheckScene& check_scene) {
  return LessonReader(file, fields, check_scene)
      .read(parse_toml(text, file, "title, summary, [scene], [[step]] tables"));
}

Lesson read_lesson_file(const std::string& path, const ReportFields& fields, const CheckScene& check_scene) {
  return parse_lesson(
      read_input(
          path, kMaxBytes,
          fmt::format("the name of a bundled lesson (fractal-loom lesson --list) or a TOML file of up to {} "
                      "bytes",
                      kMaxBytes)),
      path, fields, check_scene);
}

InputError at_line(const Lesson& lesson, std::size_t line, std::string_view what) {
  return InputError(fmt::format("{}:{}: {}", lesson.file, line, what));
}

SceneSettingList without(const SceneSettingList& scene, std::size_t word) {
  SceneSettingList rest = scene;
  rest.entries.erase(rest.entries.begin() + static_cast<std::ptrdiff_t>(word));
  return rest;
}

}  // namespace loom::app::lessons
