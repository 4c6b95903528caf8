#include "app/workspaces/mandelbrot/document/view_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <vector>

#include "app/text/parse_numbers.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

constexpr std::size_t kDoubleDigits = 17;

/// Whether a decimal number has more significant digits than a double stores.
bool is_longer_than_double(std::string_view text) {
  text = text.substr(0, text.find_first_of("eE"));
  std::size_t digits = 0;
  for (const char c : text) {
    if (c >= '1' && c <= '9') ++digits;
    if (c == '0' && digits > 0) ++digits;
  }
  return digits > kDoubleDigits;
}

/// Collects the ignored parts of a text and reports them as one sentence.
class DroppedValues {
 public:
  void add(const std::string& what) { text_ += (text_.empty() ? "Ignored: " : "; ") + what; }
  void digits_of(std::string_view number) { digits_ = digits_ || is_longer_than_double(number); }
  std::string sentence() {
    if (digits_) add("digits beyond double precision");
    return text_.empty() ? text_ : text_ + ".";
  }

 private:
  std::string text_;
  bool digits_ = false;
};

std::uint32_t dwell_of(std::string_view text, DroppedValues& dropped) {
  const double value = parse_number(text, "the number of iterations");
  if (value > kMaxNarrowLimit)
    dropped.add(fmt::format("iterations above {} (the file requests {})", kMaxNarrowLimit,
                            shown(without_blanks(text))));
  return static_cast<std::uint32_t>(std::clamp(value, 1.0, static_cast<double>(kMaxNarrowLimit)));
}

void check_view(const ParsedView& read) {
  const double size = read.height.value_or(read.view.width);
  constexpr double kFar = 1e6;
  if (!(size > 0 && size <= kFar))
    throw InputError("the width of the view is not allowed; allowed: above 0, up to 1e6");
  if (std::abs(read.view.centre.x) > kFar || std::abs(read.view.centre.y) > kFar)
    throw InputError("the view is too far from the Mandelbrot set");
}

// XaoS: commands in brackets, "(view re im width height)", "(maxiter n)", "(formula 'mandel)"; a semicolon
// begins a comment.
ParsedView read_xaos(std::string_view text) {
  ParsedView read;
  DroppedValues dropped;
  bool found = false;
  std::vector<std::string> unknown;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = text.find_first_of(";(", at);
    if (next == std::string_view::npos) break;
    if (text[next] == ';') {
      at = std::min(text.find('\n', next), text.size());
      continue;
    }
    const std::size_t end = text.find(')', next);
    if (end == std::string_view::npos) throw InputError("a bracket of the XaoS position is not closed");
    const auto words = split_words(text.substr(next + 1, end - next - 1), kBlanks);
    at = end + 1;
    if (words.empty()) continue;
    const auto& command = words[0];
    const auto needs = [&](std::size_t count) {
      if (words.size() < count + 1)
        throw InputError(fmt::format("its ({} ...) has fewer than {} values", command, count));
    };
    if (command == "view") {
      needs(4);
      read.view = {{parse_number(words[1], "re"), parse_number(words[2], "im")},
                   std::max(std::abs(parse_number(words[3], "the width")),
                            std::abs(parse_number(words[4], "the height")))};
      dropped.digits_of(words[1]);
      dropped.digits_of(words[2]);
      found = true;
    } else if (command == "maxiter") {
      needs(1);
      read.dwell_limit = dwell_of(words[1], dropped);
    } else if (command == "formula") {
      needs(1);
      if (words[1] != "'mandel")
        throw InputError(fmt::format("its formula is {}; allowed: 'mandel", shown(words[1])));
    } else if (command == "angle") {
      needs(1);
      if (parse_number(words[1], "the angle") != 0) dropped.add("the rotation");
    } else if (command == "julia") {
      needs(1);
      if (words[1] == "#t")
        throw InputError("it is a position in a Julia set; allowed: positions in the Mandelbrot set");
    } else if (command != "initstate" &&
               std::find(unknown.begin(), unknown.end(), command) == unknown.end() && unknown.size() < 6) {
      unknown.push_back(shown(command));
    }
  }
  if (!found)
    throw InputError(
        "it has no (view ...); allowed: a position of XaoS or Kalles Fraktaler, or re, im, width");
  if (!unknown.empty())
    dropped.add("colours and settings of XaoS (" + fmt::format("{}", fmt::join(unknown, ", ")) + ")");
  check_view(read);
  read.dropped = dropped.sentence();
  return read;
}

// Kalles Fraktaler: lines of "Key: value". At zoom 1 the picture has the height 4 in the complex plane.
ParsedView read_kalles(std::string_view text) {
  ParsedView read;
  DroppedValues dropped;
  bool re = false, im = false;
  bool others = false;
  for (const std::string_view line : split_words(text, "\r\n")) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view key = without_blanks(line.substr(0, colon));
    const std::string_view value = without_blanks(line.substr(colon + 1));
    if (key == "Re") {
      read.view.centre.x = parse_number(value, "Re");
      dropped.digits_of(value);
      re = true;
    } else if (key == "Im") {
      read.view.centre.y = parse_number(value, "Im");
      dropped.digits_of(value);
      im = true;
    } else if (key == "Zoom") {
      const double zoom = parse_number(value, "Zoom");
      if (!(zoom > 0)) throw InputError("its Zoom is not above 0");
      read.height = 4 / zoom;
      if (!(*read.height > 0)) throw InputError("its Zoom is beyond double precision");
    } else if (key == "Iterations") {
      read.dwell_limit = dwell_of(value, dropped);
    } else if (key == "Power" || key == "FractalType") {
      const double wanted = key == "Power" ? 2 : 0;
      if (parse_number(value, key) != wanted)
        throw InputError(
            fmt::format("its {} is {}; allowed: {}, the Mandelbrot set", key, shown(value), wanted));
    } else if (key == "RotateAngle") {
      if (parse_number(value, key) != 0) dropped.add("the rotation");
    } else {
      others = true;
    }
  }
  if (!re || !im || !read.height)
    throw InputError("it has no Re, Im and Zoom; allowed: a position of Kalles Fraktaler");
  if (others) dropped.add("colours and settings of Kalles Fraktaler");
  check_view(read);
  read.dropped = dropped.sentence();
  return read;
}

}  // namespace

ComplexView ParsedView::fitted_to_aspect(double proportion) const {
  ComplexView result = view;
  if (height) result.width = *height * proportion;
  return result;
}

ParsedView parse_view(std::string_view text) {
  if (text.size() > kMaxViewText) throw InputError("the text is too long for a position");
  text = without_blanks(text);
  const bool xaos =
      text.find("(view") != std::string_view::npos || text.starts_with('(') || text.starts_with(';');
  if (xaos) return read_xaos(text);
  if (text.starts_with("Re:") || text.find("\nRe:") != std::string_view::npos) return read_kalles(text);
  const auto parts = split_words(text, ", \t\r\n");
  if (parts.size() != 3)
    throw InputError(
        "not a position; allowed: three numbers re, im, width, or a position of XaoS or Kalles Fraktaler");
  ParsedView read;
  read.view = {{parse_number(parts[0], "re"), parse_number(parts[1], "im")},
               parse_number(parts[2], "the width")};
  DroppedValues dropped;
  dropped.digits_of(parts[0]);
  dropped.digits_of(parts[1]);
  check_view(read);
  read.dropped = dropped.sentence();
  return read;
}

std::string text_of(const ComplexView& view) {
  return fmt::format("{}, {}, {}", view.centre.x, view.centre.y, view.width);  // the shortest exact text
}

}  // namespace loom::app
