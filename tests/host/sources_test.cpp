#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace loom {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Calls `act` with every source file whose comments may refer to documents.
template <typename Act>
void for_each_source(Act act) {
  static const std::set<std::string> kEndings = {".h",     ".cpp", ".cuh", ".cu",   ".c",
                                                 ".cmake", ".sh",  ".py",  ".toml", ".frag"};
  for (const char* folder :
       {"app", "compute", "render", "shaders", "cmake", "scripts", "assets", "third_party", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(LOOM_SOURCE_ROOT) / folder)) {
      if (!kEndings.contains(entry.path().extension()) || entry.path().filename() == "sources_test.cpp" ||
          entry.path().filename() == "structure_test.py")  // these files contain the forbidden names
        continue;
      act(entry.path(), content(entry.path()));
    }
  }
}

TEST(Sources, NameDocumentsThatExist) {
  const std::regex document(R"([A-Za-z0-9_./-]+\.md\b)");
  int files = 0;
  for_each_source([&](const fs::path& path, const std::string& text) {
    ++files;
    for (const char* elsewhere : {"DESIGN", "MATHS", "ANCHORS"}) {
      EXPECT_EQ(text.find(elsewhere), std::string::npos) << path << " names " << elsewhere;
    }
    if (text.find(".md") == std::string::npos) return;  // skip the slow regular expression
    for (std::sregex_iterator it(text.begin(), text.end(), document), end; it != end; ++it) {
      EXPECT_TRUE(fs::exists(fs::path(LOOM_SOURCE_ROOT) / it->str())) << path << " names " << it->str();
    }
  });
  EXPECT_GT(files, 100);
}

TEST(Sources, NamePapersThatTheDocumentsList) {
  const std::string maps = content(fs::path(LOOM_SOURCE_ROOT) / "docs/explanation/maps.md");
  const std::regex paper(R"(\[(lambda-[0-9]+|compact|ask)\])");
  int named = 0;
  for_each_source([&](const fs::path& path, const std::string& text) {
    for (std::sregex_iterator it(text.begin(), text.end(), paper), end; it != end; ++it) {
      ++named;
      EXPECT_NE(maps.find("- " + it->str() + " "), std::string::npos) << path << " names " << it->str();
    }
  });
  EXPECT_GT(named, 5);
}

}  // namespace
}  // namespace loom
