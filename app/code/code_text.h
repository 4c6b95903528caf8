#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loom::app::code {

/// A place in a text: line and column from 0; a column is a number of characters, not of bytes.
struct TextPlace {
  int line = 0;
  int column = 0;
  friend bool operator==(const TextPlace&, const TextPlace&) = default;
};

/// A text in UTF-8 that is edited: cursor, selection, indentation, comments, undo. Offsets are in bytes and
/// at the beginning of a character. Tab characters become spaces. Only changes take time that grows with the
/// text.
class CodeText {
 public:
  static constexpr std::size_t kMaxBytes = 65536;  ///< longer texts are cut
  static constexpr int kIndent = 2;

  CodeText() { set(""); }
  /// Replaces everything. It can be undone unless `is_new`. A text that stays the same and is the user's
  /// remains so.
  void set(std::string_view text, std::string_view origin = {}, bool is_new = true);
  const std::string& text() const { return text_; }
  /// Where foreign code in the text came from; empty: it is the user's. Edits keep it, except those that
  /// replace the whole text; undo and redo restore it with the text.
  const std::string& origin() const { return origin_; }
  /// The text as it is becomes the user's.
  void accept() { origin_.clear(); }
  /// Changes with each change of the text.
  std::uint64_t version() const { return version_; }

  int line_count() const { return static_cast<int>(line_begins_.size()); }
  std::string_view line(int number) const;
  std::size_t line_begin(int number) const { return line_begins_[static_cast<std::size_t>(number)]; }
  /// In characters.
  int longest_line() const { return longest_line_; }
  TextPlace place_of(std::size_t offset) const;
  /// The nearest offset.
  std::size_t offset_of(TextPlace place) const;

  std::size_t cursor() const { return cursor_; }
  bool has_selection() const { return cursor_ != anchor_; }
  std::size_t selection_begin() const { return std::min(cursor_, anchor_); }
  std::size_t selection_end() const { return std::max(cursor_, anchor_); }
  std::string_view selected() const;
  /// `selects` keeps the other end of the selection.
  void move_to(std::size_t offset, bool selects);
  void select(std::size_t begin, std::size_t end);
  void select_all() { select(0, text_.size()); }
  void select_word(std::size_t offset);

  // Movements of the cursor.
  void move_characters(int by, bool selects);
  void move_words(int by, bool selects);
  void move_lines(int by, bool selects);
  /// To the first character that is no space, or to the begin of the line.
  void move_home(bool selects);
  void move_end(bool selects);

  // Changes: each is one undo step; typed characters in a row are one.
  void type(std::string_view characters);
  void paste(std::string_view characters);
  void new_line();
  void erase_backwards(bool word = false);
  void erase_forwards();
  /// Indents the selected lines, or inserts spaces.
  void indent();
  void unindent();
  /// Adds or removes // at the selected lines.
  void toggle_comment();
  bool can_undo() const { return !undo_.empty(); }
  bool can_redo() const { return !redo_.empty(); }
  void undo() { restore(undo_, redo_); }
  void redo() { restore(redo_, undo_); }

  /// Selects the next occurrence behind the selection, else the first of the text, ignoring case. Returns
  /// false if there is none.
  bool find(std::string_view words, bool backwards = false);

 private:
  static constexpr std::size_t kPart = 64;
  struct State {
    std::string text;
    std::string origin;
    std::size_t cursor = 0;
    std::size_t anchor = 0;
  };
  void before_change(bool types);
  void replace_selection(std::string_view with);
  void changed();
  void restore(std::vector<State>& from, std::vector<State>& to);
  int characters_before(std::size_t offset) const;
  std::size_t next(std::size_t offset) const;
  std::size_t previous(std::size_t offset) const;
  /// Calls `edit(line)` for the text of each selected line and replaces them by its results.
  template <typename Edit>
  void edit_lines(const Edit& edit);

  std::string text_;
  std::string origin_;
  std::vector<std::size_t> line_begins_;
  std::vector<int> characters_;  ///< before each part of kPart bytes
  int longest_line_ = 0;
  std::size_t cursor_ = 0;
  std::size_t anchor_ = 0;
  int kept_column_ = -1;  ///< of movements by lines; -1: that of the cursor
  std::uint64_t version_ = 0;
  bool types_ = false;  ///< the last change was typed
  std::vector<State> undo_;
  std::vector<State> redo_;
};

}  // namespace loom::app::code
