#include "app/code/window/code_editor.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/gui/fonts.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/tooltip.h"

namespace loom::app::code {
namespace {

constexpr int kGutterCharacters = 5;

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

bool is_pressed(int key) {
  return imgui_compat::is_pressed(key);
}

}  // namespace

glm::vec2 CodeEditor::position_of(TextPlace place) const {
  return {x_of(place.column), origin_.y + static_cast<float>(place.line) * line_height_};
}

void CodeEditor::tokenize() {
  if (tokenized_ == text_.version()) return;
  tokenized_ = text_.version();
  tokens_ = parse_map_code(text_.text()).tokens;
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
  if (io.KeyCtrl && !io.KeyAlt) return control_keys();
  const bool shift = io.KeyShift;
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

void CodeEditor::mouse() {
  const ImGuiIO& io = ImGui::GetIO();
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  if (!ImGui::IsItemActive()) {
    drags_ = false;
    return;
  }
  const glm::vec2 at = glm::vec2(io.MousePos.x, io.MousePos.y) - origin_;
  const std::size_t offset =
      text_.offset_of({static_cast<int>(std::floor(at.y / line_height_)),
                       std::max(0, static_cast<int>(std::lround(at.x / char_width_)))});
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) return text_.select_word(offset);
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
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
      std::lower_bound(tokens_.begin(), tokens_.end(), begin,
                       [](const CodeToken& one, std::size_t from) { return one.begin + one.length <= from; });
  for (; token != tokens_.end() && token->begin < end; ++token) {
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

void CodeEditor::show(const char* id, glm::vec2 size, std::span<const CodeProblem> problems) {
  tokenize();
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
  const int visible = std::max(1, static_cast<int>(room.y / line_height_) - 1);
  const glm::vec2 content = ImGui::GetCursorScreenPos();
  origin_ = content + glm::vec2(gutter, 0);

  // A key that gave the focus is none of the editor.
  const bool was_focused = std::exchange(is_focused_, ImGui::IsWindowFocused());
  bool moved = std::exchange(reveals_, false);
  if (is_focused_) {
    imgui_compat::want_text();
    moved = (was_focused && keys(visible)) || moved;
    tokenize();
  }
  constexpr int kMessageCharacters = 40;
  const glm::vec2 whole{
      gutter + static_cast<float>(text_.longest_line() + (problems.empty() ? 2 : kMessageCharacters)) *
                   char_width_,
      static_cast<float>(text_.line_count() + 1) * line_height_};
  ImGui::InvisibleButton("##text", {std::max(whole.x, room.x - ImGui::GetStyle().ScrollbarSize),
                                    std::max(whole.y, room.y - ImGui::GetStyle().ScrollbarSize)});
  mouse();
  if (is_focused_ && was_focused && ImGui::IsKeyPressed(imgui_compat::key(GLFW_KEY_ESCAPE), false))
    ImGui::SetWindowFocus(nullptr);

  const TextPlace at = text_.place_of(text_.cursor());
  if (moved) {
    const float top = static_cast<float>(at.line) * line_height_;
    const float left = static_cast<float>(at.column) * char_width_;
    const float height = room.y - ImGui::GetStyle().ScrollbarSize - line_height_;
    const float width = room.x - gutter - 3 * char_width_;
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
  for (int i = first; i <= last; ++i)
    draw_line(list, i, origin_.y + static_cast<float>(i) * line_height_, problems);
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
    list.AddText({corner.x, origin_.y + static_cast<float>(i) * line_height_}, packed(colour),
                 number.c_str());
  }
  if (is_focused_)
    list.AddRect({corner.x, corner.y}, {corner.x + room.x, corner.y + room.y}, colours.ring, 0, 0, 2);
  ImGui::EndChild();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

}  // namespace loom::app::code
