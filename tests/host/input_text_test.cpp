#include "compute/core/input_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "compute/core/error.h"

namespace loom {
namespace {

std::string repeated(std::string_view part, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += part;
  return text;
}

template <typename Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string of_toml(const std::string& text) {
  return refusal([&] { check_toml_nesting(text, "a.toml"); });
}

TEST(InputText, TomlKeysAndTablesNestSoDeepAndNoDeeper) {
  EXPECT_EQ(of_toml("a" + repeated(".a", 7) + " = 1"), "");
  EXPECT_EQ(of_toml("\na" + repeated(".a", 8) + " = 1"),
            "a.toml:2: parts of a key joined by dots; allowed: at most 8");
  EXPECT_NE(of_toml("[a" + repeated(".a", 8) + "]"), "");
  EXPECT_NE(of_toml("x = { a" + repeated(".a", 8) + " = 1 }"), "");
  EXPECT_NE(of_toml("a" + repeated(". \"a\"", 8) + " = 1"), "");
  EXPECT_EQ(of_toml("x = " + repeated("[", 32) + repeated("]", 32)), "");
  EXPECT_NE(of_toml("x = " + repeated("[", 33)), "");
  EXPECT_NE(of_toml("x = " + repeated("{a=", 33)), "");
  EXPECT_EQ(of_toml(repeated("a.b = 1.5\n", 1000)), "");
  EXPECT_EQ(of_toml("x = [" + repeated("1.5,", 1000) + "]"), "");
}

TEST(InputText, TomlStringsAndCommentsDoNotNest) {
  const std::string deep = repeated("a.", 50) + repeated("[", 50);
  for (const std::string& opaque : {"# " + deep, "x = \"" + deep + "\"", "x = '" + deep + "'",
                                    "x = \"\"\"" + deep + "\n" + deep + "\"\"\"", "x = '''" + deep + "'''",
                                    "x = \"\\\"" + deep + "\"", "x = \"\"\"\"" + deep + "\"\"\"\"\""}) {
    EXPECT_EQ(of_toml(opaque), "") << opaque;
    EXPECT_NE(of_toml(opaque + "\n" + deep), "") << opaque;
  }
  // Closed or invalid strings must not hide the nesting that follows them.
  for (const std::string before : {"x = \"\" ", "x = '' ", "x = \"\"\"\"\"\" ", "x = \"\"\"a\"\"\"\"\" ",
                                   "x = '''a\\''' ", "x = 'a\\' ", "x = \"a\\\\\" ", "x = \"a\n"}) {
    EXPECT_NE(of_toml(before + deep), "") << before;
  }
}

TEST(InputText, ShownIsShortWholeAndOnOneLine) {
  EXPECT_EQ(shown("abc"), "abc");
  EXPECT_EQ(shown("a\nb\x1b"), "a b ");
  EXPECT_EQ(shown(std::string(900'000, 'k')), std::string(80, 'k') + "...");
  EXPECT_EQ(shown(std::string(79, 'k') + "λ"), std::string(79, 'k') + "...");
}

TEST(InputText, ReadingStopsAtTheLimit) {
  const auto path = std::filesystem::temp_directory_path() / ("loom-input-" + std::to_string(getpid()));
  std::ofstream(path) << "12345";
  EXPECT_EQ(read_input(path, 5, "a text"), "12345");
  EXPECT_NE(refusal([&] { read_input(path, 4, "a text"); }).find("larger than 4 bytes; allowed: a text"),
            std::string::npos);
  std::filesystem::remove(path);
  EXPECT_NE(refusal([&] { read_input(path, 4, "a text"); }).find("cannot be read: No such file"),
            std::string::npos);
  EXPECT_NE(refusal([&] { read_input(path.parent_path(), 4, "a text"); }).find("folder"), std::string::npos);
  EXPECT_NE(refusal([&] { read_input("/dev/zero", std::uint64_t{1} << 40, "a text"); }).find("zero byte"),
            std::string::npos);
  EXPECT_NE(refusal([&] { read_input("/dev/null", 4, "a text"); }).find("is empty; allowed: a text"),
            std::string::npos);
}

}  // namespace
}  // namespace loom
