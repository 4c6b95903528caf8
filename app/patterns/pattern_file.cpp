#include <charconv>

#include "app/patterns/pattern.h"
#include "compute/workload/rule_text.h"

namespace loom::app::patterns {
namespace {

constexpr std::string_view kName = "Name:";

/// Removes a whole number from the beginning of `text`. Returns the number.
std::optional<std::int64_t> take_number(std::string_view& text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// Sets the rule that a file names, without the bounds of the plane; a comma may follow.
void set_rule(Pattern& pattern, std::string_view text, const PatternLineReader& lines) {
  text = trimmed(text);
  while (text.ends_with(',')) text = trimmed(text.substr(0, text.size() - 1));
  if (text.empty()) return;
  try {
    pattern.rule = parse_rule(text);
  } catch (const InputError& error) {
    lines.fail(error.what());
  }
  if (names_bounds(text))
    pattern.note =
        fmt::format("The plane of rule {} is bounded; here its bounds are the fractal's.", shown(text));
}

}  // namespace

std::optional<Coord<std::int64_t>> take_place(std::string_view& text) {
  const auto x = take_number(text);
  if (!text.empty() && text.front() == ',') text.remove_prefix(1);
  const auto y = take_number(text);
  constexpr std::int64_t kFar = std::int64_t{1} << 62;  // sums with it do not overflow
  if (!x || !y || std::max(*x, *y) > kFar || std::min(*x, *y) < -kFar) return std::nullopt;
  return Coord<std::int64_t>{*x, *y};
}

Pattern parse_pattern(std::string_view text, std::string_view name, const ProgressMonitor* watch) {
  text = without_byte_order_mark(text);
  if (text.size() > kMaxBytes)
    throw InputError(fmt::format("{}: has {} bytes; allowed: up to {}", name, text.size(), kMaxBytes));
  const std::string_view begun = text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  const bool marked = begun.starts_with('!') || begun.starts_with("#Life") ||
                      (begun.starts_with("#P ") && begun.find('$') == std::string_view::npos);
  const bool rows = !begun.empty() && begun.find_first_not_of(".Oo* \t\r\n") == std::string_view::npos;
  Pattern pattern = marked || rows ? parse_cells(text, name, watch) : parse_rle(text, name, watch);
  if (!pattern.rule) pattern.rule = parse_rule("Conway");
  return pattern;
}

Pattern read_pattern_file(const std::filesystem::path& file, const ProgressMonitor* watch) {
  const std::string text =
      read_input(file, kMaxBytes, "a pattern as RLE, .cells or .lif", [watch] { check_cancel(watch); });
  return parse_pattern(text, file.filename().string(), watch);
}

Pattern parse_cells(std::string_view text, std::string_view name, const ProgressMonitor* watch) {
  PatternLineReader lines(text, name, watch);
  Pattern pattern;
  std::vector<Coord<std::int64_t>> cells;
  Coord<std::int64_t> next{0, 0};  // where the next row begins
  bool has_place = false;          // of Life 1.05 or 1.06
  const auto add = [&](std::int64_t x, std::int64_t y) {
    lines.check_count(cells.size());
    cells.push_back({x, y});
  };
  std::string_view line;
  while (lines.next(line)) {
    const char first = line.empty() ? ' ' : line.front();
    if (first == '!') {
      const std::string_view comment = trimmed(line.substr(1));
      if (comment.starts_with(kName)) {
        pattern.name = std::string(trimmed(comment.substr(kName.size())).substr(0, kLongestComment));
      } else if (!comment.empty()) {
        add_comment(pattern, comment);
      }
    } else if (first == '#') {
      const char kind = line.size() > 1 ? line[1] : ' ';
      std::string_view rest = trimmed(line.substr(std::min<std::size_t>(line.size(), 2)));
      has_place = true;
      if (kind == 'P' && !rest.empty()) {
        const auto place = take_place(rest);
        if (!place) lines.fail("#P is not a position; allowed: #P X Y with two whole numbers");
        next = *place;
      } else if (kind == 'R') {
        set_rule(pattern, rest, lines);
      } else if (kind == 'D' && !rest.empty()) {
        add_comment(pattern, rest);
      }
    } else if (has_place && (first == '-' || (first >= '0' && first <= '9'))) {
      std::string_view numbers = line;
      const auto cell = take_place(numbers);
      if (!cell)
        lines.fail(fmt::format("'{}' is not a cell; allowed: X Y with two whole numbers", shown(line)));
      add(cell->x, cell->y);
    } else if (!has_place || !trimmed(line).empty()) {
      std::int64_t x = next.x;
      for (const char c : line) {
        if (c == ' ' || c == '\t') continue;
        if (c == 'O' || c == 'o' || c == '*') {
          add(x, next.y);
        } else if (c != '.') {
          lines.fail(fmt::format("'{}' is not a cell; allowed: . for a dead and O for a living cell",
                                 shown(std::string_view(&c, 1))));
        }
        ++x;
      }
      ++next.y;
      if (!has_place) pattern.width = std::max(pattern.width, static_cast<std::uint32_t>(x));
    }
  }
  Coord<std::int64_t> low{0, 0};
  if (has_place && !cells.empty()) {
    low = cells.front();
    for (const auto& cell : cells) low = {std::min(low.x, cell.x), std::min(low.y, cell.y)};
    pattern.at = low;
  }
  if (!has_place) pattern.height = static_cast<std::uint32_t>(next.y);
  for (const auto& cell : cells)
    lines.add(pattern, static_cast<std::uint64_t>(cell.x) - static_cast<std::uint64_t>(low.x),
              static_cast<std::uint64_t>(cell.y) - static_cast<std::uint64_t>(low.y));
  sort_cells(pattern, watch);
  return pattern;
}

std::string to_cells(const Pattern& pattern) {
  std::string text;
  if (!pattern.name.empty()) text += fmt::format("!{} {}\n", kName, pattern.name);
  for (const std::string& comment : pattern.comments) text += fmt::format("!{}\n", comment);
  std::size_t next = 0;
  for (std::uint32_t y = 0; y < pattern.height; ++y) {
    std::string row;
    for (; next < pattern.cells.size() && pattern.cells[next].y == y; ++next) {
      if (text.size() + pattern.cells[next].x > kMaxBytes) break;
      row.resize(pattern.cells[next].x, '.');
      row += 'O';
    }
    // A width beyond the last living cell is written as dead cells of the first row.
    if (y == 0 && text.size() + pattern.width <= kMaxBytes) row.resize(pattern.width, '.');
    text += row;
    text += '\n';
    if (text.size() > kMaxBytes || (next < pattern.cells.size() && pattern.cells[next].y == y))
      throw InputError(
          fmt::format("{} × {} cells are too many for plain text; allowed: at most {} bytes, or RLE",
                      pattern.width, pattern.height, kMaxBytes));
  }
  return text;
}

namespace {

constexpr std::size_t kLongestLine = 70;

class RleReader {
 public:
  RleReader(std::string_view text, std::string_view name, const ProgressMonitor* watch)
      : lines_(text, name, watch), watch_(watch) {}

  Pattern read() {
    std::string_view line;
    bool begun = false;
    while (!ended_ && lines_.next(line)) {
      line = trimmed(line);
      if (line.empty()) continue;
      if (line.front() == '#') {
        hash_line(line);
      } else if (!begun && (line.starts_with('x') || line.starts_with('X')) &&
                 line.find('=') != std::string_view::npos) {
        header(line);
        begun = true;
      } else {
        begun = true;
        runs(line);
      }
    }
    if (!begun && !ended_) lines_.fail("there are no cells, so a part is missing");
    if (count_) lines_.fail("the pattern ends with a number, so a part is missing");
    if (!ended_) pattern_.note = "The file ends without '!': a part may be missing.";
    sort_cells(pattern_, watch_);
    return std::move(pattern_);
  }

 private:
  void hash_line(std::string_view line) {
    const char kind = line.size() > 1 ? line[1] : ' ';
    std::string_view text = trimmed(line.substr(std::min<std::size_t>(line.size(), 2)));
    if (line.starts_with("#CXRLE")) {
      const std::size_t pos = line.find("Pos=");
      if (pos == std::string_view::npos) return;
      std::string_view place = line.substr(pos + 4);
      pattern_.at = take_place(place);
      if (!pattern_.at) lines_.fail("Pos= is not a position; allowed: Pos=X,Y with two whole numbers");
    } else if (kind == 'N') {
      pattern_.name = std::string(text.substr(0, kLongestComment));
    } else if (kind == 'P' || kind == 'R') {
      pattern_.at = take_place(text);
      if (!pattern_.at)
        lines_.fail(
            fmt::format("#{} is not a position; allowed: #{} X Y with two whole numbers", kind, kind));
    } else if (kind == 'r') {
      rule(text);
    } else {
      add_comment(pattern_, kind == 'C' || kind == 'c' || kind == 'O' ? text : trimmed(line.substr(1)));
    }
  }

  // A rule such as LifeHistory marks cells of Life: states 1, 3 and 5 are alive.
  void rule(std::string_view text) {
    constexpr std::string_view kHistory = "History";
    const std::size_t at = text.find(kHistory);
    is_history_ = at != std::string_view::npos;
    set_rule(pattern_,
             is_history_ ? std::string(text.substr(0, at)).append(text.substr(at + kHistory.size()))
                         : std::string(text),
             lines_);
  }

  // "x = 3, y = 3, rule = B3/S23"; the rule may contain commas.
  void header(std::string_view line) {
    const auto fail = [&] {
      lines_.fail("the header is not valid; allowed: a line such as 'x = 3, y = 3, rule = B3/S23'");
    };
    const auto number = [&](char letter) {
      line = trimmed(line);
      if (line.empty() || (line.front() | 0x20) != letter) fail();
      line = trimmed(line.substr(1));
      if (line.empty() || line.front() != '=') fail();
      line.remove_prefix(1);
      const auto value = take_number(line);
      if (!value || *value < 0) fail();
      if (*value > kMostSide) lines_.check_in_bounds(kMostSide, 0);
      line = trimmed(line);
      if (!line.empty() && line.front() == ',') line.remove_prefix(1);
      return static_cast<std::uint32_t>(*value);
    };
    pattern_.width = number('x');
    pattern_.height = number('y');
    line = trimmed(line);
    if (line.empty()) return;
    if (!line.starts_with("rule")) fail();
    line = trimmed(line.substr(4));
    if (line.empty() || line.front() != '=') fail();
    rule(line.substr(1));
  }

  void runs(std::string_view line) {
    CancelPoll poll(watch_, 1 << 16);
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      poll();
      if (c >= '0' && c <= '9') {
        count_ = std::min<std::uint64_t>(count_.value_or(0) * 10 + static_cast<std::uint64_t>(c - '0'),
                                         std::uint64_t{1} << 40);
        continue;
      }
      if (c == ' ' || c == '\t') continue;
      if (count_ == 0) lines_.fail("a run of 0 cells; allowed: at least 1");
      const std::uint64_t count = count_.value_or(1);
      count_.reset();
      const bool marked = is_history_ && c >= 'A' && c <= 'F';
      const bool prefix =
          c >= 'p' && c <= 'y' && i + 1 < line.size() && line[i + 1] >= 'A' && line[i + 1] <= 'X';
      const std::uint32_t states = pattern_.rule && !is_history_ ? pattern_.rule->states : 2;
      const bool lettered = states > 2 && (prefix || (c >= 'A' && c <= 'X'));
      if (c == 'b' || c == '.' || (marked && (c - 'A') % 2 == 1)) {
        x_ += count;
        lines_.check_in_bounds(x_ - 1, y_);
      } else if (lettered) {
        const std::uint32_t state = prefix ? 24u * static_cast<std::uint32_t>(c - 'p' + 1) +
                                                 static_cast<std::uint32_t>(line[++i] - 'A' + 1)
                                           : static_cast<std::uint32_t>(c - 'A' + 1);
        if (state >= states) {
          lines_.fail(fmt::format("state {} of rule {}; allowed: up to {}", state, to_string(*pattern_.rule),
                                  states - 1));
        }
        lines_.check_in_bounds(x_ + count - 1, y_);
        for (std::uint64_t done = 0; done < count; ++done)
          lines_.add(pattern_, x_ + done, y_, static_cast<std::uint8_t>(state));
        x_ += count;
      } else if (c == 'A' || marked || (c >= 'o' && c <= 'y' && !prefix)) {
        lines_.check_in_bounds(x_ + count - 1, y_);
        for (std::uint64_t done = 0; done < count; ++done) lines_.add(pattern_, x_ + done, y_);
        x_ += count;
      } else if (c == '$') {
        y_ += count;
        x_ = 0;
        lines_.check_in_bounds(0, y_ - 1);
      } else if (c == '!') {
        ended_ = true;
        return;
      } else {
        lines_.fail(fmt::format("'{}' is not a cell of {} states; allowed: {} $ ! and numbers",
                                shown(line.substr(i, prefix ? 2 : 1)), states > 2 ? "several" : "two",
                                states > 2 ? ". A to X, with p to y before them," : "b o"));
      }
      pattern_.width = std::max(pattern_.width, static_cast<std::uint32_t>(x_));
    }
  }

  PatternLineReader lines_;
  const ProgressMonitor* watch_;
  Pattern pattern_;
  std::uint64_t x_ = 0;
  std::uint64_t y_ = 0;
  std::optional<std::uint64_t> count_;
  bool ended_ = false;
  bool is_history_ = false;
};

/// Writes runs and breaks lines.
class RunWriter {
 public:
  explicit RunWriter(std::string& text) : text_(text), line_begin_(text.size()) {}
  void add(std::uint64_t count, std::string_view what) {
    if (count == 0) return;
    const std::string run = count == 1 ? std::string(what) : fmt::format("{}{}", count, what);
    if (text_.size() - line_begin_ + run.size() > kLongestLine) {
      text_ += '\n';
      line_begin_ = text_.size();
    }
    text_ += run;
  }

 private:
  std::string& text_;
  std::size_t line_begin_;
};

// The letters of a state that is not dead: of a rule of several states A to X, pA to pX, ... yO.
std::string letters_of(std::uint8_t state, bool several) {
  if (!several) return "o";
  std::string letters;
  if (state > 24) letters += static_cast<char>('p' + (state - 25) / 24);
  return letters + static_cast<char>('A' + (state - 1) % 24);
}

}  // namespace

Pattern parse_rle(std::string_view text, std::string_view name, const ProgressMonitor* watch) {
  return RleReader(text, name, watch).read();
}

std::string to_rle(const Pattern& pattern, const ProgressMonitor* watch) {
  const bool several = !pattern.states.empty() || (pattern.rule && pattern.rule->states > 2);
  std::string text;
  if (!pattern.name.empty()) text += fmt::format("#N {}\n", pattern.name);
  for (const std::string& comment : pattern.comments) text += fmt::format("#C {}\n", comment);
  if (pattern.at) text += fmt::format("#CXRLE Pos={},{}\n", pattern.at->x, pattern.at->y);
  text += fmt::format("x = {}, y = {}", pattern.width, pattern.height);
  if (pattern.rule) text += fmt::format(", rule = {}", to_string(*pattern.rule));
  text += '\n';
  RunWriter runs(text);
  Coord32 at{0, 0};
  CancelPoll poll(watch);
  for (std::size_t i = 0; i < pattern.cells.size();) {
    poll();
    const Coord32 cell = pattern.cells[i];
    if (cell.y > at.y) {
      runs.add(cell.y - at.y, "$");
      at = {0, cell.y};
    }
    runs.add(cell.x - at.x, several ? "." : "b");
    std::uint32_t length = 1;
    while (i + length < pattern.cells.size() &&
           pattern.cells[i + length] == Coord32{cell.x + length, cell.y} &&
           pattern.state(i + length) == pattern.state(i))
      ++length;
    runs.add(length, letters_of(pattern.state(i), several));
    at.x = cell.x + length;
    i += length;
  }
  runs.add(1, "!");
  text += '\n';
  return text;
}

}  // namespace loom::app::patterns
