#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "program.h"
#include "temporary_folder.h"

namespace loom::test {
namespace {

namespace fs = std::filesystem;

std::string repeated(std::string_view part, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += part;
  return text;
}

/// Runs the real program on malicious files, with limits on CPU time and memory.
class HostileFileTest : public tests::FolderTest {
 protected:
  /// Expects exit status 2 and one short line on standard error that contains `said`, within seconds.
  static void expect_refused(const std::vector<std::string>& arguments, const std::string& said) {
    const auto limits = [] {
      const rlimit seconds{10, 10};
      setrlimit(RLIMIT_CPU, &seconds);
#ifndef __SANITIZE_ADDRESS__
      const rlimit bytes{std::uint64_t{2} << 30, std::uint64_t{2} << 30};
      setrlimit(RLIMIT_AS, &bytes);
#endif
    };
    const Outcome outcome = run_program_in(limits, arguments);
    EXPECT_EQ(outcome.status, 2) << arguments.back() << outcome.err.substr(0, 500);
    EXPECT_EQ(outcome.err_lines().size(), 1u);
    EXPECT_LT(outcome.err.size(), 4200u);
    EXPECT_NE(outcome.err.find(said), std::string::npos) << "missing in the message: " << said << "\n"
                                                         << outcome.err.substr(0, 1000);
  }
  void expect_toml_refused(const std::string& text, const std::string& said) const {
    const std::string file = write("a.toml", text);
    expect_refused({"life", "--fractal-file", file}, said);
    expect_refused({"lesson", "--check", file}, said);
  }
  void expect_results_refused(const std::string& text, const std::string& said) const {
    const std::string file = write("a.json", text);
    for (const char* best : {"--json", "--best"}) {
      expect_refused({"plot", file, "--kind", "time", best, "-o", path("a.svg")}, said);
    }
    EXPECT_FALSE(fs::exists(path("a.svg")));
  }
  /// A small results file with two configurations, with value `what` of the second replaced by `by`.
  static std::string results_with(const std::string& what, const std::string& by) {
    const Outcome made = run_program(words(
        "bench --level 1,2 --block 1 --map lambda --backend cpu --max-samples 1 --max-seconds 0.01 --json"));
    std::string text = made.out;
    const std::size_t second = text.rfind("{\"fractal\":");
    const std::size_t at = text.find("\"" + what + "\":", second) + what.size() + 3;
    const std::size_t end = text.find_first_of(",}", at);
    return text.replace(at, end - at, by);
  }
};

TEST_F(HostileFileTest, DeepToml) {
  expect_toml_refused("\n" + repeated("a.", 50'000) + "a = 1", "a.toml:2: ");
  expect_toml_refused("[" + repeated("a.", 50'000) + "a]", "a.toml:1: ");
  expect_toml_refused("[[" + repeated("a.", 50'000) + "a]]", "a.toml:1: ");
  expect_toml_refused("x = " + repeated("[", 100'000), "a.toml:1: ");
  expect_toml_refused("x = { " + repeated("\"a\".", 50'000) + "a = 1 }", "a.toml:1: ");
  expect_toml_refused("x = " + repeated("{a=", 100'000), "a.toml:1: ");
}

TEST_F(HostileFileTest, LongToml) {
  expect_toml_refused(std::string(900'000, 'k') + " = 1", "kkk...");
  expect_toml_refused(std::string(900'000, 'k') + " = 1\n" + std::string(100'000, 'k') + " = 1", "a.toml:");
  expect_toml_refused("x = " + std::string(1 << 20, '1'), "larger than 1048576 bytes");
  std::string many = "title = \"a\"\n[scene]\n";
  for (int i = 0; i < 60'000; ++i) many += "k" + std::to_string(i) + " = 1\n";
  expect_refused({"lesson", "--check", write("many.toml", many)}, "a scene with 60000 options");
  expect_refused({"lesson", "--check",
                  write("expression.toml",
                        "title = \"a\"\n[[step]]\ntext = \"a\"\n[step.question]\nkind = \"number\"\n"
                        "ask = \"a\"\nhint = \"a\"\nanswer = \"" +
                            repeated("(", 400'000) + "level\"\n")},
                 "expression.toml:");
}

TEST_F(HostileFileTest, DeepResults) {
  expect_results_refused(repeated("[", 1'000'000), "nested too deeply");
  expect_results_refused(
      results_with("level", "2").replace(0, 1, "{\"settings\":" + repeated("{\"a\":", 1'000'000)),
      "nested too deeply");
}

TEST_F(HostileFileTest, SmallScenesThatTakeLong) {
  const std::string saved = path("a.loom");
  ASSERT_EQ(run_program(words("life --backend cpu --level 6 --steps 0 --save " + saved)).status, 0);
  nlohmann::json scene = nlohmann::json::parse(tests::content_of(saved));
  nlohmann::json later = scene;
  later["life"]["cells"]["generation"] = std::uint64_t{1} << 63;
  expect_refused({"life", "--backend", "cpu", "--open", write("b.loom", later.dump())}, "up to 33554432");
  scene["places"] = nlohmann::json(100'000, nlohmann::json::object());
  expect_refused({"life", "--backend", "cpu", "--open", write("c.loom", scene.dump())}, "more than 200");
  expect_refused(
      {"life", "--backend", "cpu", "--open", write("d.loom", "{\"a\":" + repeated("[", 1'000'000))},
      "nested too deeply");
}

TEST_F(HostileFileTest, NumbersThatAreNone) {
  expect_results_refused(results_with("level", "2147483647"), "configurations[1].level");
  expect_results_refused(results_with("median", "5e-312"), "configurations[1].step_ms.median");
  expect_results_refused(results_with("median", "1e300"), "configurations[1].step_ms.median");
  expect_results_refused(results_with("median", "1e999"), "1e999");
  expect_results_refused(results_with("median", "-1"), "configurations[1].step_ms.median");
  expect_results_refused(results_with("threads_launched", "-1"), "configurations[1].threads_launched");
  std::string list = results_with("level", "2");
  const std::size_t at = list.find("\"settings\":");
  list.replace(at, list.find('{', at) - at + 1, "\"settings\": [], \"was\": {");
  expect_results_refused(list, "settings is not an object");
}

TEST_F(HostileFileTest, FilesWithoutAnEnd) {
  expect_refused({"plot", "/dev/zero", "-o", path("a.svg")}, "/dev/zero");
  expect_refused({"life", "--fractal-file", "/dev/zero"}, "/dev/zero");
  expect_refused({"lesson", "--check", "/dev/zero"}, "/dev/zero");
  expect_refused({"view", "--lesson", "/dev/zero"}, "/dev/zero");
}

TEST_F(HostileFileTest, AnEmptyFileIsNamedSo) {
  for (const std::string text : {"", " \n\t\n"}) {
    for (const std::string line :
         {"life --backend cpu --open", "life --backend cpu --fractal-file", "life --backend cpu --pattern",
          "shot --plain --out /dev/null --palette", "lesson --check", "map exercises --starter", "plot",
          "bench --json --merge", "bench --backend cpu --level 1 --resume --out"}) {
      std::vector<std::string> arguments = words(line);
      arguments.push_back(write(line.ends_with("palette")   ? "a.gpl"
                                : line.ends_with("pattern") ? "a.rle"
                                                            : "a.json",
                                text));
      expect_refused(arguments, " is empty; allowed: ");
    }
  }
  // A document that breaks off, and one that is damaged.
  expect_results_refused("{\"format\": ", "it ends too early, after 11 bytes");
  expect_results_refused("{\"format\"; 1}", "damaged at byte 10 of 13");
}

}  // namespace
}  // namespace loom::test
