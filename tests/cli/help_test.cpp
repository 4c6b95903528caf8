#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "program.h"

namespace loom::test {
namespace {

void expect_parts(const std::string& line, const std::vector<std::string>& parts) {
  SCOPED_TRACE(line);
  const Outcome outcome = run_program(words(line));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  for (const std::string& part : parts) {
    EXPECT_NE(outcome.out.find(part), std::string::npos) << "missing in the help: " << part << "\n"
                                                         << outcome.out;
  }
}

TEST(Help, NamesEverySubcommandAndExitStatus) {
  expect_parts("--help",
               {"view", "shot", "life", "mandelbrot", "model", "verify", "info", "Exit status", "70"});
  expect_parts("-h", {"view"});
}

TEST(Help, OfASubcommandNamesItsOptions) {
  const std::vector<std::string> scene = {"--fractal", "--fractal-file", "--level",  "--map",
                                          "--block",   "--halo",         "--rule",   "--seed",
                                          "--density", "--backend",      "--device", "--json"};
  expect_parts("life --help", scene);
  expect_parts("life --help", {"--steps"});
  expect_parts("view --help", scene);
  expect_parts("view --help", {"--palette", "--frames", "--size", "--ui-scale"});
  expect_parts("shot --help", scene);
  expect_parts("shot --help", {"--palette", "--out", "--size"});
  expect_parts("verify --help", {"--fractal", "--level-max", "--steps", "--backend", "--device", "--json"});
  expect_parts("mandelbrot --help",
               {"--method",    "--scheme", "--g",     "--r",       "--b",      "--dwell", "--block-shape",
                "--precision", "--fill",   "--ideas", "--window",  "--size",   "--runs",  "--npy",
                "--png",       "--check",  "--hash",  "--backend", "--device", "--json"});
  expect_parts("volume --help",
               {"--set", "--power", "--c", "--box", "--size", "--dwell", "--method", "--g", "--r", "--b",
                "--order", "--check", "--npy", "--png", "--surface", "--turn", "--json"});
  expect_parts("model --help", {"--n", "--dimensions", "--dwell", "--p", "--lambda", "--q", "--c", "--g",
                                "--search", "--json"});
  expect_parts("info --help", {"--backend", "--device", "--json"});
}

TEST(Version, IsOneLine) {
  const Outcome outcome = run_program(words("--version"));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out.rfind("fractal-loom ", 0), 0u) << outcome.out;
  EXPECT_EQ(outcome.out.find('\n'), outcome.out.size() - 1);
}

}  // namespace
}  // namespace loom::test
