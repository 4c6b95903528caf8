#pragma once

#include <imgui.h>

#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/code/code_text.h"
#include "app/gui/layout.h"
#include "compute/map_code/program.h"
#include "compute/map_code/stepper.h"

namespace loom::app::code {

/// A key that the editor passes on: Ctrl Enter, F, O, S, and those of debuggers.
enum class EditorCommand {
  kNone,
  kRun,
  kFind,
  kOpen,
  kSave,
  kStepInto,
  kStepOver,
  kStepOut,
  kStepBack,
  kRunToCursor,
  kContinue,
  kStop,
};
/// The command of a debugger that a key (GLFW_KEY_F5, F10, F11) means.
EditorCommand step_command(int key, bool ctrl, bool shift);

/// What the editor shows of a run: of a warp that is stepped, or of all warps.
struct ExecutionMarks {
  std::span<const LineCounts> lines;  ///< by line, from 1; empty: nothing was run
  bool is_stepped = false;            ///< the lines have masks
  int line = 0;                       ///< that is executed next; 0: none
  LaneMask active = 0;                ///< lanes that execute it
  int lane = 0;                       ///< the chosen one
};

/// An editor for the code of a map: line numbers, colours of the syntax, marks of errors. While it has the
/// keyboard focus it takes all keys but Escape, which leaves it. A frame takes no more time for what is not
/// seen.
class CodeEditor {
 public:
  explicit CodeEditor(CodeLanguage language = CodeLanguage::kMap) : language_(language) {}
  CodeText& text() { return text_; }
  const CodeText& text() const { return text_; }
  /// Draws at the cursor of the current window. Problems of lines that have changed since may be shown too.
  void show(const char* id, glm::vec2 size, std::span<const CodeProblem> problems,
            const ExecutionMarks& marks = {});
  /// Takes the keyboard focus in the next frame.
  void focus() { takes_focus_ = true; }
  bool is_focused() const { return is_focused_; }
  /// Scrolls the cursor into view in the next frame.
  void reveal() { reveals_ = true; }
  EditorCommand take_command() { return std::exchange(command_, EditorCommand::kNone); }
  /// The text as it is, parsed.
  const MapProgram& program();
  /// Lines, from 1, at which a warp that is stepped stops. They keep their lines when others are inserted.
  const std::set<int>& breakpoints() const { return breakpoints_; }
  /// The line of the cursor, from 1.
  int cursor_line() const { return text_.place_of(text_.cursor()).line + 1; }
  void toggle_breakpoint(int line);
  /// Moves the cursor to a line, from 1, and scrolls it into view in the next frame; 0: does nothing.
  void go_to_line(int line);
  const Area& area() const { return area_; }
  /// Of the last frame: the number of a line, and its mask of active lanes.
  Area number_area(int line) const;
  /// Of the last frame, in pixels: the left upper corner of a place.
  glm::vec2 position_of(TextPlace place) const;

 private:
  bool keys(int visible_lines);
  bool control_keys();
  void mouse(const ExecutionMarks& marks);
  void draw_line(ImDrawList& list, int number, float y, std::span<const CodeProblem> problems);
  void draw_executions(ImDrawList& list, int number, float y, const ExecutionMarks& marks);
  void lay_out_executions(float room, const ExecutionMarks& marks);
  void keep_breakpoints();
  void colour_line(ImDrawList& list, int number, float y);
  float x_of(int column) const { return origin_.x + static_cast<float>(column) * char_width_; }

  CodeLanguage language_;
  CodeText text_;
  MapProgram program_;
  std::uint64_t parsed_ = 0;  ///< the version of the text
  bool takes_focus_ = false;
  bool is_focused_ = false;
  bool reveals_ = false;
  EditorCommand command_ = EditorCommand::kNone;
  bool drags_ = false;
  std::set<int> breakpoints_;
  std::string breakpoint_text_;  ///< the text to whose lines they belong
  int revealed_line_ = 0;
  Area area_;
  // Of this frame, in pixels.
  glm::vec2 origin_ = {};  ///< of the first character
  float char_width_ = 1;
  float line_height_ = 1;
  // What is seen of each line, in characters; the last one is not.
  int first_column_ = 0;
  int last_column_ = 0;
  // The columns at the right edge that say what was executed.
  float executions_left_ = 0;
  float square_ = 0;  ///< side of a lane's square
  bool has_count_ = false;
  bool has_mean_ = false;
};

}  // namespace loom::app::code
