#include "app/lessons/lesson.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/options/options.h"
#include "app/files/file_kind.h"
#include "app/files/json_reader.h"
#include "app/files/output_file.h"
#include "app/files/state_folder.h"
#include "app/plot/diagram_file.h"
#include "app/program/lesson_check.h"
#include "app/program/workspace_formats.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

struct LessonOptions {
  std::vector<std::string> lessons;
  bool check = false;
  bool list = false;
  bool print = false;
  bool fields = false;
  bool controls = false;
  std::string handout;
  std::string scores;
  bool solutions = false;
  bool json = false;
};

std::string_view name_of(ReportField::Kind kind) {
  static constexpr std::array<std::string_view, 3> kNames = {"number", "true or false", "text"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// A list as a member of an object, or as text.
void print_list(bool as_json, const char* key, const nlohmann::ordered_json& list, const std::string& text) {
  fmt::print("{}", as_json ? json_text(nlohmann::ordered_json{{key, list}}) + "\n" : text);
}

void print_lessons(bool as_json) {
  TextTable table({"name", "title", "steps", "minutes"});
  auto json = nlohmann::ordered_json::array();
  for (const lessons::BundledLesson& one : lessons::bundled_lessons()) {
    const lessons::Lesson lesson = load_lesson(std::string(one.name));
    table.add(
        {lesson.name, lesson.title, std::to_string(lesson.steps.size()), std::to_string(lesson.minutes)});
    json.push_back({{"name", lesson.name},
                    {"title", lesson.title},
                    {"summary", lesson.summary},
                    {"steps", lesson.steps.size()},
                    {"minutes", lesson.minutes},
                    {"short_course", lesson.in_short_course}});
  }
  print_list(as_json, "lessons", json, table.text());
}

void print_fields(bool as_json) {
  TextTable table({"field", "kind", "meaning"});
  auto json = nlohmann::ordered_json::array();
  for (const ReportField& field : report_fields()) {
    table.add({field.name, std::string(name_of(field.kind)), field.meaning});
    json.push_back({{"name", field.name}, {"kind", name_of(field.kind)}, {"meaning", field.meaning}});
  }
  print_list(as_json, "fields", json, table.text());
}

void print_controls(bool as_json) {
  auto json = nlohmann::ordered_json::array();
  std::string text;
  for (const Control control : kControls) {
    json.push_back(app::name_of(control));
    text += fmt::format("{}\n", app::name_of(control));
  }
  print_list(as_json, "controls", json, text);
}

void print_texts(const std::vector<std::string>& names, bool as_json) {
  auto json = nlohmann::ordered_json::array();
  std::string text;
  for (const std::string& name : names) {
    load_lesson(name);  // throws for unknown names
    for (const lessons::BundledLesson& one : lessons::bundled_lessons()) {
      if (one.name != name) continue;
      json.push_back({{"name", one.name}, {"text", one.text}});
      text += one.text;
    }
  }
  print_list(as_json, "lessons", json, text);
}

std::vector<std::string> bundled_names() {
  std::vector<std::string> names;
  for (const lessons::BundledLesson& one : lessons::bundled_lessons()) names.emplace_back(one.name);
  return names;
}

int check(const LessonOptions& options) {
  set_passive_omp_wait();
  auto json = nlohmann::ordered_json::array();
  for (const std::string& name : options.lessons.empty() ? bundled_names() : options.lessons) {
    const lessons::Lesson lesson = load_lesson(name);
    const std::vector<LessonStepResult> steps = check_lesson(lesson);
    auto answers = nlohmann::ordered_json::array();
    if (!options.json) fmt::print("{}: {}, {} steps\n", name, lesson.title, steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      answers.push_back({{"title", steps[i].title}, {"answer", nullptr}});
      if (steps[i].answer.empty()) continue;
      answers.back()["answer"] = steps[i].answer;
      if (!options.json) fmt::print("  {}. {}\n", i + 1, steps[i].answer);
    }
    json.push_back({{"name", name}, {"title", lesson.title}, {"steps", answers}});
  }
  if (options.json) fmt::print("{}\n", json_text(nlohmann::ordered_json{{"lessons", json}}));
  return 0;
}

plot::Handout handout_of(const lessons::Lesson& lesson, const std::vector<LessonStepResult>& steps,
                         bool solutions) {
  plot::Handout handout{.title = lesson.title, .summary = lesson.summary, .steps = {}};
  for (const LessonStepResult& step : steps) {
    plot::HandoutStep on_paper{.title = step.title,
                               .text = step.text,
                               .width = step.image.size.x,
                               .height = step.image.size.y,
                               .rgb = step.image.rgb,
                               .question = step.question,
                               .choices = step.choices,
                               .unit = step.unit,
                               .solution = {}};
    if (solutions && !step.answer.empty())
      on_paper.solution = step.answer + (step.after.empty() ? "" : ". " + step.after);
    handout.steps.push_back(std::move(on_paper));
  }
  return handout;
}

// One row per question, with an empty score for the teacher.
std::string score_sheet(const std::string& name, const std::vector<LessonStepResult>& steps) {
  std::string csv = "lesson,step,title,question,answer,points,score\n";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].question.empty()) continue;
    csv += fmt::format("{},{},{},{},{},1,\n", csv_cell(name), i + 1, csv_cell(steps[i].title),
                       csv_cell(steps[i].question), csv_cell(steps[i].answer));
  }
  return csv;
}

// Writes the handout and the score sheet of one lesson.
int write_papers(const LessonOptions& options) {
  if (options.lessons.size() != 1) {
    throw InputError(
        fmt::format("lesson: --handout and --scores take one lesson, not {}; allowed: one of {}, or "
                    "a file",
                    options.lessons.size(), fmt::join(bundled_names(), ", ")));
  }
  const auto check_output = [](const char* option, const std::string& file, const char* ending) {
    if (file.empty()) return;
    if (lower_extension(file) != ending)
      throw InputError(fmt::format("{}: '{}' has another ending; allowed: {}", option, file, ending));
    check_can_be_written(option, file);
  };
  check_output("--handout", options.handout, ".pdf");
  check_output("--scores", options.scores, ".csv");
  set_passive_omp_wait();
  disable_state_folders();
  const lessons::Lesson lesson = load_lesson(options.lessons.front());
  const std::vector<LessonStepResult> steps = check_lesson(lesson, !options.handout.empty());
  nlohmann::ordered_json json{{"lesson", options.lessons.front()}, {"steps", steps.size()}};
  std::vector<std::pair<std::filesystem::path, std::string>> papers;
  if (!options.handout.empty()) {
    papers.emplace_back(options.handout, plot::handout_pdf(handout_of(lesson, steps, options.solutions)));
    json["handout"] = options.handout;
  }
  if (!options.scores.empty()) {
    papers.emplace_back(options.scores, score_sheet(options.lessons.front(), steps));
    json["scores"] = options.scores;
  }
  write_files(papers);
  if (options.json) {
    fmt::print("{}\n", json_text(json));
  } else {
    if (!options.handout.empty())
      fmt::print("{}: {}, {} steps\n", options.handout, lesson.title, steps.size());
    if (!options.scores.empty()) fmt::print("{}: score sheet\n", options.scores);
  }
  return 0;
}

int lesson(const LessonOptions& options, const CLI::App& command) {
  const bool papers = !options.handout.empty() || !options.scores.empty();
  const int asked = options.check + options.list + options.print + options.fields + options.controls + papers;
  if (asked != 1) {
    throw InputError(
        "lesson: only one of these options; allowed: --list, --check, --print, --fields, --controls, or "
        "--handout with --scores");
  }
  require_effect(command, {{"lessons", options.check || options.print || papers,
                            "with --check, --print, --handout or --scores"},
                           {"--solutions", !options.handout.empty(), "with --handout"}});
  if (papers) return write_papers(options);
  if (options.list) print_lessons(options.json);
  if (options.fields) print_fields(options.json);
  if (options.controls) print_controls(options.json);
  if (options.print) print_texts(options.lessons, options.json);
  return options.check ? check(options) : 0;
}

}  // namespace

Action add_lesson(CLI::App& command) {
  auto options = std::make_shared<LessonOptions>();
  command.description("List, check or print lessons; view --lesson plays one");
  add_text(command, "lessons", options->lessons, "NAME|FILE",
           "Names of bundled lessons, or files (all bundled lessons by default)");
  command.add_flag("--list", options->list, "List the bundled lessons");
  command.add_flag(
      "--check", options->check,
      "Play lessons off screen: every scene loads, every highlight exists, every answer evaluates");
  command.add_flag("--print", options->print, "Print the files of bundled lessons, as templates");
  command.add_flag("--fields", options->fields, "List the fields that expressions may use");
  command.add_flag("--controls", options->controls, "List the controls that a lesson may highlight");
  add_output_file(command, "--handout", options->handout,
                  "Write a PDF of one lesson for students: texts, pictures, questions with room for answers",
                  "FILE.pdf");
  command.add_flag("--solutions", options->solutions, "Print the answers in the handout");
  add_output_file(command, "--scores", options->scores,
                  "Write a score sheet of one lesson: a row per question with its answer", "FILE.csv");
  command.add_flag("--json", options->json, "Print one JSON object and nothing else on standard output");
  return [options, &command] { return lesson(*options, command); };
}

}  // namespace loom::app
