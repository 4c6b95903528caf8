#include "app/export/source_trim.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>

namespace loom::app::exporting {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The end of a comment, a string or a character that begins at `at`; `at` if none does.
std::size_t end_of_literal(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) == "//") return std::min(text.find('\n', at), text.size());
  if (text[at] != '"' && text[at] != '\'') return at;
  if (text[at] == '\'' && at > 0 && is_word(text[at - 1])) return at;  // a separator of digits
  std::size_t end = at + 1;
  while (text[end] != text[at]) end += text[end] == '\\' ? 2 : 1;
  return end + 1;
}

/// Calls `use(word)` for each name outside of comments and strings.
template <typename Use>
void for_each_word(std::string_view text, const Use& use) {
  for (std::size_t i = 0; i < text.size();) {
    if (const std::size_t end = end_of_literal(text, i); end > i) {
      i = end;
    } else if (is_word(text[i])) {
      std::size_t past = i;
      while (past < text.size() && is_word(text[past])) ++past;
      use(text.substr(i, past - i));
      i = past;
    } else {
      ++i;
    }
  }
}

/// `text` with each name for which `replacement` has another replaced.
std::string replace_words(std::string_view text, const std::map<std::string, std::string>& replacement) {
  std::string result;
  const char* from = text.data();
  for_each_word(text, [&](std::string_view word) {
    const auto found = replacement.find(std::string(word));
    if (found == replacement.end()) return;
    result.append(from, word.data());
    result += found->second;
    from = word.data() + word.size();
  });
  return result.append(from, text.data() + text.size());
}

/// A declaration with the comment before it, or a comment, a directive or an access specifier by itself.
struct Item {
  enum class Kind { kDeclaration, kClass, kComment, kDirective, kAccess };
  Kind kind = Kind::kDeclaration;
  bool blank_before = false;
  std::string comment = {};
  std::string text = {};  ///< of a class: up to the brace that opens it
  std::string end = {};   ///< of a class: from the brace that closes it
  std::string name = {};
  std::string owner = {};  ///< the class of a member that is defined outside of it
  bool is_function = false;
  std::vector<Item> members = {};
  std::set<std::string, std::less<>> words = {};
  bool kept = false;
};

/// Splits the text of a namespace or a class into items.
class Splitter {
 public:
  Splitter(std::string_view text, std::string_view class_name) : text_(text), class_name_(class_name) {}
  std::vector<Item> items() {
    while (skip_space()) take();
    return std::move(items_);
  }

 private:
  bool skip_space() {
    const std::size_t from = at_;
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    blank_ = std::count(text_.begin() + from, text_.begin() + at_, '\n') > 1;
    return at_ < text_.size();
  }
  std::size_t line_end(std::size_t at) const { return std::min(text_.find('\n', at), text_.size()); }

  void take() {
    Item item{.blank_before = blank_};
    const std::size_t line = text_.rfind('\n', at_) + 1;  // with its indentation
    if (text_[at_] == '#') return take_directive(item);
    std::size_t end = at_;
    while (text_.substr(end, 2) == "//") {
      end = line_end(end) + 1;
      while (end < text_.size() && text_[end] == ' ') ++end;
    }
    if (end > at_) {
      const std::size_t past = text_.rfind('\n', end - 1) + 1;
      item.comment = text_.substr(line, past - line);
      at_ = end;
      if (end >= text_.size() || text_[end] == '\n' || text_[end] == '#') {
        item.kind = Item::Kind::kComment;
        --at_;  // its line break, for the blank line that follows
        items_.push_back(item);
        return;
      }
    }
    take_declaration(item, text_.rfind('\n', at_) + 1);
  }

  void take_directive(Item& item) {
    item.kind = Item::Kind::kDirective;
    const std::size_t from = at_;
    int depth = 0;
    do {
      const std::string_view line = text_.substr(at_, line_end(at_) - at_);
      if (line.starts_with("#if")) ++depth;
      if (line.starts_with("#endif")) --depth;
      at_ = line_end(at_) + 1;
    } while (depth > 0);
    item.text = text_.substr(from, at_ - from);
    items_.push_back(item);
  }

  void take_declaration(Item& item, std::size_t from) {
    std::size_t depth = 0;
    std::size_t open = std::string_view::npos;   // the first brace
    std::size_t close = std::string_view::npos;  // the last one
    bool has_value = false;                      // " = " outside of the template's parameters
    const std::size_t head_from = end_of_parameters(at_);
    std::size_t i = at_;
    for (; i < text_.size(); ++i) {
      if (const std::size_t past = end_of_literal(text_, i); past > i) {
        i = past - 1;
        continue;
      }
      const char c = text_[i];
      if (c == '{' && depth == 0 && open == std::string_view::npos) open = i;
      if (c == '(' || c == '{' || c == '[') ++depth;
      if (c == ')' || c == '}' || c == ']') --depth;
      if (depth > 0) continue;
      if (c == ';') break;
      if (c == ':' && is_access(text_.substr(at_, i - at_))) break;
      if (i > head_from && text_.substr(i - 1, 2) == " =" &&
          std::isspace(static_cast<unsigned char>(text_[i + 1])) != 0)
        has_value = true;
      if (c != '}' || has_value) continue;
      close = i;
      const std::size_t next = text_.find_first_not_of(" \n", i + 1);
      if (next == std::string_view::npos || (text_[next] != ';' && text_[next] != ',' && text_[next] != '{'))
        break;
    }
    const std::size_t rest = line_end(i);
    const std::size_t past = text_.find_first_not_of(' ', i + 1);
    const bool has_remark = past < rest && text_.substr(past, 2) == "//";  // behind it, on its line
    std::size_t stop = has_remark ? rest : i + 1;
    for (std::size_t next = stop; has_remark; stop = line_end(next)) {  // the remark's other lines
      next = std::min(text_.find_first_not_of(" \n", stop), text_.size());
      if (text_.substr(next, 2) != "//" || column(next) != column(past)) break;
    }
    const std::string_view head = text_.substr(at_, std::min(open, i) - at_);
    const std::size_t begin = at_;
    at_ = stop;
    if (head.starts_with("namespace")) {
      for (Item& inner : Splitter(text_.substr(open + 1, close - open - 1), {}).items())
        items_.push_back(inner);
      return;
    }
    item.text = std::string(text_.substr(from, stop - from));
    if (text_[i] == ':') {
      item.kind = Item::Kind::kAccess;
    } else {
      name_item(item, text_.substr(begin, i - begin));
      if (item.kind == Item::Kind::kClass && open != std::string_view::npos) {
        item.text = text_.substr(from, open + 1 - from);
        item.end = text_.substr(close, stop - close);
        item.members = Splitter(text_.substr(open + 1, close - open - 1), item.name).items();
      }
    }
    items_.push_back(item);
  }
  /// The end of the parameters of a template that begins at `at`; `at` if it is none.
  std::size_t end_of_parameters(std::size_t at) const {
    if (!text_.substr(at).starts_with("template <")) return at;
    int angles = 0;
    do {
      if (text_[at] == '<') ++angles;
      if (text_[at] == '>') --angles;
      ++at;
    } while (angles > 0 || text_[at - 1] != '>');
    return at;
  }
  std::size_t column(std::size_t at) const { return at - (text_.rfind('\n', at) + 1); }
  static bool is_access(std::string_view text) {
    return text == "public" || text == "private" || text == "protected";
  }

  /// Finds the name: the last word before the first (, =, {, [ or ; outside of <...>.
  void name_item(Item& item, std::string_view text) const {
    std::vector<std::string> words;  // outside of <...>, with "::" for qualified names
    int angles = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '<') ++angles;
      if (text[i] == '>') --angles;
      if (angles > 0) continue;
      if (text.substr(i, 2) == "::") words.emplace_back("::");
      if (is_word(text[i])) {
        const std::size_t from = i;
        while (i + 1 < text.size() && is_word(text[i + 1])) ++i;
        words.emplace_back(text.substr(from, i + 1 - from));
        if ((words.back() == "decltype" || words.back() == "alignas" || words.back() == "_Pragma") &&
            text[i + 1] == '(')
          i = text.find(')', i);
        if (words.back() == "operator") break;
        continue;
      }
      if (text[i] == '(' || text[i] == '=' || text[i] == '{' || text[i] == '[') {
        item.is_function = text[i] == '(';
        break;
      }
    }
    std::size_t first = 0;
    while (first < words.size() && (words[first] == "template" || words[first] == "extern")) ++first;
    const std::string start = first < words.size() ? words[first] : "";
    const bool is_instance = first > 0 && text.substr(text.find("template") + 8).starts_with(" class");
    if (start == "class" || start == "struct") {
      // A forward declaration and an explicit instance are not needed.
      if (text.find('{') == std::string_view::npos || is_instance) {
        item.name = "";
        item.text.clear();
        return;
      }
      item.kind = Item::Kind::kClass;
      item.name = words[first + 1] == "alignas" ? words[first + 2] : words[first + 1];
      item.is_function = false;
      return;
    }
    if (start == "enum" || start == "using") {
      item.name = words[first + (words[first + 1] == "class" ? 2 : 1)];
      item.is_function = false;
      return;
    }
    if (first > 0 && words[0] == "template" && text.starts_with("template ") &&
        !text.starts_with("template <")) {
      item.text.clear();  // an explicit instance of a function
      return;
    }
    if (words.empty()) return;
    item.name = words.back();
    if (words.size() > 2 && words[words.size() - 2] == "::") item.owner = words[words.size() - 3];
    if (item.owner == "std") item.owner.clear();
    // Not a member, or one that is inline anyway.
    const bool needs_inline = item.is_function && class_name_.empty() && first == 0 && start != "inline" &&
                              start != "constexpr" && !start.starts_with("LOOM_");
    if (needs_inline) item.text = "inline " + item.text;
  }

  std::string_view text_;
  std::string_view class_name_;
  std::size_t at_ = 0;
  bool blank_ = false;
  std::vector<Item> items_;
};

/// Data, constructors and operators are kept with their class, other members by name.
bool is_kept_with_class(const Item& member, const Item& of) {
  if (member.kind != Item::Kind::kDeclaration) return false;
  if (member.name == of.name || member.name == "operator" || member.text.find("friend") != std::string::npos)
    return true;
  const bool is_static = member.text.find("static constexpr") != std::string::npos;
  return !member.is_function && !is_static &&
         !std::string_view(member.text).substr(member.text.find_first_not_of(' ')).starts_with("using");
}

/// C++20 that is not C++17: `== default` becomes a comparison of the members, if they are numbers; otherwise
/// it is left out, because what is exported does not need it.
void rewrite_comparisons(std::vector<Item>& items) {
  for (Item& item : items) {
    if (item.kind != Item::Kind::kClass) continue;
    rewrite_comparisons(item.members);
    std::string equal;
    bool simple = item.name.starts_with("Coord");
    for (const Item& member : item.members) {
      if (member.kind == Item::Kind::kDeclaration && !member.is_function && member.name != "operator")
        equal += fmt::format("{}a.{} == b.{}", equal.empty() ? "" : " && ", member.name, member.name);
    }
    std::erase_if(item.members, [&](const Item& member) {
      return member.name == "operator" && !simple && member.text.find("operator==") != std::string::npos;
    });
    for (Item& member : item.members) {
      const std::size_t at = member.text.find(" = default;");
      const std::string type = fmt::format("const {}&", item.name);
      if (member.name != "operator" || at == std::string::npos) continue;
      member.text =
          fmt::format("  friend constexpr bool operator==({} a, {} b) {{ return {}; }}", type, type, equal);
    }
  }
}

class Trimmer {
 public:
  Trimmer(std::span<const SourceFile> sources, const Selection& selection) : selection_(selection) {
    std::map<std::string, std::string> renamed{{"LOOM_HOST_DEVICE", "FRACTAL_MAPS_HOST_DEVICE"},
                                               {"LOOM_HOST_DEVICE_CALL", "FRACTAL_MAPS_HOST_DEVICE_CALL"},
                                               {"LOOM_UNROLL", "FRACTAL_MAPS_UNROLL"},
                                               {"loom", "fractal_maps"}};
    for (const auto& [name, other] : selection.aliases) renamed[name] = other;
    for (const std::string& path : selection.paths) {
      const auto source = std::find_if(sources.begin(), sources.end(),
                                       [&](const SourceFile& one) { return one.path == path; });
      if (source == sources.end())
        throw std::logic_error(fmt::format("source file {} is not embedded", path));
      files_.push_back({path, Splitter(source->text, {}).items()});
      rewrite_comparisons(files_.back().items);
      add_notes(files_.back());
      finish(files_.back().items, renamed);
    }
    need(replace_words(selection.uses, renamed));
    while (keep_needed()) {
    }
  }

  std::vector<TrimmedFile> files() const {
    std::vector<TrimmedFile> result;
    for (const File& file : files_) {
      TrimmedFile trimmed{file.path, {}, {}};
      for (const Item& item : file.items) {
        if (item.kind != Item::Kind::kDirective || !item.text.starts_with("#include ")) continue;
        trimmed.includes.push_back(item.text.substr(9, item.text.find_last_of(">\"") - 8));
      }
      trimmed.text = written(file.items);
      result.push_back(trimmed);
    }
    return result;
  }

 private:
  struct File {
    std::string path;
    std::vector<Item> items;
  };

  void add_notes(File& file) const {
    for (Item& item : file.items) {
      const std::string line =
          fmt::format("{} {}\n", std::filesystem::path(file.path).filename().string(), item.name);
      const std::size_t at = selection_.notes.find(line);
      if (at == std::string_view::npos || item.comment.empty() || item.name.empty()) continue;
      for (std::string_view rest = selection_.notes.substr(at + line.size()); rest.starts_with("///");
           rest.remove_prefix(rest.find('\n') + 1))
        item.comment += rest.substr(0, rest.find('\n') + 1);
    }
  }

  bool is_left_out(const Item& item) const {
    if (item.kind == Item::Kind::kDeclaration && item.text.empty()) return true;
    for (const auto& [name, other] : selection_.aliases)
      if (item.name == name && item.kind == Item::Kind::kDeclaration && item.owner.empty() &&
          item.is_function)
        return true;
    return std::any_of(selection_.without.begin(), selection_.without.end(), [&](const std::string& start) {
      return std::string_view(item.text)
          .substr(std::min(item.text.find_first_not_of(' '), item.text.size()))
          .starts_with(start);
    });
  }

  void finish(std::vector<Item>& items, const std::map<std::string, std::string>& renamed) const {
    std::erase_if(items, [&](const Item& item) { return is_left_out(item); });
    for (Item& item : items) {
      item.text = replace_words(item.text, renamed);
      for_each_word(item.text, [&](std::string_view word) {
        if (word != item.name) item.words.emplace(word);
      });
      finish(item.members, renamed);
    }
  }

  bool need(std::string_view text) {
    bool more = false;
    for_each_word(text, [&](std::string_view word) { more = needed_.emplace(word).second || more; });
    return more;
  }
  bool keep(Item& item) {
    if (item.kept) return false;
    item.kept = true;
    needed_.insert(item.words.begin(), item.words.end());
    if (item.kind == Item::Kind::kClass) classes_.insert(item.name);
    return true;
  }
  bool is_needed(const std::string& name) const { return needed_.contains(name); }

  bool keep_needed(std::vector<Item>& items, const Item* of) {
    bool more = false;
    for (Item& item : items) {
      bool wanted = is_needed(item.name);
      if (of != nullptr) wanted = wanted || is_kept_with_class(item, *of);
      if (!item.owner.empty()) wanted = classes_.contains(item.owner) && (wanted || item.name == item.owner);
      if (item.kind == Item::Kind::kDirective)
        wanted = std::any_of(item.words.begin(), item.words.end(), [&](const std::string& word) {
          return word.starts_with("FRACTAL_MAPS_") && is_needed(word);
        });
      if (item.kind == Item::Kind::kComment || item.kind == Item::Kind::kAccess || !(wanted || item.kept))
        continue;
      more = keep(item) || more;
      more = keep_needed(item.members, &item) || more;
    }
    return more;
  }
  bool keep_needed() {
    bool more = false;
    for (File& file : files_) more = keep_needed(file.items, nullptr) || more;
    return more;
  }

  static bool is_heading(const Item& item) {
    return item.kind == Item::Kind::kComment || item.kind == Item::Kind::kAccess;
  }
  /// A comment by itself and an access specifier stay if something stays between them and the next of their
  /// kind.
  static std::string written(const std::vector<Item>& items) {
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Item& item = items[i];
      if (is_heading(item)) {
        std::size_t next = i + 1;
        while (next < items.size() && !items[next].kept && (items[next].kind != item.kind)) ++next;
        if (next == items.size() || !items[next].kept) continue;
      } else if (!item.kept) {
        continue;
      }
      if (item.blank_before && !text.empty()) text += '\n';
      text += item.comment + item.text;
      if (item.kind == Item::Kind::kClass) {
        const std::string members = written(item.members);
        text += members.empty() ? item.end : "\n" + members + item.end;
      }
      if (!text.empty() && text.back() != '\n') text += '\n';
    }
    return text;
  }

  const Selection& selection_;
  std::vector<File> files_;
  std::set<std::string, std::less<>> needed_;
  std::set<std::string, std::less<>> classes_;
};

}  // namespace

std::vector<TrimmedFile> trim(std::span<const SourceFile> sources, const Selection& selection) {
  return Trimmer(sources, selection).files();
}

}  // namespace loom::app::exporting
