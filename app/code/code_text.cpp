#include "app/code/code_text.h"

#include <cctype>
#include <utility>

namespace loom::app::code {
namespace {

constexpr std::size_t kMaxUndo = 200;

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}
bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
std::size_t leading_spaces(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}
std::string with_spaces(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (const char c : text) {
    if (c == '\t') {
      plain.append(CodeText::kIndent, ' ');
    } else if (c != '\r' && c != '\0') {
      plain += c;
    }
  }
  return plain;
}
bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char one, char other) {
    return std::tolower(static_cast<unsigned char>(one)) == std::tolower(static_cast<unsigned char>(other));
  });
}

}  // namespace

void CodeText::set(std::string_view text, std::string_view origin, bool is_new) {
  std::string plain = with_spaces(text);
  if (!is_new && plain == text_) {
    if (origin.empty()) accept();
    return;
  }
  if (is_new) {
    undo_.clear();
    redo_.clear();
  } else {
    before_change(false);
  }
  text_ = std::move(plain);
  origin_ = origin;
  cursor_ = anchor_ = 0;
  types_ = false;
  changed();
}

std::string_view CodeText::line(int number) const {
  const std::size_t begin = line_begin(number);
  const std::size_t end = number + 1 < line_count() ? line_begin(number + 1) - 1 : text_.size();
  return std::string_view(text_).substr(begin, end - begin);
}

int CodeText::characters_before(std::size_t offset) const {
  const std::size_t part = offset / kPart;
  int count = characters_[part];
  for (std::size_t i = part * kPart; i < offset; ++i) count += continues(text_[i]) ? 0 : 1;
  return count;
}

TextPlace CodeText::place_of(std::size_t offset) const {
  const auto after = std::upper_bound(line_begins_.begin(), line_begins_.end(), offset);
  const auto line = static_cast<int>(after - line_begins_.begin()) - 1;
  return {line, characters_before(offset) - characters_before(line_begin(line))};
}

std::size_t CodeText::offset_of(TextPlace place) const {
  const int number = std::clamp(place.line, 0, line_count() - 1);
  const std::size_t begin = line_begin(number);
  const std::size_t end = begin + line(number).size();
  const int first = characters_before(begin);
  if (place.column >= characters_before(end) - first) return end;
  const int wanted = first + std::max(place.column, 0);
  const auto after = std::upper_bound(characters_.begin(), characters_.end(), wanted);
  std::size_t i = std::max(begin, (static_cast<std::size_t>(after - characters_.begin()) - 1) * kPart);
  for (int count = characters_before(i); count < wanted || continues(text_[i]); ++i)
    count += continues(text_[i]) ? 0 : 1;
  return i;
}

std::string_view CodeText::selected() const {
  return std::string_view(text_).substr(selection_begin(), selection_end() - selection_begin());
}

void CodeText::move_to(std::size_t offset, bool selects) {
  cursor_ = std::min(offset, text_.size());
  if (!selects) anchor_ = cursor_;
  kept_column_ = -1;
  types_ = false;
}

void CodeText::select(std::size_t begin, std::size_t end) {
  move_to(begin, false);
  move_to(end, true);
}

void CodeText::select_word(std::size_t offset) {
  std::size_t begin = std::min(offset, text_.size());
  std::size_t end = begin;
  while (begin > 0 && is_word(text_[begin - 1])) --begin;
  while (end < text_.size() && is_word(text_[end])) ++end;
  select(begin, end);
}

std::size_t CodeText::next(std::size_t offset) const {
  if (offset < text_.size()) ++offset;
  while (offset < text_.size() && continues(text_[offset])) ++offset;
  return offset;
}
std::size_t CodeText::previous(std::size_t offset) const {
  if (offset > 0) --offset;
  while (offset > 0 && continues(text_[offset])) --offset;
  return offset;
}

void CodeText::move_characters(int by, bool selects) {
  if (has_selection() && !selects) return move_to(by < 0 ? selection_begin() : selection_end(), false);
  move_to(by < 0 ? previous(cursor_) : next(cursor_), selects);
}

void CodeText::move_words(int by, bool selects) {
  std::size_t to = cursor_;
  if (by < 0) {
    while (to > 0 && !is_word(text_[to - 1])) --to;
    while (to > 0 && is_word(text_[to - 1])) --to;
  } else {
    while (to < text_.size() && !is_word(text_[to])) ++to;
    while (to < text_.size() && is_word(text_[to])) ++to;
  }
  move_to(to, selects);
}

void CodeText::move_lines(int by, bool selects) {
  const TextPlace now = place_of(cursor_);
  const int column = kept_column_ >= 0 ? kept_column_ : now.column;
  move_to(offset_of({std::clamp(now.line + by, 0, line_count() - 1), column}), selects);
  kept_column_ = column;
}

void CodeText::move_home(bool selects) {
  const int number = place_of(cursor_).line;
  const std::size_t text_begin = line_begin(number) + leading_spaces(line(number));
  move_to(cursor_ == text_begin ? line_begin(number) : text_begin, selects);
}

void CodeText::move_end(bool selects) {
  const int number = place_of(cursor_).line;
  move_to(line_begin(number) + line(number).size(), selects);
}

void CodeText::before_change(bool types) {
  redo_.clear();
  if (types && types_ && !undo_.empty()) return;
  undo_.push_back({text_, origin_, cursor_, anchor_});
  if (undo_.size() > kMaxUndo) undo_.erase(undo_.begin());
}

void CodeText::changed() {
  if (text_.size() > kMaxBytes) {
    std::size_t end = kMaxBytes;
    while (end > 0 && continues(text_[end])) --end;
    text_.resize(end);
  }
  cursor_ = std::min(cursor_, text_.size());
  anchor_ = std::min(anchor_, text_.size());
  line_begins_.assign(1, 0);
  characters_.clear();
  longest_line_ = 0;
  int count = 0;
  int line_first = 0;
  for (std::size_t i = 0; i <= text_.size(); ++i) {
    if (i % kPart == 0) characters_.push_back(count);
    if (i == text_.size() || text_[i] == '\n') {
      longest_line_ = std::max(longest_line_, count - line_first);
      line_first = count + 1;
      if (i < text_.size()) line_begins_.push_back(i + 1);
    }
    if (i < text_.size()) count += continues(text_[i]) ? 0 : 1;
  }
  kept_column_ = -1;
  ++version_;
}

void CodeText::replace_selection(std::string_view with) {
  const std::size_t begin = selection_begin();
  const std::size_t length = selection_end() - begin;
  if (length == text_.size()) origin_.clear();
  text_.replace(begin, length, with);
  cursor_ = anchor_ = begin + with.size();
  changed();
}

void CodeText::type(std::string_view characters) {
  before_change(!has_selection());
  // A closing brace at the begin of a line goes to the column of its statement.
  if (characters == "}" && !has_selection()) {
    const TextPlace at = place_of(cursor_);
    const std::string_view before = line(at.line).substr(0, cursor_ - line_begin(at.line));
    if (before.size() >= kIndent && leading_spaces(before) == before.size()) anchor_ = cursor_ - kIndent;
  }
  replace_selection(characters);
  types_ = true;
}

void CodeText::paste(std::string_view characters) {
  before_change(false);
  replace_selection(with_spaces(characters));
  types_ = false;
}

void CodeText::new_line() {
  before_change(false);
  const TextPlace at = place_of(selection_begin());
  const std::string_view before = line(at.line).substr(0, selection_begin() - line_begin(at.line));
  std::size_t spaces = leading_spaces(before);
  const std::size_t last = before.find_last_not_of(' ');
  if (last != std::string_view::npos && before[last] == '{') spaces += kIndent;
  replace_selection("\n" + std::string(spaces, ' '));
  types_ = false;
}

void CodeText::erase_backwards(bool word) {
  if (!has_selection()) {
    if (cursor_ == 0) return;
    const std::size_t end = cursor_;
    const TextPlace at = place_of(cursor_);
    const std::string_view before = line(at.line).substr(0, cursor_ - line_begin(at.line));
    if (word) {
      move_words(-1, false);
      cursor_ = end;
    } else {
      // Indentation goes by steps.
      const bool is_indent =
          !before.empty() && before.size() % kIndent == 0 && leading_spaces(before) == before.size();
      anchor_ = is_indent ? end - kIndent : previous(end);
    }
  }
  before_change(false);
  replace_selection("");
  types_ = false;
}

void CodeText::erase_forwards() {
  if (!has_selection()) {
    if (cursor_ == text_.size()) return;
    anchor_ = next(cursor_);
  }
  before_change(false);
  replace_selection("");
  types_ = false;
}

template <typename Edit>
void CodeText::edit_lines(const Edit& edit) {
  before_change(false);
  const TextPlace begin = place_of(selection_begin());
  TextPlace end = place_of(selection_end());
  if (end.line > begin.line && end.column == 0) --end.line;
  const bool selects = has_selection();
  const int column = place_of(cursor_).column;
  const auto old_length = static_cast<int>(line(begin.line).size());
  std::string lines;
  for (int number = begin.line; number <= end.line; ++number) {
    if (number > begin.line) lines += '\n';
    lines += edit(line(number));
  }
  const std::size_t from = line_begin(begin.line);
  select(from, line_begin(end.line) + line(end.line).size());
  std::string origin = origin_;  // its lines are not replaced by the user's
  replace_selection(lines);
  origin_ = std::move(origin);
  types_ = false;
  if (selects) return select(from, from + lines.size());
  move_to(
      offset_of({begin.line, std::max(0, column + static_cast<int>(line(begin.line).size()) - old_length)}),
      false);
}

void CodeText::indent() {
  if (place_of(selection_begin()).line == place_of(selection_end()).line && !has_selection()) {
    const int column = place_of(cursor_).column;
    before_change(false);
    replace_selection(std::string(static_cast<std::size_t>(kIndent - column % kIndent), ' '));
    types_ = false;
    return;
  }
  edit_lines([](std::string_view line) {
    return line.empty() ? std::string() : std::string(kIndent, ' ') + std::string(line);
  });
}

void CodeText::unindent() {
  edit_lines([](std::string_view line) {
    return std::string(line.substr(std::min<std::size_t>(leading_spaces(line), kIndent)));
  });
}

void CodeText::toggle_comment() {
  const int first = place_of(selection_begin()).line;
  const std::string_view line_text = line(first);
  const bool is_comment = line_text.substr(leading_spaces(line_text)).starts_with("//");
  edit_lines([is_comment](std::string_view line) {
    const std::size_t spaces = leading_spaces(line);
    std::string text(line);
    if (!is_comment) return text.insert(spaces, "// ");
    if (!line.substr(spaces).starts_with("//")) return text;
    return text.erase(spaces, line.substr(spaces).starts_with("// ") ? 3 : 2);
  });
}

void CodeText::restore(std::vector<State>& from, std::vector<State>& to) {
  if (from.empty()) return;
  to.push_back({std::move(text_), std::move(origin_), cursor_, anchor_});
  text_ = std::move(from.back().text);
  origin_ = std::move(from.back().origin);
  cursor_ = from.back().cursor;
  anchor_ = from.back().anchor;
  from.pop_back();
  types_ = false;
  changed();
}

bool CodeText::find(std::string_view words, bool backwards) {
  if (words.empty() || words.size() > text_.size()) return false;
  const std::size_t places = text_.size() - words.size() + 1;
  const std::size_t from = selection_begin();
  for (std::size_t i = 1; i <= places; ++i) {
    const std::size_t at =
        backwards ? (from + 2 * places - i) % places : (from + (has_selection() ? i : i - 1)) % places;
    if (!same_letters(std::string_view(text_).substr(at, words.size()), words)) continue;
    select(at, at + words.size());
    return true;
  }
  return false;
}

}  // namespace loom::app::code
