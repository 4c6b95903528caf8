#include "app/code/code_text.h"

#include <gtest/gtest.h>

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
  code.set("a\tb\r\n\0c", true);
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

}  // namespace
}  // namespace loom::app::code
