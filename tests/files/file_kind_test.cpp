#include "app/files/file_kind.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "compute/core/error.h"
#include "temporary_folder.h"

namespace loom::app {
namespace {

class FileKinds : public tests::FolderTest {
 protected:
  FileKind kind(const std::string& name, const std::string& text = "x") const {
    return kind_of_file(write(name, text));
  }
  std::string refusal(const std::string& name) const {
    try {
      kind_of_file(path(name));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(FileKinds, AreToldByTheEnding) {
  EXPECT_EQ(kind("a.loom"), FileKind::kScene);
  EXPECT_EQ(kind("a.PNG"), FileKind::kImage);
  for (const char* name : {"a.rle", "a.RLE", "a.cells", "a.lif", "a.life"})
    EXPECT_EQ(kind(name), FileKind::kPattern);
  for (const char* name : {"a.kfr", "a.Xpf", "a.par"}) EXPECT_EQ(kind(name), FileKind::kPosition);
  for (const char* name : {"a.gpl", "a.map", "a.cpt"}) EXPECT_EQ(kind(name), FileKind::kPalette);
  EXPECT_EQ(kind("a.map.cu"), FileKind::kMapCode);
  EXPECT_EQ(kind("scene.txt", "{}"), FileKind::kScene);
  EXPECT_EQ(kind("image", "\x89PNG"), FileKind::kImage);
}

TEST_F(FileKinds, TomlIsToldByItsKeys) {
  EXPECT_EQ(kind("a.toml", "name = 'a'\ns_x = 2"), FileKind::kFractal);
  EXPECT_EQ(kind("b.toml", "s_x = 2\ns_z = 2"), FileKind::kSolidFractal);
  EXPECT_EQ(kind("c.toml", "title = 'a'\n[[step]]\ntitle = 'b'"), FileKind::kLesson);
  EXPECT_EQ(kind("d.toml", "title = 'a'\ntask = 'b'"), FileKind::kExercise);
  EXPECT_EQ(kind("e.f3.toml", "location.real = '0'"), FileKind::kPosition);
  EXPECT_EQ(kind("f.toml", "= no TOML"), FileKind::kFractal) << "whose reader says what is wrong";
  for (const auto& entry : std::filesystem::directory_iterator(LOOM_ASSETS "/lessons"))
    EXPECT_EQ(kind_of_file(entry.path()), FileKind::kLesson) << entry.path();
  for (const auto& entry : std::filesystem::directory_iterator(LOOM_ASSETS "/exercises"))
    EXPECT_EQ(kind_of_file(entry.path()), FileKind::kExercise) << entry.path();
}

TEST_F(FileKinds, WhatIsNoneIsRefusedWithWhatIsAllowed) {
  write("a.xyz", "words");
  EXPECT_NE(refusal("a.xyz").find("has an unknown ending; allowed: a scene (.loom), "), std::string::npos);
  EXPECT_NE(refusal("none.rle").find("cannot be read"), std::string::npos);
  std::filesystem::create_directory(path("folder.rle"));
  EXPECT_NE(refusal("folder.rle").find("is a folder"), std::string::npos);
}

// The desktop opens the files that the program opens; images are known to every desktop.
TEST(FileKind, EveryEndingIsOneOfTheDesktop) {
  const std::string desktop = tests::content_of(LOOM_PACKAGING "/org.fractal_loom.FractalLoom.desktop");
  const std::string types = tests::content_of(LOOM_PACKAGING "/org.fractal_loom.FractalLoom.mime.xml");
  const auto quoted = [&](std::string_view before) {
    std::set<std::string> all;
    for (std::size_t at = 0; (at = types.find(before, at)) != std::string::npos;) {
      at += before.size();
      all.insert(types.substr(at, types.find('"', at) - at));
    }
    return all;
  };
  std::set<std::string> expected;
  for (const std::string& extension : extensions_of()) {
    if (extension != ".png") expected.insert("*" + extension);
  }
  EXPECT_EQ(quoted("<glob pattern=\""), expected);
  const std::set<std::string> media_types = quoted("<mime-type type=\"");
  EXPECT_FALSE(media_types.empty());
  for (const std::string& type : media_types) EXPECT_NE(desktop.find(type + ";"), std::string::npos) << type;
  EXPECT_NE(desktop.find("image/png;"), std::string::npos);
}

}  // namespace
}  // namespace loom::app
