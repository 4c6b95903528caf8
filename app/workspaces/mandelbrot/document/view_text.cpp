#include "app/workspaces/mandelbrot/document/view_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "app/files/file_kind.h"
#include "app/files/toml_document.h"
#include "app/text/text.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "compute/mandelbrot/decimal_view.h"

namespace loom::app {
namespace {

constexpr std::string_view kAllowed =
    "re, im, width or re + im i, width, both with or without angle DEGREES, or a position of XaoS, Kalles "
    "Fraktaler, Fraktaler-3 or Fractint";
constexpr std::string_view kCenterMag = "center-mag";

/// Collects the ignored parts of a text and reports them as one sentence.
class DroppedValues {
 public:
  void add(const std::string& what) {
    if (text_.find(what) == std::string::npos) text_ += (text_.empty() ? "Ignored: " : "; ") + what;
  }
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

/// What another program says of a position, and what it is for the Mandelbrot set in the plane as it is.
struct Expected {
  std::string_view key;
  double value = 0;
  const char* dropped = nullptr;  ///< what is left out otherwise; null: it is another set, and refused
  double missing = 0;             ///< a value that means the same as `value`
};
/// Whether `expected` has an entry for the key. Throws InputError for another set.
bool check(std::span<const Expected> expected, std::string_view key, std::string_view text,
           DroppedValues& dropped) {
  const auto found = std::ranges::find(expected, key, &Expected::key);
  if (found == expected.end()) return false;
  const double value = parse_number(text, key);
  if (value == found->value || (found->missing != 0 && value == found->missing)) return true;
  if (found->dropped == nullptr)
    throw InputError(fmt::format("its {} is {}, which is another set; allowed: {}, the Mandelbrot set", key,
                                 shown(without_blanks(text)), found->value));
  dropped.add(found->dropped);
  return true;
}

constexpr const char* kStretch = "the stretch";
/// Where the imaginary axis points up, these programs turn by the negated angle and then reflect, which is
/// left out (polar2 of Fraktaler-3).
double upright_angle(double angle, bool points_up) {
  return points_up ? 0 - angle : angle;
}
constexpr const char* kUpward = "the direction of the imaginary axis, which points down here";

/// The request of a picture of at least this width and height; one of them may be empty, and is then free.
ViewRequest request(const std::string& re, const std::string& im, const std::string& width,
                    const std::string& height) {
  ViewRequest made = typed_view({re, im, width.empty() ? height : width});
  made.has_width = !width.empty();
  if (!height.empty()) made.height = height;
  validate({re, im, height.empty() ? width : height});
  return made;
}

// XaoS: commands in brackets, "(view re im width height)", "(maxiter n)", "(formula 'mandel)"; a semicolon
// begins a comment. The picture shows at least the width and the height (recalc_view() of XaoS).
ParsedView read_xaos(std::string_view text) {
  static constexpr std::array<Expected, 1> kExpected = {{{"plane"}}};
  ParsedView read;
  read.set = EscapeTimeSet{};
  DroppedValues dropped;
  bool found = false;
  double angle = 0;
  bool is_julia = false;
  std::optional<JuliaPoint> seed;
  std::vector<std::string> unknown;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = text.find_first_of(";(", at);
    if (next == std::string_view::npos) break;
    if (text[next] == ';') {
      at = std::min(text.find_first_of("\r\n", next), text.size());
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
      std::string width = without_sign(decimal_in(words[3], "the width"));
      std::string height = without_sign(decimal_in(words[4], "the height"));
      if (Decimal(height).rounded().is_zero()) height.clear();
      if (!height.empty() && Decimal(width).rounded().is_zero()) width.clear();
      static_cast<ViewRequest&>(read) =
          request(decimal_in(words[1], "re"), decimal_in(words[2], "im"), width, height);
      found = true;
    } else if (command == "maxiter") {
      needs(1);
      read.dwell_limit = dwell_of(words[1], dropped);
    } else if (command == "formula") {
      needs(1);
      // 'mandel3 is z^3 + c.
      const bool is_power = words[1].size() == 8 && words[1].starts_with("'mandel");
      const int power = is_power ? words[1].back() - '0' : 2;
      if ((words[1] != "'mandel" && !is_power) || power < 2 || power > 6)
        throw InputError(
            fmt::format("its formula is {}; allowed: 'mandel, 'mandel3 to 'mandel6", shown(words[1])));
      if (power > 2) {
        read.set->formula = Formula::kMultibrot;
        read.set->power = static_cast<std::uint32_t>(power);
      }
    } else if (command == "angle") {
      needs(1);
      angle = 0 - parse_number(words[1], command);  // c = centre + (dx + i dy) e^(-i angle) (uih_getcoord())
    } else if (command == "julia" || command == "fastjulia") {
      needs(1);
      is_julia = is_julia || words[1] == "#t";
    } else if (command == "juliaseed") {
      needs(2);
      seed = JuliaPoint{parse_number(words[1], command), parse_number(words[2], command)};
    } else if (command == "perturbation") {
      needs(2);
      if (parse_number(words[1], command) != 0 || parse_number(words[2], command) != 0)
        throw InputError("its perturbation is not 0, which is another set; allowed: 0 0, the Mandelbrot set");
    } else if (words.size() > 1 && check(kExpected, command, words[1], dropped)) {
    } else if (command != "initstate" &&
               std::find(unknown.begin(), unknown.end(), command) == unknown.end() && unknown.size() < 6) {
      unknown.push_back(shown(command));
    }
  }
  if (!found) throw InputError(fmt::format("it has no (view ...); allowed: {}", kAllowed));
  read.view.angle = angle;
  if (is_julia) {
    if (!seed) throw InputError("it is a position in a Julia set without a (juliaseed ...)");
    read.set->julia = seed;
    validate(*read.set);
  }
  if (!unknown.empty())
    dropped.add("colours and settings of XaoS (" + fmt::format("{}", fmt::join(unknown, ", ")) + ")");
  read.dropped = dropped.sentence();
  return read;
}

/// The position of a program whose picture has the height 4 at zoom 1.
ViewRequest zoomed_request(const std::string& re, const std::string& im, const std::string& zoom) {
  if (zoom.front() == '-' || Decimal(zoom).rounded().is_zero()) throw InputError("its Zoom is not above 0");
  try {
    return request(re, im, {}, decimal_quotient(4, zoom));
  } catch (const InputError& error) {
    throw InputError(fmt::format("its Re, Im or Zoom is out of range: {}", error.what()));
  }
}

// Kalles Fraktaler: lines of "Key: value".
ParsedView read_kalles(std::string_view text) {
  static constexpr std::array<Expected, 7> kExpected = {{{"UseHybridFormula"},
                                                         {"SeedR"},
                                                         {"SeedI"},
                                                         {"ExponentialMap"},
                                                         {"StretchAmount", 0, kStretch},
                                                         {"Ratio", 0, kStretch, 360},
                                                         {"ImagPointsUp", 0, kUpward}}};
  ParsedView read;
  read.set = EscapeTimeSet{};
  // Its numbers of formulas that are here too, at the power 2.
  static constexpr std::array<std::pair<int, Formula>, 5> kTypes = {{{0, Formula::kMandelbrot},
                                                                     {1, Formula::kBurningShip},
                                                                     {3, Formula::kCeltic},
                                                                     {4, Formula::kTricorn},
                                                                     {6, Formula::kPerpendicular}}};
  DroppedValues dropped;
  std::string re, im, zoom;
  double power = 2;
  double angle = 0;
  bool points_up = false;
  bool others = false;
  for (const std::string_view line : split_words(text, "\r\n")) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view key = without_blanks(line.substr(0, colon));
    const std::string_view value = without_blanks(line.substr(colon + 1));
    if (key == "Re") {
      re = decimal_in(value, key);
    } else if (key == "Im") {
      im = decimal_in(value, key);
    } else if (key == "Zoom") {
      zoom = decimal_in(value, key);
    } else if (key == "Iterations") {
      read.dwell_limit = dwell_of(value, dropped);
    } else if (key == "RotateAngle") {
      angle = parse_number(value, key);  // as here
    } else if (key == "Rotate") {        // before version 2.15: radians the other way round
      angle = 0 - std::remainder(parse_number(value, key), 2 * std::numbers::pi) * (180 / std::numbers::pi);
    } else if (key == "Power") {
      power = parse_number(value, key);
    } else if (key == "FractalType") {
      const auto type = std::ranges::find(kTypes, parse_number(value, key),
                                          [](const auto& one) { return static_cast<double>(one.first); });
      if (type == kTypes.end())
        throw InputError(
            fmt::format("its FractalType is {}, which is another set; allowed: 0, 1, 3, 4, 6", shown(value)));
      read.set->formula = type->second;
    } else if (!check(kExpected, key, value, dropped)) {
      others = true;
    } else if (key == "ImagPointsUp") {
      points_up = parse_number(value, key) != 0;
    }
  }
  if (power != 2) {
    if (read.set->formula != Formula::kMandelbrot || power < 3 || power > kMaxPower ||
        power != std::floor(power))
      throw InputError(
          fmt::format("its Power is {}, which is another set; allowed: 2, and with FractalType 0 to {}",
                      power, kMaxPower));
    read.set->formula = Formula::kMultibrot;
    read.set->power = static_cast<std::uint32_t>(power);
  }
  if (re.empty() || im.empty() || zoom.empty())
    throw InputError("it has no Re, Im and Zoom; allowed: a position of Kalles Fraktaler");
  static_cast<ViewRequest&>(read) = zoomed_request(re, im, zoom);
  read.view.angle = upright_angle(angle, points_up);
  if (others) dropped.add("colours and settings of Kalles Fraktaler");
  read.dropped = dropped.sentence();
  return read;
}

// Fraktaler-3: TOML, from which default values are missing.
ParsedView read_fraktaler(std::string_view text) {
  static constexpr std::array<Expected, 3> kExpected = {
      {{"stretch_amount", 0, kStretch}, {"reflect", 0, kUpward}, {"exponential_map"}}};
  static constexpr std::array<Expected, 5> kFormula = {
      {{"abs_x"}, {"abs_y"}, {"neg_x"}, {"neg_y"}, {"power", 2}}};
  const toml::table table = parse_toml(text, "position", "a position of Fraktaler-3");
  ParsedView read;
  read.set = EscapeTimeSet{};
  DroppedValues dropped;
  // Numbers of any length are texts; a flag is 0 or 1.
  const auto value = [](toml::node_view<const toml::node> node, const char* missing) -> std::string {
    if (!node) return missing;
    if (const auto word = node.value<std::string>()) return *word;
    if (node.is_boolean()) return *node.value<bool>() ? "1" : "0";
    return fmt::format("{}", node.value<double>().value_or(0));
  };
  const auto location = table["location"];
  static_cast<ViewRequest&>(read) = zoomed_request(decimal_in(value(location["real"], "0"), "location.real"),
                                                   decimal_in(value(location["imag"], "0"), "location.imag"),
                                                   decimal_in(value(location["zoom"], "1"), "location.zoom"));
  read.view.angle =
      upright_angle(parse_number(value(table["transform"]["rotate"], "0"), "transform.rotate"),
                    parse_number(value(table["transform"]["reflect"], "0"), "transform.reflect") != 0);
  if (const auto limit = table["bailout"]["iterations"])
    read.dwell_limit = dwell_of(value(limit, "1"), dropped);
  for (const Expected& one : kExpected)
    check(kExpected, one.key, value(table["transform"][one.key], "0"), dropped);
  if (const auto* const formulas = table["formula"].as_array()) {
    if (formulas->size() > 1)
      throw InputError("it is a hybrid of several formulas; allowed: z^2 + c, the Mandelbrot set");
    for (const Expected& one : kFormula) {
      const auto* const formula = formulas->empty() ? nullptr : formulas->front().as_table();
      if (formula != nullptr)
        check(kFormula, one.key, value((*formula)[one.key], one.value == 2 ? "2" : "0"), dropped);
    }
  }
  read.dropped = dropped.sentence();
  return read;
}

// Fractint: settings "name=value" with blanks between them; a backslash joins lines. center-mag is re, im and
// magnification, which make a picture of the height 2/magnification on a screen of 4 by 3.
ParsedView read_fractint(std::string_view text) {
  static constexpr std::array<Expected, 1> kExpected = {{{"skew", 0, kStretch}}};
  std::string joined;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\') {
      at = std::min(text.find_first_not_of(kBlanks, at + 1), text.size()) - 1;
    } else {
      joined += text[at];
    }
  }
  ParsedView read;
  read.set = EscapeTimeSet{};
  DroppedValues dropped;
  bool found = false;
  for (const std::string_view word : split_words(joined, kBlanks)) {
    const std::string_view name = word.substr(0, word.find('='));
    const std::string_view value = word.substr(std::min(word.find('=') + 1, word.size()));
    const auto parts = split_words(value, "/");
    if (name == kCenterMag) {
      if (std::exchange(found, true)) throw InputError("it has several positions; allowed: one position");
      if (parts.size() < 3)
        throw InputError("its center-mag is not three numbers; allowed: RE/IM/MAGNIFICATION");
      const std::string magnification = decimal_in(parts[2], "the magnification");
      if (magnification.front() == '-' || Decimal(magnification).rounded().is_zero())
        throw InputError("its magnification is not above 0");
      const double narrower = parts.size() > 3 ? std::abs(parse_number(parts[3], "Xmagfactor")) : 1;
      const DecimalView height{"0", "0", decimal_quotient(2, magnification)};
      const std::string width =
          digits_of(moved(height, 0, 0, 4.0 / 3 / (narrower > 0 ? std::clamp(narrower, 1e-3, 1e3) : 1)))
              .width;
      static_cast<ViewRequest&>(read) =
          request(decimal_in(parts[0], "re"), decimal_in(parts[1], "im"), width, height.width.text());
      // Its box is turned by e^(-i rotation) (convert_corners.cpp of Iterated Dynamics).
      if (parts.size() > 4) read.view.angle = 0 - parse_number(parts[4], "the rotation");
      if (parts.size() > 5) check(kExpected, "skew", parts[5], dropped);
    } else if (name == "type" && value != "mandel") {
      throw InputError(fmt::format("its type is {}, another set; allowed: mandel", shown(value)));
    } else if ((name == "params" || name == "invert") &&
               std::ranges::any_of(parts,
                                   [&](std::string_view part) { return parse_number(part, name) != 0; })) {
      throw InputError(
          fmt::format("its {} are not 0, which is another set; allowed: 0, the Mandelbrot set", name));
    } else if (name == "maxiter") {
      read.dwell_limit = dwell_of(value, dropped);
    }
  }
  dropped.add(kUpward);
  read.dropped = dropped.sentence();
  return read;
}

/// The text with plain minus signs and blanks.
std::string with_plain_signs(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 4> kSigns = {
      {{"\xE2\x88\x92", '-'}, {"\xC2\xA0", ' '}, {"\xE2\x80\xAF", ' '}, {"\xC2\xB7", '*'}}};
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const auto sign =
        std::ranges::find_if(kSigns, [&](const auto& one) { return text.substr(at).starts_with(one.first); });
    plain += sign != kSigns.end() ? sign->second : text[at];
    at += sign != kSigns.end() ? sign->first.size() : 1;
  }
  return plain;
}

// "re, im, width", "re + im i, width": numbers, each perhaps after its name; an angle always.
ParsedView read_typed(std::string_view text) {
  constexpr std::array<std::string_view, 8> kNames = {"re",     "im", "width", "center",
                                                      "centre", "c",  "w",     "at"};
  const auto fail = [] { throw InputError(fmt::format("not a position; allowed: {}", kAllowed)); };
  std::vector<std::string> numbers;
  std::size_t imaginary = 0;  // the number of the part with i, from 1
  std::optional<std::string> angle;
  bool is_angle = false;
  for (std::size_t at = 0; (at = text.find_first_not_of(", ;\t\r\n", at)) < text.size();) {
    if (std::isalpha(static_cast<unsigned char>(text[at])) != 0) {
      std::string name;
      for (; at < text.size() && std::isalpha(static_cast<unsigned char>(text[at])) != 0; ++at)
        if (name.size() < 10) name += static_cast<char>(std::tolower(static_cast<unsigned char>(text[at])));
      if (is_angle || (name == "angle" ? angle.has_value() : std::ranges::find(kNames, name) == kNames.end()))
        fail();
      is_angle = name == "angle";
      at = std::min(text.find_first_not_of(kBlanks, at), text.size());
      if (at < text.size() && (text[at] == ':' || text[at] == '=')) ++at;
      continue;
    }
    std::string number;
    if (text[at] == '+' || text[at] == '-') number = text[at];
    if (!number.empty()) at = std::min(text.find_first_not_of(kBlanks, at + 1), text.size());
    const auto is_part = [&](std::size_t i) {
      const char c = text[i];
      const bool is_sign = (c == '+' || c == '-') && i > at && (text[i - 1] | 0x20) == 'e';
      return (c >= '0' && c <= '9') || c == '.' || c == 'e' || c == 'E' || is_sign;
    };
    std::size_t end = at;
    while (end < text.size() && is_part(end)) ++end;
    number += text.substr(at, end - at);
    std::size_t after = std::min(text.find_first_not_of(" \t*", end), text.size());
    if (!is_angle && after < text.size() && text[after] == 'i' &&
        (after + 1 == text.size() || std::isalpha(static_cast<unsigned char>(text[after + 1])) == 0)) {
      if (imaginary != 0) fail();
      imaginary = numbers.size() + 1;
      end = after + 1;
      if (number.find_first_of("0123456789") == std::string::npos) number += '1';
    }
    if (end == at || (!is_angle && numbers.size() == 3)) fail();
    at = end;
    is_angle ? void(angle = std::move(number)) : numbers.push_back(std::move(number));
    is_angle = false;
  }
  if (is_angle) fail();
  if (imaginary > 2 || numbers.size() < (imaginary != 0 ? 2 : 3)) fail();
  if (imaginary == 1) std::swap(numbers[0], numbers[1]);
  const std::string re = decimal_in(numbers[0], "re");
  const std::string im = decimal_in(numbers[1], "im");
  ParsedView read;
  if (numbers.size() == 3) {
    read.view = typed_view({re, im, decimal_in(numbers[2], "the width")});
  } else {
    read.view = typed_view({re, im, "1"});
    read.has_width = false;
  }
  if (angle) read.view.angle = parse_number(*angle, "the angle");
  return read;
}

}  // namespace

ParsedView parse_view(std::string_view text) {
  if (text.size() > kMaxViewText) throw InputError("the text is too long for a position");
  text = without_blanks(without_byte_order_mark(text));
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  if (has(kCenterMag)) return read_fractint(text);
  if (has("(view") || text.starts_with('(') || text.starts_with(';')) return read_xaos(text);
  if (text.starts_with("Re:") || has("\nRe:") || has("\rRe:")) return read_kalles(text);
  if (has("location.") || has("[location]")) return read_fraktaler(text);
  return read_typed(with_plain_signs(text));
}

ParsedView read_view_file(const std::filesystem::path& file) {
  const std::string text = read_input(file, kMaxViewText, kAllowed);
  try {
    return parse_view(text);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", file.filename().string(), error.what()));
  }
}

std::string text_of(const ComplexView& view) {
  const ViewDigits digits = digits_of(decimal_of(view));
  return fmt::format("{}, {}, {}{}", digits.re, digits.im, digits.width, angle_text(view));
}

std::string angle_text(const ComplexView& view) {
  return view.angle == 0 ? std::string() : fmt::format(", angle {}", view.angle);
}

std::string shown_text_of(const ComplexView& view) {
  const ViewDigits digits = shown_digits_of(decimal_of(view));
  return fmt::format("{}, {}, {}{}", digits.re, digits.im, digits.width, angle_text(view));
}

std::string position_text(const std::filesystem::path& file, const ComplexView& view, glm::ivec2 picture,
                          std::uint32_t dwell_limit) {
  const ViewDigits digits = digits_of(decimal_of(view));
  const Decimal height =
      moved({"0", "0", digits.width}, 0, 0, static_cast<double>(picture.y) / picture.x).width;
  const std::string extension = lower_extension(file);
  if (extension == ".kfr")
    return fmt::format("Re: {}\r\nIm: {}\r\nZoom: {}\r\nIterations: {}\r\n", digits.re, digits.im,
                       decimal_quotient(4, height), dwell_limit) +
           (view.angle == 0 ? "" : fmt::format("RotateAngle: {}\r\n", view.angle));
  if (extension == ".xpf")
    return fmt::format("(initstate)\n(formula 'mandel)\n(maxiter {})\n(view {} {} {} {})\n", dwell_limit,
                       digits.re, digits.im, digits.width, height.text()) +
           (view.angle == 0 ? "" : fmt::format("(angle {})\n", -view.angle));
  throw InputError(fmt::format("{}: no format of positions; allowed: .kfr (Kalles Fraktaler), .xpf (XaoS)",
                               file.filename().string()));
}

}  // namespace loom::app
