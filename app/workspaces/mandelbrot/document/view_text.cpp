#include "app/workspaces/mandelbrot/document/view_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "app/text/text.h"
#include "compute/core/error.h"
#include "compute/mandelbrot/decimal_view.h"

namespace loom::app {
namespace {

/// Collects the ignored parts of a text and reports them as one sentence.
class DroppedValues {
 public:
  void add(const std::string& what) { text_ += (text_.empty() ? "Ignored: " : "; ") + what; }
  std::string sentence() const { return text_.empty() ? text_ : text_ + "."; }

 private:
  std::string text_;
};

std::uint32_t dwell_of(std::string_view text, DroppedValues& dropped) {
  const double value = parse_number(text, "the number of iterations");
  if (value > kMaxDwellLimit)
    dropped.add(fmt::format("iterations above {} (the file requests {})", kMaxDwellLimit,
                            shown(without_blanks(text))));
  return static_cast<std::uint32_t>(std::clamp(value, 1.0, static_cast<double>(kMaxDwellLimit)));
}

/// A decimal number of any length. Throws InputError.
std::string decimal_in(std::string_view text, std::string_view name) {
  text = without_blanks(text);
  if (is_decimal(text)) return std::string(text);
  parse_number(text, name);  // throws what is wrong with most texts
  throw InputError(fmt::format("{} is {}; allowed: a decimal number", name, shown(text)));
}

/// Its absolute value.
std::string without_sign(std::string number) {
  if (number.front() == '-' || number.front() == '+') number.erase(0, 1);
  return number;
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
      const std::string width = without_sign(decimal_in(words[3], "the width"));
      const std::string height = without_sign(decimal_in(words[4], "the height"));
      read.view = typed_view({decimal_in(words[1], "re"), decimal_in(words[2], "im"),
                              Decimal(width).rounded() < Decimal(height).rounded() ? height : width});
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
  read.dropped = dropped.sentence();
  return read;
}

// Kalles Fraktaler: lines of "Key: value". At zoom 1 the picture has the height 4 in the complex plane.
ParsedView read_kalles(std::string_view text) {
  ParsedView read;
  DroppedValues dropped;
  std::string re, im, zoom;
  bool others = false;
  for (const std::string_view line : split_words(text, "\r\n")) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view key = without_blanks(line.substr(0, colon));
    const std::string_view value = without_blanks(line.substr(colon + 1));
    if (key == "Re") {
      re = decimal_in(value, "Re");
    } else if (key == "Im") {
      im = decimal_in(value, "Im");
    } else if (key == "Zoom") {
      zoom = decimal_in(value, "Zoom");
      if (zoom.front() == '-' || Decimal(zoom).rounded().is_zero())
        throw InputError("its Zoom is not above 0");
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
  if (re.empty() || im.empty() || zoom.empty())
    throw InputError("it has no Re, Im and Zoom; allowed: a position of Kalles Fraktaler");
  try {
    read.view = typed_view({re, im, decimal_quotient(4, zoom)});
  } catch (const InputError& error) {
    throw InputError(fmt::format("its Re, Im or Zoom is out of range: {}", error.what()));
  }
  read.height = read.view.width;
  if (others) dropped.add("colours and settings of Kalles Fraktaler");
  read.dropped = dropped.sentence();
  return read;
}

}  // namespace

ComplexView ParsedView::fitted_to_aspect(double proportion) const {
  if (!height) return view;
  if (view.decimal) {
    return typed_view(moved(*view.decimal, 0, 0, proportion));
  }
  return {view.centre, *height * proportion};
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
  read.view =
      typed_view({decimal_in(parts[0], "re"), decimal_in(parts[1], "im"), decimal_in(parts[2], "the width")});
  return read;
}

std::string text_of(const ComplexView& view) {
  const ViewDigits digits = digits_of(decimal_of(view));
  return fmt::format("{}, {}, {}", digits.re, digits.im, digits.width);
}

std::string shown_text_of(const ComplexView& view) {
  const ViewDigits digits = shown_digits_of(decimal_of(view));
  return fmt::format("{}, {}, {}", digits.re, digits.im, digits.width);
}

}  // namespace loom::app
