#pragma once

#include <imgui.h>

#include <span>
#include <utility>
#include <vector>

#include "app/code/code_text.h"
#include "app/gui/layout.h"
#include "compute/map_code/program.h"

namespace loom::app::code {

/// A key that the editor passes on: Ctrl Enter, F, O, S.
enum class EditorCommand { kNone, kRun, kFind, kOpen, kSave };

/// An editor for the code of a map: line numbers, colours of the syntax, marks of errors. While it has the
/// keyboard focus it takes all keys but Escape, which leaves it. A frame takes no more time for what is not
/// seen.
class CodeEditor {
 public:
  CodeText& text() { return text_; }
  const CodeText& text() const { return text_; }
  /// Draws at the cursor of the current window. Problems of lines that have changed since may be shown too.
  void show(const char* id, glm::vec2 size, std::span<const CodeProblem> problems);
  /// Takes the keyboard focus in the next frame.
  void focus() { takes_focus_ = true; }
  bool is_focused() const { return is_focused_; }
  /// Scrolls the cursor into view in the next frame.
  void reveal() { reveals_ = true; }
  EditorCommand take_command() { return std::exchange(command_, EditorCommand::kNone); }
  const Area& area() const { return area_; }
  /// Of the last frame, in pixels: the left upper corner of a place.
  glm::vec2 position_of(TextPlace place) const;

 private:
  bool keys(int visible_lines);
  bool control_keys();
  void mouse();
  void draw_line(ImDrawList& list, int number, float y, std::span<const CodeProblem> problems);
  void colour_line(ImDrawList& list, int number, float y);
  float x_of(int column) const { return origin_.x + static_cast<float>(column) * char_width_; }
  void tokenize();

  CodeText text_;
  std::vector<CodeToken> tokens_;
  std::uint64_t tokenized_ = 0;  ///< the version of the text
  bool takes_focus_ = false;
  bool is_focused_ = false;
  bool reveals_ = false;
  EditorCommand command_ = EditorCommand::kNone;
  bool drags_ = false;
  Area area_;
  // Of this frame, in pixels.
  glm::vec2 origin_ = {};  ///< of the first character
  float char_width_ = 1;
  float line_height_ = 1;
  // What is seen of each line, in characters; the last one is not.
  int first_column_ = 0;
  int last_column_ = 0;
};

}  // namespace loom::app::code
