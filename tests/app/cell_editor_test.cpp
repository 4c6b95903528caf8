#include "app/workspaces/life/edit/cell_editor.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "compute/geometry/nbb_catalog.h"
#include "temporary_folder.h"

namespace loom::app {
namespace {

/// Opens several pattern files, whose patterns are placed or cancelled one after the other.
class CellEditorTest : public tests::FolderTest {
 protected:
  void SetUp() override { editor_.begin(field_, {}); }

  void open(const std::string& name) {
    editor_.open(write(name + ".rle", "#N " + name + "\nx = 3, y = 1\n3o!\n"));
  }
  /// Runs frames until no file is being read. Returns the name of the pattern to place, or an empty string.
  std::string ghost() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    do {
      editor_.begin(field_, {});
      if (!editor_.busy()) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (std::chrono::steady_clock::now() < end);
    const std::string words = editor_.words();
    return words.substr(0, words.find(':'));
  }

  FractalConfig field_ = default_life_settings().config;
  CellEditor editor_;
};

TEST_F(CellEditorTest, PatternsComeInTheOrderOfTheirFiles) {
  open("first");
  ASSERT_EQ(ghost(), "first");
  open("second");
  EXPECT_EQ(ghost(), "first") << "the first pattern is not placed yet";
  EXPECT_NE(editor_.take_message().text.find("second.rle comes next"), std::string::npos);
  open("third");
  for (const char* next : {"second", "third", ""}) {
    EXPECT_TRUE(editor_.cancel());
    EXPECT_EQ(ghost(), next);
  }
}

// After cancel() no pattern is pending until the next frame. A file opened then must still queue behind the
// earlier ones.
TEST_F(CellEditorTest, AFileDoesNotOvertakeThoseThatWait) {
  open("first");
  ASSERT_EQ(ghost(), "first");
  open("second");
  EXPECT_TRUE(editor_.cancel());
  open("third");
  EXPECT_EQ(ghost(), "second");
}

TEST_F(CellEditorTest, AnotherFieldForgetsThePatternsThatWait) {
  open("first");
  ASSERT_EQ(ghost(), "first");
  open("second");
  field_.fractal = find_fractal("vicsek");
  field_.level = 3;
  EXPECT_EQ(ghost(), "");
  EXPECT_EQ(ghost(), "") << "it does not appear later either";
}

TEST_F(CellEditorTest, AFileOfBeforeTheFirstFrameIsRead) {
  CellEditor editor;
  for (const char* name : {"first", "second"})
    editor.open(write(std::string(name) + ".rle", "x = 3, y = 1\n3o!\n"));
  for (int i = 0; i < 60000 && !editor.has_ghost(); ++i) {
    editor.begin(field_, {});
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_TRUE(editor.has_ghost());
  EXPECT_TRUE(editor.cancel());
  for (int i = 0; i < 60000 && !editor.has_ghost(); ++i) {
    editor.begin(field_, {});
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_TRUE(editor.has_ghost());
}

}  // namespace
}  // namespace loom::app
