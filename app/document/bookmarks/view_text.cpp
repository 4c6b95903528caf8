#include "app/document/bookmarks/view_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <vector>

#include "compute/core/error.h"

namespace loom::app::bookmarks {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::size_t kDoubleDigits = 17;
constexpr std::size_t kMaxTokens = 100000;
constexpr std::uint32_t kMostDwell = 65535;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string one(text.substr(0, kMost));
  for (char& c : one) c = (c < ' ' || c > '~') ? '?' : c;
  return text.size() > kMost ? one + "..." : one;
}

double number_of(std::string_view text, std::string_view what) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  // Underflow becomes 0; overflow is an error.
  const bool tiny = error == std::errc::result_out_of_range && stop == end &&
                    (text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos);
  if (tiny) return 0;
  if (error != std::errc{} || stop != end || !std::isfinite(value))
    throw InputError(fmt::format("{} is not a number: '{}'", what, shown(text)));
  return value;
}

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
  const double value = number_of(text, "the number of iterations");
  if (value > kMostDwell)
    dropped.add(fmt::format("iterations above {} (the file requests {})", kMostDwell, shown(trimmed(text))));
  return static_cast<std::uint32_t>(std::clamp(value, 1.0, static_cast<double>(kMostDwell)));
}

void check_view(const ParsedView& read) {
  const double size = read.height.value_or(read.view.width);
  constexpr double kFar = 1e6;
  if (!(size > 0 && size <= kFar))
    throw InputError("the width of the view is not allowed; allowed: above 0, up to 1e6");
  if (std::abs(read.view.re) > kFar || std::abs(read.view.im) > kFar)
    throw InputError("the view is too far from the Mandelbrot set");
}

std::vector<std::string_view> parts_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (std::size_t at = text.find_first_not_of(separators); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    parts.push_back(text.substr(at, end - at));
    if (parts.size() > kMaxTokens) throw InputError("the text is too long for a position");
    at = text.find_first_not_of(separators, end);
  }
  return parts;
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
    const auto words = parts_of(text.substr(next + 1, end - next - 1), kBlanks);
    at = end + 1;
    if (words.empty()) continue;
    const auto& command = words[0];
    const auto needs = [&](std::size_t count) {
      if (words.size() < count + 1)
        throw InputError(fmt::format("its ({} ...) has fewer than {} values", command, count));
    };
    if (command == "view") {
      needs(4);
      read.view = {
          number_of(words[1], "re"), number_of(words[2], "im"),
          std::max(std::abs(number_of(words[3], "the width")), std::abs(number_of(words[4], "the height")))};
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
      if (number_of(words[1], "the angle") != 0) dropped.add("the rotation");
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
  for (const std::string_view line : parts_of(text, "\r\n")) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view key = trimmed(line.substr(0, colon));
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (key == "Re") {
      read.view.re = number_of(value, "Re");
      dropped.digits_of(value);
      re = true;
    } else if (key == "Im") {
      read.view.im = number_of(value, "Im");
      dropped.digits_of(value);
      im = true;
    } else if (key == "Zoom") {
      const double zoom = number_of(value, "Zoom");
      if (!(zoom > 0)) throw InputError("its Zoom is not above 0");
      read.height = 4 / zoom;
      if (!(*read.height > 0)) throw InputError("its Zoom is beyond double precision");
    } else if (key == "Iterations") {
      read.dwell_limit = dwell_of(value, dropped);
    } else if (key == "Power" || key == "FractalType") {
      const double wanted = key == "Power" ? 2 : 0;
      if (number_of(value, key) != wanted)
        throw InputError(
            fmt::format("its {} is {}; allowed: {}, the Mandelbrot set", key, shown(value), wanted));
    } else if (key == "RotateAngle") {
      if (number_of(value, key) != 0) dropped.add("the rotation");
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
  text = trimmed(text);
  const bool xaos =
      text.find("(view") != std::string_view::npos || text.starts_with('(') || text.starts_with(';');
  if (xaos) return read_xaos(text);
  if (text.starts_with("Re:") || text.find("\nRe:") != std::string_view::npos) return read_kalles(text);
  const auto parts = parts_of(text, ", \t\r\n");
  if (parts.size() != 3)
    throw InputError(
        "not a position; allowed: three numbers re, im, width, or a position of XaoS or Kalles Fraktaler");
  ParsedView read;
  read.view = {number_of(parts[0], "re"), number_of(parts[1], "im"), number_of(parts[2], "the width")};
  DroppedValues dropped;
  dropped.digits_of(parts[0]);
  dropped.digits_of(parts[1]);
  check_view(read);
  read.dropped = dropped.sentence();
  return read;
}

std::string text_of(const ComplexView& view) {
  return fmt::format("{}, {}, {}", view.re, view.im, view.width);  // the shortest exact text
}

FieldPart parse_part(std::string_view text) {
  if (text.size() > kMaxViewText) throw InputError("the text is too long for a position");
  const auto parts = parts_of(text, ", \t\r\n");
  if (parts.size() != 4)
    throw InputError(
        "not a region of the square; allowed: four numbers x, y, x2, y2, in points of the square");
  const double x = number_of(parts[0], "x");
  const double y = number_of(parts[1], "y");
  const FieldPart part{x, y, number_of(parts[2], "x2") - x, number_of(parts[3], "y2") - y};
  if (!(part.width > 0 && part.height > 0) || !std::isfinite(part.width) || !std::isfinite(part.height))
    throw InputError("the region is empty; allowed: x2 above x, and y2 above y");
  return part;
}

std::string text_of(const FieldPart& part) {
  return fmt::format("{}, {}, {}, {}", part.x, part.y, part.x + part.width, part.y + part.height);
}

}  // namespace loom::app::bookmarks
