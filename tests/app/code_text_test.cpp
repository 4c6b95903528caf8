#include "app/code/code_text.h"

#include <gtest/gtest.h>

#include <chrono>

#include "app/code/window/code_editor.h"
#include "imgui_frame.h"

namespace loom::app::code {
namespace {

CodeText with(std::string_view text, std::size_t cursor) {
  CodeText code;
  code.set(text);
  code.move_to(cursor, false);
  return code;
}

TEST(CodeText, NewLinesAreIndented) {
  CodeText code = with("int f() {", 9);
  code.new_line();
  EXPECT_EQ(code.text(), "int f() {\n  ");
  code.type("return 1;");
  code.new_line();
  code.type("}");
  EXPECT_EQ(code.text(), "int f() {\n  return 1;\n}");
}

TEST(CodeText, UndoGoesBackByWordsTypedInARow) {
  CodeText code = with("", 0);
  for (const char* one : {"a", "b", "c"}) code.type(one);
  code.new_line();
  code.type("d");
  code.undo();
  EXPECT_EQ(code.text(), "abc\n");
  code.undo();
  EXPECT_EQ(code.text(), "abc");
  code.undo();
  EXPECT_EQ(code.text(), "");
  EXPECT_FALSE(code.can_undo());
  code.redo();
  code.redo();
  EXPECT_EQ(code.text(), "abc\n");
  code.type("x");
  EXPECT_FALSE(code.can_redo());
}

TEST(CodeText, TabIndentsSelectedLinesAndShiftTabUndoesIt) {
  CodeText code = with("a\nb\nc", 0);
  code.select(0, 3);
  code.indent();
  EXPECT_EQ(code.text(), "  a\n  b\nc");
  code.unindent();
  EXPECT_EQ(code.text(), "a\nb\nc");
  // Without a selection it goes to the next step of indentation.
  code.move_to(1, false);
  code.indent();
  EXPECT_EQ(code.text(), "a \nb\nc");
}

TEST(CodeText, CommentsAreToggledAtTheIndentation) {
  CodeText code = with("{\n  a;\n  b;\n}", 4);
  code.select(4, 10);
  code.toggle_comment();
  EXPECT_EQ(code.text(), "{\n  // a;\n  // b;\n}");
  code.toggle_comment();
  EXPECT_EQ(code.text(), "{\n  a;\n  b;\n}");
}

TEST(CodeText, ColumnsAreCharacters) {
  CodeText code = with("// λ is\nint x;", 0);
  EXPECT_EQ(code.place_of(5), (TextPlace{0, 4}));  // λ has two bytes
  EXPECT_EQ(code.offset_of({0, 4}), 5u);
  code.move_to(5, false);
  code.erase_backwards();
  EXPECT_EQ(code.text(), "//  is\nint x;");
  code.move_lines(1, false);
  EXPECT_EQ(code.place_of(code.cursor()), (TextPlace{1, 3}));
}

// Against a count from the start of each line.
TEST(CodeText, PlacesAndOffsetsAreInverse) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += i % 97 == 96 ? "\n" : i % 7 == 3 ? "λ" : i % 11 == 5 ? "\u2192" : "x";
  CodeText code = with(text + "\n\n", 0);
  int line = 0;
  int column = 0;
  int longest = 0;
  for (std::size_t i = 0; i < code.text().size(); ++i) {
    if ((static_cast<unsigned char>(code.text()[i]) & 0xC0) == 0x80) continue;
    ASSERT_EQ(code.place_of(i), (TextPlace{line, column})) << i;
    ASSERT_EQ(code.offset_of({line, column}), i);
    longest = std::max(longest, column);
    if (code.text()[i] != '\n') {
      ++column;
      continue;
    }
    ASSERT_EQ(code.offset_of({line, column + 5}), i) << "beyond the end of the line";
    ++line;
    column = 0;
  }
  EXPECT_EQ(code.longest_line(), longest);
  EXPECT_EQ(code.offset_of({99, 99}), code.text().size());
  EXPECT_EQ(code.offset_of({0, -1}), 0u);
}

TEST(CodeText, ForeignCodeStaysForeign) {
  CodeText code;
  code.set("int foreign;", "a file");
  EXPECT_EQ(code.origin(), "a file");
  // Whatever is typed into it, and however its lines are changed.
  code.type("x");
  code.select_all();
  code.toggle_comment();
  code.select_all();
  code.indent();
  code.select_all();
  code.unindent();
  code.new_line();
  EXPECT_EQ(code.origin(), "") << "a new line replaced everything that was selected";
  code.undo();
  EXPECT_EQ(code.origin(), "a file");
  code.move_to(0, false);
  code.paste("int y;");
  code.erase_backwards(true);
  EXPECT_EQ(code.origin(), "a file");
  // What replaces all of it is the user's.
  code.select_all();
  code.type("x");
  EXPECT_EQ(code.origin(), "");
  code.undo();
  EXPECT_EQ(code.origin(), "a file");
  code.redo();
  EXPECT_EQ(code.origin(), "");
  code.select_all();
  code.erase_forwards();
  code.type("own");
  EXPECT_EQ(code.origin(), "");
}

TEST(CodeText, UndoBringsBackWhereATextCameFrom) {
  CodeText code;
  code.set("foreign", "the scene");
  code.set("template", "", false);
  EXPECT_EQ(code.origin(), "");
  code.undo();
  EXPECT_EQ(code.text(), "foreign");
  EXPECT_EQ(code.origin(), "the scene");
  code.accept();
  code.type("x");
  EXPECT_EQ(code.origin(), "") << "it grew from what the user has accepted";
  code.set("solution", "the exercise", false);
  code.undo();
  EXPECT_EQ(code.origin(), "");
  code.redo();
  EXPECT_EQ(code.origin(), "the exercise");
  // The same text from elsewhere does not become foreign; from the user it becomes the user's.
  code.set("solution", "a file", false);
  EXPECT_EQ(code.origin(), "the exercise");
  code.set("solution", "", false);
  EXPECT_EQ(code.origin(), "");
  code.set("solution", "a file", false);
  EXPECT_EQ(code.origin(), "");
}

TEST(CodeText, LinesKeepTheColumnOfTheCursor) {
  CodeText code = with("long line\n\nlong line", 7);
  code.move_lines(1, false);
  EXPECT_EQ(code.place_of(code.cursor()), (TextPlace{1, 0}));
  code.move_lines(1, false);
  EXPECT_EQ(code.place_of(code.cursor()), (TextPlace{2, 7}));
}

TEST(CodeText, FindGoesRoundTheText) {
  CodeText code = with("Cell cell; cell", 0);
  EXPECT_TRUE(code.find("cell"));
  EXPECT_EQ(code.selection_begin(), 0u);
  EXPECT_TRUE(code.find("cell"));
  EXPECT_EQ(code.selection_begin(), 5u);
  EXPECT_TRUE(code.find("cell"));
  EXPECT_TRUE(code.find("cell"));
  EXPECT_EQ(code.selection_begin(), 0u);
  EXPECT_TRUE(code.find("cell", true));
  EXPECT_EQ(code.selection_begin(), 11u);
  EXPECT_FALSE(code.find("thread"));
  EXPECT_FALSE(code.find(""));
}

TEST(CodeText, AnyTextIsBounded) {
  CodeText code = with("", 0);
  code.paste(std::string(1 << 20, 'x'));
  EXPECT_EQ(code.text().size(), CodeText::kMaxBytes);
  code.set("a\tb\r\n\0c");
  EXPECT_EQ(code.text(), "a  b\n");
  code.erase_backwards();
  code.erase_backwards(true);
  code.select_all();
  code.erase_forwards();
  EXPECT_EQ(code.text(), "");
  code.erase_backwards();
  code.erase_forwards();
  code.unindent();
  EXPECT_EQ(code.line_count(), 1);
}

class CodeEditorTest : public ImGuiTest {
 protected:
  /// Draws frames with the cursor in view. Returns how many glyphs and other quads the last one has.
  int draw(int frames, std::span<const CodeProblem> problems = {}) {
    int vertices = 0;
    for (int i = 0; i < frames; ++i) {
      ImGui::NewFrame();
      ImGui::SetNextWindowSize({600, 400});
      ImGui::Begin("code");
      editor_.reveal();
      editor_.show("##code", {580, 360}, problems);
      ImGui::End();
      ImGui::Render();
      vertices = ImGui::GetDrawData()->TotalVtxCount;
    }
    return vertices;
  }
  CodeEditor editor_;
};

TEST_F(CodeEditorTest, AFrameCostsWhatIsSeenOfALongLine) {
  const auto line_of = [](std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) text += "x+";
    return text;
  };
  const std::vector<CodeProblem> problems = {{1, 0, 0, "all of it"}};
  for (const bool at_end : {false, true}) {
    editor_.text().set(line_of(400));
    editor_.text().move_to(at_end ? 400 : 0, false);
    const int few = draw(3, problems);
    ASSERT_GT(few, 100);
    editor_.text().set(line_of(CodeText::kMaxBytes));
    editor_.text().move_to(at_end ? CodeText::kMaxBytes : 0, false);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_LT(draw(20, problems), 2 * few);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
  }
}

}  // namespace
}  // namespace loom::app::code
