#include "app/code/window/code_editor.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/widgets/text.h"

namespace loom::app::code {
namespace {

constexpr int kGutterCharacters = 5;
constexpr int kCountCharacters = 7;
constexpr int kMeanCharacters = 5;
/// Columns of executions are left out where the code would have less room.
constexpr int kLeastCode = 64;
constexpr int kSquaresPerRow = 16;
constexpr float kHeat = 0.35f;  ///< opacity of a line whose lanes are all idle
constexpr int kLanes = 32;

glm::vec4 colour_of(TokenKind kind) {
  const theme::Colours& colours = theme::colours();
  switch (kind) {
    case TokenKind::kKeyword:
    case TokenKind::kBuiltin:
      return colours.accent;
    case TokenKind::kType:
      return colours.success;
    case TokenKind::kNumber:
    case TokenKind::kText:
      return colours.warning;
    case TokenKind::kComment:
      return colours.muted;
    case TokenKind::kDirective:
    case TokenKind::kInvalid:
      return colours.error;
    default:
      return colours.text;
  }
}

ImU32 packed(const glm::vec4& colour) {
  return ImGui::GetColorU32(ImVec4(colour.x, colour.y, colour.z, colour.w));
}

std::string utf8(unsigned character) {
  std::string text;
  if (character < 0x80) {
    text += static_cast<char>(character);
  } else if (character < 0x800) {
    text += static_cast<char>(0xC0 | character >> 6);
    text += static_cast<char>(0x80 | (character & 0x3F));
  } else {
    text += static_cast<char>(0xE0 | character >> 12);
    text += static_cast<char>(0x80 | (character >> 6 & 0x3F));
    text += static_cast<char>(0x80 | (character & 0x3F));
  }
  return text;
}

double mean_lanes(const LineCounts& line) {
  return line.executions == 0
             ? 0
             : static_cast<double>(line.executed_lanes) / static_cast<double>(line.executions);
}

std::string executions_text(const ExecutionMarks& marks, std::size_t number) {
  const LineCounts& line = marks.lines[number];
  if (line.executions == 0) return fmt::format("Line {}: not executed", number);
  return fmt::format(
      "Line {}: executed {} {} by {}, with {:.1f} of {} lanes active on average{}", number, line.executions,
      line.executions == 1 ? "time" : "times", marks.is_stepped ? "this warp" : "all warps", mean_lanes(line),
      kLanes, line.divergent == 0 ? "" : fmt::format("; its branches diverged {} times", line.divergent));
}

bool is_pressed(int key) {
  return imgui_compat::is_pressed(key);
}

}  // namespace

EditorCommand step_command(int key, bool ctrl, bool shift) {
  switch (key) {
    case GLFW_KEY_F5:
      return ctrl ? EditorCommand::kNone : shift ? EditorCommand::kStop : EditorCommand::kContinue;
    case GLFW_KEY_F10:
      return ctrl ? EditorCommand::kRunToCursor : shift ? EditorCommand::kStepBack : EditorCommand::kStepOver;
    case GLFW_KEY_F11:
      return ctrl ? EditorCommand::kNone : shift ? EditorCommand::kStepOut : EditorCommand::kStepInto;
    default:
      return EditorCommand::kNone;
  }
}

void CodeEditor::toggle_breakpoint(int line) {
  // Where no statement begins, the next one is meant.
  const std::vector<int>& lines = program().lines;
  const auto at = std::ranges::lower_bound(lines, line);
  if (at == lines.end() && !lines.empty()) return;
  if (at != lines.end()) line = *at;
  if (breakpoints_.erase(line) == 0) breakpoints_.insert(line);
  breakpoint_text_ = text_.text();
}

// Lines that begin before or behind what has changed keep their breakpoints; others lose them.
void CodeEditor::keep_breakpoints() {
  if (breakpoints_.empty() || breakpoint_text_ == text_.text()) return;
  const std::string_view before = breakpoint_text_;
  const std::string_view after = text_.text();
  const std::size_t most = std::min(before.size(), after.size());
  std::size_t begin = 0;  // of the change
  while (begin < most && before[begin] == after[begin]) ++begin;
  std::size_t same = 0;  // bytes behind it
  while (same < most - begin && before[before.size() - 1 - same] == after[after.size() - 1 - same]) ++same;
  const auto lines = static_cast<int>(std::ranges::count(before, '\n'));
  const int shift = static_cast<int>(std::ranges::count(after, '\n')) - lines;
  std::set<int> kept;
  std::size_t at = 0;
  for (int line = 1; line <= lines + 1; ++line) {
    if (breakpoints_.contains(line)) {
      if (at >= before.size() - same)
        kept.insert(line + shift);
      else if (at <= begin)
        kept.insert(line);
    }
    at = before.find('\n', at) + 1;
  }
  breakpoints_ = std::move(kept);
  breakpoint_text_ = after;
}

void CodeEditor::go_to_line(int line) {
  if (line < 1 || line > text_.line_count()) return;
  revealed_line_ = line;
  text_.move_to(text_.line_begin(line - 1), false);
}

Area CodeEditor::number_area(int line) const {
  return {{area_.corner.x, origin_.y + static_cast<float>(line - 1) * line_height_},
          {kGutterCharacters * char_width_, line_height_}};
}

glm::vec2 CodeEditor::position_of(TextPlace place) const {
  return {x_of(place.column), origin_.y + static_cast<float>(place.line) * line_height_};
}

const MapProgram& CodeEditor::program() {
  if (parsed_ == text_.version()) return program_;
  parsed_ = text_.version();
  program_ = parse_map_code(text_.text(), language_);
  keep_breakpoints();
  return program_;
}

// Ctrl with a key. Returns whether the cursor may have moved.
bool CodeEditor::control_keys() {
  const bool shift = ImGui::GetIO().KeyShift;
  const auto copy = [&] { ImGui::SetClipboardText(std::string(text_.selected()).c_str()); };
  if (is_pressed('Z')) {
    shift ? text_.redo() : text_.undo();
  } else if (is_pressed('Y')) {
    text_.redo();
  } else if (is_pressed('A')) {
    text_.select_all();
    return false;
  } else if (is_pressed('C')) {
    if (text_.has_selection()) copy();
    return false;
  } else if (is_pressed('X')) {
    if (!text_.has_selection()) return false;
    copy();
    text_.erase_backwards();
  } else if (is_pressed('V')) {
    const char* const pasted = ImGui::GetClipboardText();
    if (pasted != nullptr) text_.paste(pasted);
  } else if (is_pressed('F')) {
    command_ = EditorCommand::kFind;
    return false;
  } else if (is_pressed('O')) {
    command_ = EditorCommand::kOpen;
    return false;
  } else if (is_pressed('S')) {
    command_ = EditorCommand::kSave;
    return false;
  } else if (is_pressed(GLFW_KEY_ENTER) || is_pressed(GLFW_KEY_KP_ENTER)) {
    command_ = EditorCommand::kRun;
    return false;
  } else if (is_pressed(GLFW_KEY_SLASH) || is_pressed(GLFW_KEY_KP_DIVIDE)) {
    text_.toggle_comment();
  } else if (is_pressed(GLFW_KEY_LEFT)) {
    text_.move_words(-1, shift);
  } else if (is_pressed(GLFW_KEY_RIGHT)) {
    text_.move_words(1, shift);
  } else if (is_pressed(GLFW_KEY_HOME)) {
    text_.move_to(0, shift);
  } else if (is_pressed(GLFW_KEY_END)) {
    text_.move_to(text_.text().size(), shift);
  } else if (is_pressed(GLFW_KEY_BACKSPACE)) {
    text_.erase_backwards(true);
  } else {
    return false;
  }
  return true;
}

bool CodeEditor::keys(int visible_lines) {
  const ImGuiIO& io = ImGui::GetIO();
  for (const int key : {GLFW_KEY_F5, GLFW_KEY_F10, GLFW_KEY_F11}) {
    if (!is_pressed(key)) continue;
    command_ = step_command(key, io.KeyCtrl, io.KeyShift);
    return false;
  }
  if (io.KeyCtrl && !io.KeyAlt) return control_keys();
  const bool shift = io.KeyShift;
  if (imgui_compat::is_pressed(GLFW_KEY_F9, false)) {
    toggle_breakpoint(cursor_line());
    return false;
  }
  const std::uint64_t before = text_.version();
  // Characters of a frame come before its keys, as in ImGui's text fields.
  for (const ImWchar character : io.InputQueueCharacters) {
    if (character >= 0x20 && character != 0x7F) text_.type(utf8(character));
  }
  bool moved = true;
  if (is_pressed(GLFW_KEY_LEFT)) {
    text_.move_characters(-1, shift);
  } else if (is_pressed(GLFW_KEY_RIGHT)) {
    text_.move_characters(1, shift);
  } else if (is_pressed(GLFW_KEY_UP)) {
    text_.move_lines(-1, shift);
  } else if (is_pressed(GLFW_KEY_DOWN)) {
    text_.move_lines(1, shift);
  } else if (is_pressed(GLFW_KEY_PAGE_UP)) {
    text_.move_lines(-visible_lines, shift);
  } else if (is_pressed(GLFW_KEY_PAGE_DOWN)) {
    text_.move_lines(visible_lines, shift);
  } else if (is_pressed(GLFW_KEY_HOME)) {
    text_.move_home(shift);
  } else if (is_pressed(GLFW_KEY_END)) {
    text_.move_end(shift);
  } else if (is_pressed(GLFW_KEY_BACKSPACE)) {
    text_.erase_backwards();
  } else if (is_pressed(GLFW_KEY_DELETE)) {
    text_.erase_forwards();
  } else if (is_pressed(GLFW_KEY_ENTER) || is_pressed(GLFW_KEY_KP_ENTER)) {
    text_.new_line();
  } else if (is_pressed(GLFW_KEY_TAB)) {
    shift ? text_.unindent() : text_.indent();
  } else {
    moved = false;
  }
  return moved || text_.version() != before;
}

void CodeEditor::mouse(const ExecutionMarks& marks) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool in_gutter = io.MousePos.x < area_.corner.x + (kGutterCharacters - 0.5f) * char_width_;
  const bool hovered = ImGui::IsItemHovered();
  if (hovered && in_gutter) tooltip("Click: a breakpoint, where Continue stops (F9)");
  const bool in_executions = !marks.lines.empty() && io.MousePos.x >= executions_left_;
  if (hovered && in_executions) {
    const auto line =
        static_cast<std::size_t>(std::max(0.0f, std::floor((io.MousePos.y - origin_.y) / line_height_) + 1));
    tooltip(line < marks.lines.size() ? executions_text(marks, line) : std::string());
  }
  if (hovered && !in_gutter && !in_executions) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  if (!ImGui::IsItemActive()) {
    drags_ = false;
    return;
  }
  const bool clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  const glm::vec2 at = glm::vec2(io.MousePos.x, io.MousePos.y) - origin_;
  if (clicked && in_gutter) return toggle_breakpoint(static_cast<int>(std::floor(at.y / line_height_)) + 1);
  const std::size_t offset =
      text_.offset_of({static_cast<int>(std::floor(at.y / line_height_)),
                       std::max(0, static_cast<int>(std::lround(at.x / char_width_)))});
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) return text_.select_word(offset);
  if (clicked) {
    text_.move_to(offset, io.KeyShift);
    drags_ = true;
  } else if (drags_ && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    text_.move_to(offset, true);
  }
}

// Tokens may span lines; what is between them is drawn as text of its own, which is spaces.
void CodeEditor::colour_line(ImDrawList& list, int number, float y) {
  const std::size_t begin = text_.offset_of({number, first_column_});
  const std::size_t end = text_.offset_of({number, last_column_});
  auto token =
      std::lower_bound(program_.tokens.begin(), program_.tokens.end(), begin,
                       [](const CodeToken& one, std::size_t from) { return one.begin + one.length <= from; });
  for (; token != program_.tokens.end() && token->begin < end; ++token) {
    const std::size_t from = std::max(token->begin, begin);
    const std::size_t to = std::min(token->begin + token->length, end);
    const char* const text = text_.text().data();
    list.AddText({x_of(text_.place_of(from).column), y}, packed(colour_of(token->kind)), text + from,
                 text + to);
  }
}

void CodeEditor::draw_line(ImDrawList& list, int number, float y, std::span<const CodeProblem> problems) {
  const theme::Colours& colours = theme::colours();
  const std::size_t begin = text_.line_begin(number);
  const std::size_t end = begin + text_.line(number).size();
  const auto column = [&](std::size_t offset) { return text_.place_of(std::min(offset, end)).column; };
  if (text_.has_selection() && text_.selection_begin() <= end && text_.selection_end() >= begin) {
    const int from = column(std::max(text_.selection_begin(), begin));
    const float after = text_.selection_end() > end ? char_width_ / 2 : 0;  // the end of the line is selected
    list.AddRectFilled({x_of(from), y}, {x_of(column(text_.selection_end())) + after, y + line_height_},
                       packed(colours.grab));
  }
  colour_line(list, number, y);
  const CodeProblem* first = nullptr;
  for (const CodeProblem& problem : problems) {
    if (problem.line != number + 1) continue;
    if (first == nullptr) first = &problem;
    // A problem without a column concerns the whole line.
    const std::size_t at = begin + static_cast<std::size_t>(std::max(problem.column - 1, 0));
    const int from = column(at);
    const int to = problem.column == 0 ? column(end)
                                       : column(at + static_cast<std::size_t>(std::max(problem.length, 1)));
    const float bottom = y + line_height_ - 1;
    const float step = char_width_ / 2;
    float x = x_of(std::max(from, first_column_));
    const float stop = x_of(std::min(std::max(to, from + 1), last_column_));
    for (bool up = true; x < stop; x += step, up = !up)
      list.AddLine({x, bottom - (up ? 0.0f : step / 1.5f)}, {x + step, bottom - (up ? step / 1.5f : 0.0f)},
                   packed(colours.error), 1.5f);
  }
  if (first != nullptr)
    list.AddText({x_of(column(end) + 2), y}, packed(colours.error), first->message.c_str());
}

// Columns that leave the code too little room are left out; the squares shrink before.
void CodeEditor::lay_out_executions(float room, const ExecutionMarks& marks) {
  has_count_ = has_mean_ = false;
  executions_left_ = area_.corner.x + area_.size.x;
  if (marks.lines.empty()) return;
  const float code =
      static_cast<float>(kGutterCharacters + std::min(text_.longest_line(), kLeastCode)) * char_width_;
  const float spare = room - code;
  const float largest = std::floor(line_height_ / 2) - 2;
  float width = 2 * char_width_;
  square_ = 0;
  if (marks.is_stepped) {
    square_ = std::clamp(std::floor((spare - width) / kSquaresPerRow) - 1, std::min(4.0f, largest), largest);
    width += kSquaresPerRow * (square_ + 1);
  }
  const auto add = [&](int characters) {
    const float wider = width + static_cast<float>(characters) * char_width_;
    if (wider > spare) return false;
    width = wider;
    return true;
  };
  has_count_ = add(kCountCharacters);
  has_mean_ = has_count_ && add(kMeanCharacters);
  executions_left_ = area_.corner.x + room - width;
}

void CodeEditor::draw_executions(ImDrawList& list, int number, float y, const ExecutionMarks& marks) {
  const LineCounts& line = marks.lines[static_cast<std::size_t>(number)];
  const bool is_next = number == marks.line;
  if (line.executions == 0 && !is_next) return;
  const theme::Colours& colours = theme::colours();
  const float pitch = square_ + 1;
  const glm::vec2 corner{executions_left_ + char_width_, y + std::floor((line_height_ - 2 * pitch) / 2)};
  for (int lane = 0; marks.is_stepped && lane < kLanes; ++lane) {
    const glm::vec2 place{lane % kSquaresPerRow, lane / kSquaresPerRow};
    const glm::vec2 from = corner + place * pitch;
    const glm::vec2 to = from + square_;
    if (((is_next ? marks.active : line.last_mask) >> lane & 1) != 0) {
      list.AddRectFilled({from.x, from.y}, {to.x, to.y}, packed(is_next ? colours.warning : colours.accent));
    } else {
      list.AddRect({from.x, from.y}, {to.x, to.y}, packed(colours.muted));
    }
    if (lane == marks.lane)
      list.AddRect({from.x - 1, from.y - 1}, {to.x + 1, to.y + 1}, packed(colours.selection), 0, 0, 2);
  }
  if (line.executions == 0) return;
  float right = corner.x + (marks.is_stepped ? kSquaresPerRow * pitch : 0);
  const auto column = [&](bool is_shown, int characters, const Text& text) {
    if (!is_shown) return;
    right += static_cast<float>(characters) * char_width_;
    const auto length = static_cast<float>(std::string_view(text.c_str()).size());
    list.AddText({right - length * char_width_, y}, packed(colours.text), text.c_str());
  };
  constexpr std::uint64_t kThousand = 1000;
  column(has_count_, kCountCharacters,
         line.executions < 100 * kThousand ? format_text("{}", line.executions)
                                           : format_text("{}k", line.executions / kThousand));
  column(has_mean_, kMeanCharacters, format_text("{:.1f}", mean_lanes(line)));
}

void CodeEditor::show(const char* id, glm::vec2 size, std::span<const CodeProblem> problems,
                      const ExecutionMarks& marks) {
  program();
  const theme::Colours& colours = theme::colours();
  ImGui::PushFont(font_of(FontFace::kMono));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleColor(ImGuiCol_ChildBg,
                        ImVec4(colours.background.x, colours.background.y, colours.background.z, 1));
  // Keyboard navigation would take arrow keys and Tab.
  ImGui::BeginChild(id, {size.x, size.y}, false,
                    ImGuiWindowFlags_NoNav | ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoMove);
  if (takes_focus_) ImGui::SetWindowFocus();
  takes_focus_ = false;
  // ImGui rounds the width of a text up.
  constexpr const char* kTen = "0000000000";
  char_width_ = ImGui::GetFont()->CalcTextSizeA(ImGui::GetFontSize(), FLT_MAX, 0, kTen).x / 10;
  line_height_ = ImGui::GetTextLineHeightWithSpacing();
  const float gutter = kGutterCharacters * char_width_;
  const glm::vec2 corner = ImGui::GetWindowPos();
  const glm::vec2 room = ImGui::GetWindowSize();
  area_ = {corner, room};
  lay_out_executions(room.x - ImGui::GetStyle().ScrollbarSize, marks);
  const int visible = std::max(1, static_cast<int>(room.y / line_height_) - 1);
  const glm::vec2 content = ImGui::GetCursorScreenPos();
  origin_ = content + glm::vec2(gutter, 0);

  // A key that gave the focus is none of the editor.
  const bool was_focused = std::exchange(is_focused_, ImGui::IsWindowFocused());
  bool moved = std::exchange(reveals_, false);
  if (is_focused_) {
    imgui_compat::want_text();
    moved = (was_focused && keys(visible)) || moved;
    program();
  }
  constexpr int kMessageCharacters = 40;
  const glm::vec2 whole{
      gutter +
          static_cast<float>(text_.longest_line() + (problems.empty() ? 2 : kMessageCharacters)) *
              char_width_ +
          area_.end().x - executions_left_,
      static_cast<float>(text_.line_count() + 1) * line_height_};
  ImGui::InvisibleButton("##text", {std::max(whole.x, room.x - ImGui::GetStyle().ScrollbarSize),
                                    std::max(whole.y, room.y - ImGui::GetStyle().ScrollbarSize)});
  mouse(marks);
  if (is_focused_ && was_focused && ImGui::IsKeyPressed(imgui_compat::key(GLFW_KEY_ESCAPE), false))
    ImGui::SetWindowFocus(nullptr);

  const TextPlace at = text_.place_of(text_.cursor());
  if (const int line = std::exchange(revealed_line_, 0); line > 0) {
    // Two lines around it stay in view.
    const float top = static_cast<float>(line - 1) * line_height_;
    const float height = room.y - ImGui::GetStyle().ScrollbarSize;
    ImGui::SetScrollY(std::clamp(ImGui::GetScrollY(), std::max(0.0f, top + 3 * line_height_ - height),
                                 std::max(0.0f, top - 2 * line_height_)));
  }
  if (moved) {
    const float top = static_cast<float>(at.line) * line_height_;
    const float left = static_cast<float>(at.column) * char_width_;
    const float height = room.y - ImGui::GetStyle().ScrollbarSize - line_height_;
    const float width = executions_left_ - corner.x - gutter - 3 * char_width_;
    if (top < ImGui::GetScrollY()) ImGui::SetScrollY(top);
    if (top > ImGui::GetScrollY() + height) ImGui::SetScrollY(top - height);
    if (left < ImGui::GetScrollX()) ImGui::SetScrollX(std::max(0.0f, left - 4 * char_width_));
    if (left > ImGui::GetScrollX() + width) ImGui::SetScrollX(left - width);
  }

  ImDrawList& list = *ImGui::GetWindowDrawList();
  first_column_ = std::max(0, static_cast<int>((corner.x + gutter - origin_.x) / char_width_) - 1);
  last_column_ = first_column_ + static_cast<int>(room.x / char_width_) + 2;
  const int first = std::max(0, static_cast<int>((corner.y - origin_.y) / line_height_));
  const int last = std::min(text_.line_count() - 1, first + visible + 2);
  const auto y_of = [&](int line) { return origin_.y + static_cast<float>(line) * line_height_; };
  const float right = corner.x + room.x;
  for (int i = first; i <= last; ++i) {
    const auto number = static_cast<std::size_t>(i) + 1;
    if (number < marks.lines.size() && marks.lines[number].executions > 0) {
      glm::vec4 heat = colours.warning;
      heat.w = kHeat * static_cast<float>(1 - mean_lanes(marks.lines[number]) / kLanes);
      list.AddRectFilled({corner.x, y_of(i)}, {right, y_of(i + 1)}, packed(heat));
    }
    if (i + 1 == marks.line) {
      list.AddRectFilled({corner.x, y_of(i)}, {right, y_of(i + 1)}, packed(colours.grab));
      list.AddRect({corner.x, y_of(i)}, {right, y_of(i + 1)}, packed(colours.warning));
    }
    draw_line(list, i, y_of(i), problems);
  }
  if (is_focused_) {
    const glm::vec2 cursor = position_of(at);
    list.AddRectFilled({cursor.x - 1, cursor.y}, {cursor.x + 1, cursor.y + line_height_},
                       packed(colours.text));
  }
  // Line numbers stay at the left edge.
  list.AddRectFilled({corner.x, corner.y}, {corner.x + gutter - char_width_ / 2, corner.y + room.y},
                     packed(colours.raised));
  for (int i = first; i <= last; ++i) {
    const bool has_problem =
        std::ranges::any_of(problems, [i](const CodeProblem& one) { return one.line == i + 1; });
    const Text number = format_text("{}{:>3}", has_problem ? "!" : " ", i + 1);
    const glm::vec4& colour = has_problem ? colours.error : i == at.line ? colours.text : colours.muted;
    list.AddText({corner.x, y_of(i)}, packed(colour), number.c_str());
    const glm::vec2 middle{corner.x + char_width_ * 0.75f, y_of(i) + line_height_ / 2};
    const float radius = line_height_ * 0.3f;
    if (breakpoints_.contains(i + 1)) list.AddCircleFilled(middle, radius, packed(colours.error));
    if (i + 1 == marks.line)
      list.AddTriangleFilled({middle.x - radius, middle.y - radius * 0.8f},
                             {middle.x - radius, middle.y + radius * 0.8f}, {middle.x + radius, middle.y},
                             packed(colours.warning));
  }
  if (!marks.lines.empty()) {
    list.AddRectFilled({executions_left_, corner.y}, {right, corner.y + room.y}, packed(colours.raised));
    for (int i = first; i <= last && static_cast<std::size_t>(i) + 1 < marks.lines.size(); ++i)
      draw_executions(list, i + 1, y_of(i), marks);
    // What the columns are, below the code.
    const float foot = corner.y + room.y - line_height_;
    if (has_count_ && y_of(text_.line_count()) <= foot)
      list.AddText({right - (has_mean_ ? 11 : 6) * char_width_, foot}, packed(colours.muted),
                   has_mean_ ? "runs lanes" : "runs");
  }
  if (is_focused_)
    list.AddRect({corner.x, corner.y}, {corner.x + room.x, corner.y + room.y}, colours.ring, 0, 0, 2);
  ImGui::EndChild();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

}  // namespace loom::app::code
