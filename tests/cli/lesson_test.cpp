#include "app/lessons/lesson.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "program.h"

namespace loom::test {
namespace {

using namespace loom::app::lessons;

/// A temporary lesson file, removed by the destructor.
class LessonFile {
 public:
  explicit LessonFile(const std::string& text)
      : path_(testing::TempDir() + "lesson." + std::to_string(getpid())) {
    std::ofstream(path_) << text;
  }
  ~LessonFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// One test per lesson, so that they can run in parallel.
class BundledLessonTest : public testing::TestWithParam<std::string> {};

TEST_P(BundledLessonTest, PlaysInTheProgram) {
  const Outcome outcome = run_program({"lesson", "--check", GetParam(), "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto lesson = outcome.json().at("lessons").at(0);
  EXPECT_EQ(lesson.at("name"), GetParam());
  // A step without a question has no answer; every question has one.
  int answers = 0;
  for (const auto& step : lesson.at("steps")) {
    EXPECT_TRUE(step.at("answer").is_string() || step.at("answer").is_null()) << step;
    answers += step.at("answer").is_string() ? 1 : 0;
  }
  EXPECT_GE(answers, 2);
}

std::vector<std::string> bundled_names() {
  std::vector<std::string> names;
  for (const BundledLesson& lesson : bundled_lessons()) names.emplace_back(lesson.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, BundledLessonTest, testing::ValuesIn(bundled_names()), [](const auto& one) {
  std::string name = one.param;
  for (char& letter : name) letter = letter == '-' ? '_' : letter;
  return name;
});

TEST(Lesson, ListsThoseThatComeWithTheProgram) {
  const Outcome outcome = run_program(words("lesson --list --json"));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto lessons = outcome.json().at("lessons");
  EXPECT_EQ(lessons.size(), bundled_lessons().size());
  EXPECT_GE(lessons.size(), 10u);
  EXPECT_NE(run_program(words("lesson --list")).out.find("bounding-box"), std::string::npos);
  const Outcome printed = run_program(words("lesson --print lambda"));
  LessonFile copy(printed.out);
  EXPECT_EQ(run_program({"lesson", "--check", copy.path()}).status, 0)
      << "the printed text must be a valid lesson";
}

TEST(Lesson, WritesAHandoutAndAScoreSheet) {
  const std::string folder = testing::TempDir();
  const std::string plain = folder + "handout.pdf";
  const std::string solved = folder + "solutions.pdf";
  const std::string scores = folder + "scores.csv";
  ASSERT_EQ(run_program({"lesson", "bounding-box", "--handout", plain, "--scores", scores}).status, 0);
  ASSERT_EQ(run_program({"lesson", "bounding-box", "--handout", solved, "--solutions"}).status, 0);
  const auto bytes = [](const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  EXPECT_TRUE(bytes(plain).starts_with("%PDF"));
  EXPECT_NE(bytes(plain).size(), bytes(solved).size());
  // Newer versions of Cairo compress the number of pages.
  const auto pages = [&](const std::string& path) {
    const std::string pdf = bytes(path);
    const std::size_t at = pdf.find("/Count ");
    return at == std::string::npos ? 0 : std::stoi(pdf.substr(at + 7));
  };
  EXPECT_LE(pages(plain), 1) << "four steps beside their pictures fill a page";
  EXPECT_LE(pages(solved), 2);
  const std::string rows = bytes(scores);
  EXPECT_TRUE(rows.starts_with("lesson,step,title,question,answer,points,score\n")) << rows;
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 5) << "a header and four questions";
  EXPECT_NE(rows.find("= 256"), std::string::npos) << rows;
  for (const std::string& path : {plain, solved, scores}) std::remove(path.c_str());
}

TEST(Lesson, SaysWhatAHandoutNeeds) {
  const auto refused = [](const std::vector<std::string>& arguments, const char* said) {
    const Outcome outcome = run_program(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.err.find(said), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  };
  refused({"lesson", "--handout", "a.pdf"}, "allowed: one of bounding-box");
  refused({"lesson", "lambda", "--handout", "a.txt"}, "allowed: .pdf");
  refused({"lesson", "lambda", "--scores", "a.txt"}, "allowed: .csv");
  refused({"lesson", "lambda", "--check", "--solutions"}, "allowed: with --handout");
  refused({"lesson", "nothing", "--handout", "a.pdf"}, "nothing");
}

/// The fields that the program lists.
app::ReportFields program_fields() {
  const Outcome outcome = run_program(words("lesson --fields --json"));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  app::ReportFields fields;
  const nlohmann::json listed = outcome.json();
  for (const auto& field : listed.at("fields")) {
    const std::string kind = field.at("kind");
    using Kind = app::ReportField::Kind;
    fields.push_back({field.at("name"),
                      kind == "text"     ? Kind::kText
                      : kind == "number" ? Kind::kNumber
                                         : Kind::kBoolean,
                      field.at("meaning")});
    EXPECT_NE(fields.back().meaning, "") << fields.back().name;
  }
  return fields;
}

// Every documented report field must occur in the report of some scene, with the documented type.
TEST(Lesson, EveryFieldIsInTheReportOfSomeScene) {
  const app::ReportFields fields = program_fields();
  EXPECT_GT(fields.size(), 100u);
  std::set<std::string> missing;
  // Those of code that runs in the window are asked by the lesson warp-if.
  for (const app::ReportField& field : fields)
    if (!field.name.starts_with("code.")) missing.insert(field.name);
  const std::string png = testing::TempDir() + "fields." + std::to_string(getpid()) + ".png";
  for (const std::string scene :
       {"--level 4 --block 4 --panes maps --thread 0,15 --steps 3",
        "--level 4 --block 4 --panes arithmetics --thread 0,15 --steps 3",
        "--fractal menger-sponge --level 2 --block 3 --panes maps --thread 0,0,0 --steps 3",
        "--workspace mandelbrot --compare --size 500x400", "--workspace mandelbrot --model --size 500x400",
        "--workspace mandelbrot --center=-1.75,0.001 --width 1e-20 --size 96x64"}) {
    const Outcome outcome = run_program(words("shot --backend cpu --json " + scene + " --out " + png));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    for (const auto& [name, value] : values_of_report(nlohmann::ordered_json::parse(outcome.out)).known) {
      const app::ReportField* field = find_report_field(fields, name);
      if (field == nullptr) continue;
      missing.erase(field->name);
      EXPECT_EQ(value.index(), static_cast<std::size_t>(field->kind)) << name;
    }
  }
  std::remove(png.c_str());
  for (const std::string& name : missing) ADD_FAILURE() << name << " is in no report";
}

struct BadLesson {
  std::string name;
  std::string text;
  std::vector<std::string> said;  ///< the first is after "FILE:"
};
void PrintTo(const BadLesson& lesson, std::ostream* stream) {
  *stream << lesson.name;
}
class BadLessonTest : public testing::TestWithParam<BadLesson> {};

TEST_P(BadLessonTest, GetsOneLineWithFileAndLineAndStatusTwo) {
  const LessonFile file(GetParam().text);
  for (const std::vector<std::string>& line :
       {std::vector<std::string>{"lesson", "--check", file.path()}, {"view", "--lesson", file.path()}}) {
    const Outcome outcome = run_program(line);
    EXPECT_EQ(outcome.status, 2) << line.front();
    EXPECT_EQ(outcome.out, "");
    ASSERT_EQ(outcome.err_lines().size(), 1u) << outcome.err;
    EXPECT_NE(outcome.err.find(file.path() + ":" + GetParam().said.front()), std::string::npos)
        << outcome.err;
    for (const std::string& part : GetParam().said)
      EXPECT_NE(outcome.err.find(part), std::string::npos) << part << "\n" << outcome.err;
  }
}

std::string lesson(const std::string& scene, const std::string& step) {
  return "title = \"t\"\n[[step]]\ntext = \"x\"\n" + step + "[step.scene]\nlevel = 3\n" + scene;
}
std::string question(const std::string& answer) {
  return "question = { kind = \"number\", ask = \"?\", hint = \"h\", answer = '" + answer + "' }\n";
}

INSTANTIATE_TEST_SUITE_P(
    Lessons, BadLessonTest,
    testing::Values(
        BadLesson{"fractal",
                  lesson("fractal = \"sierpinsky\"\n", ""),
                  {"6: ", "unknown fractal 'sierpinsky'", "allowed: sierpinski-gasket"}},
        BadLesson{
            "option", lesson("levle = 3\n", ""), {"6: ", "unknown scene key 'levle'", "allowed: fractal"}},
        BadLesson{"block", lesson("block = 16\n", ""), {"6: ", "--block: '16' is not allowed", "1, 2, 4, 8"}},
        BadLesson{"level",
                  "title = \"t\"\n[[step]]\ntext = \"x\"\n[step.scene]\nlevel = 41\n",
                  {"5: ", "level 41 of sierpinski-gasket", "the largest level that fits"}},
        BadLesson{"point", lesson("thread = \"8,0\"\n", ""), {"6: ", "--thread: '8,0'", "X from 0 to 7"}},
        BadLesson{"word", lesson("level = \"3 --backend cuda\"\n", ""), {"6: ", "not TOML"}},
        BadLesson{"control",
                  lesson("", "highlight = \"maps\"\n"),
                  {"4: ", "unknown control 'maps'", "allowed: fractal, level, map"}},
        BadLesson{"hidden_control",
                  lesson("", "highlight = \"lambda\"\n"),
                  {"4: ", "the control lambda is not visible", "allowed: "}},
        BadLesson{"other_workspace",
                  lesson("", "highlight = \"cut\"\n"),
                  {"4: ", "the control cut is not visible"}},
        BadLesson{"field",
                  lesson("", question("threads_lunched")),
                  {"4: ", "unknown field 'threads_lunched'", "threads_launched"}},
        BadLesson{"no_thread",
                  lesson("", question("thread.lane")),
                  {"4: ", "thread.lane is not known in this scene"}},
        BadLesson{"no_pane",
                  lesson("", question("pane3.cells_that_differ")),
                  {"4: ", "is not known in this scene"}},
        BadLesson{
            "syntax", lesson("", question("cells +")), {"4: ", "does not evaluate", "allowed: numbers"}},
        BadLesson{"infinite", lesson("", question("1 / generation")), {"4: ", "no finite value"}},
        BadLesson{"constant", lesson("", question("27")), {"4: ", "is constant"}},
        BadLesson{"text_value",
                  "title = \"t\"\n[[step]]\ntext = \"{=pane2.cells_that_differ}\"\n",
                  {"3: ", "is not known in this scene"}},
        BadLesson{"cell_without_thread",
                  lesson("",
                         "question = { kind = \"cell\", ask = \"?\", hint = \"h\", answer = 'thread.works', "
                         "cell = ['0', '0'] }\n"),
                  {"4: ", "no point can be pinned in this scene"}},
        BadLesson{"wrong_cell",
                  lesson("thread = \"cursor\"\n",
                         "question = { kind = \"cell\", ask = \"?\", hint = \"h\", answer = 'thread.works', "
                         "cell = ['width - 1', '0'] }\n"),
                  {"4: ", "the point (7, 0) does not satisfy"}},
        BadLesson{"cell_outside",
                  lesson("thread = \"cursor\"\n",
                         "question = { kind = \"cell\", ask = \"?\", hint = \"h\", answer = 'thread.works', "
                         "cell = ['width', '0'] }\n"),
                  {"4: ", "outside the square", "0 to 7"}},
        BadLesson{"answered",
                  lesson("thread = \"0,0\"\n",
                         "question = { kind = \"cell\", ask = \"?\", hint = \"h\", answer = 'thread.works', "
                         "cell = ['0', '0'] }\n"),
                  {"4: ", "starts with the correct point pinned"}}),
    [](const auto& one) { return one.param.name; });

TEST(Lesson, OneThingAtATime) {
  for (const char* line :
       {"lesson", "lesson --list --check", "lesson --check no-such-lesson", "view --lesson no-such-lesson"}) {
    const Outcome outcome = run_program(words(line));
    EXPECT_EQ(outcome.status, 2) << line;
    ASSERT_EQ(outcome.err_lines().size(), 1u) << outcome.err;
    EXPECT_NE(outcome.err.find("allowed: "), std::string::npos) << outcome.err;
  }
}

TEST(Scene, OfTheWindowHasWhatLessonsNeed) {
  const std::string png = testing::TempDir() + "scene." + std::to_string(getpid()) + ".png";
  const auto state = [&](const std::string& scene) {
    const Outcome outcome = run_program(words("shot --backend cpu --json " + scene + " --out " + png));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.json();
  };
  const auto life = state("--steps 0 --level 4 --block 4 --thread 6,15");
  EXPECT_EQ(life.at("pinned"), nlohmann::json::parse("[6, 15]"));
  EXPECT_EQ(life.at("explained").at("address"), 246);
  EXPECT_EQ(life.at("threads_active"), 81);
  const auto mandelbrot =
      state("--workspace mandelbrot --g 8 --r 4 --b 8 --scheme mbr --size 600x400").at("mandelbrot");
  EXPECT_EQ(mandelbrot.at("g"), 8);
  EXPECT_EQ(mandelbrot.at("r"), 4);
  EXPECT_EQ(mandelbrot.at("b"), 8);
  EXPECT_EQ(mandelbrot.at("scheme"), "mbr");
  EXPECT_EQ(mandelbrot.at("level0").at("regions"), 64);
  EXPECT_GE(mandelbrot.at("lane_steps"), mandelbrot.at("steps"));
  std::remove(png.c_str());
  for (const char* line :
       {"shot --out x.png --thread 600,1", "shot --out x.png --thread 1", "shot --out x.png --g 0",
        "shot --out x.png --r 1", "shot --out x.png --b 2000", "shot --out x.png --scheme x"}) {
    const Outcome outcome = run_program(words(line));
    EXPECT_EQ(outcome.status, 2) << line;
    EXPECT_NE(outcome.err.find("allowed: "), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace loom::test
