#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/files/file_kind.h"
#include "app/files/fractal_file.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"

namespace loom::app {
namespace {

constexpr std::uintmax_t kMaxPaletteBytes = 1 << 20;
constexpr std::size_t kMaxNameBytes = 64;
constexpr std::size_t kMaxMapColours = 256;
constexpr std::string_view kProgramComment = "fractal-loom";

using Rgb8 = std::array<std::uint8_t, 3>;

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while (at < line.size()) {
    const std::size_t begin = line.find_first_not_of(" \t\r", at);
    if (begin == std::string_view::npos) break;
    at = std::min(line.find_first_of(" \t\r", begin), line.size());
    words.push_back(line.substr(begin, at - begin));
  }
  return words;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

std::optional<std::uint8_t> channel(std::string_view word) {
  unsigned value = 0;
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || rest != word.data() + word.size() || value > 255) return std::nullopt;
  return static_cast<std::uint8_t>(value);
}

std::optional<Rgb8> rgb_of(std::string_view r, std::string_view g, std::string_view b) {
  const auto red = channel(r);
  const auto green = channel(g);
  const auto blue = channel(b);
  if (!red || !green || !blue) return std::nullopt;
  return Rgb8{*red, *green, *blue};
}

std::optional<Rgb8> hex_colour(std::string_view word) {
  unsigned value = 0;
  if (word.size() != 7 || word.front() != '#') return std::nullopt;
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data() + 1, end, value, 16);
  if (error != std::errc() || rest != end) return std::nullopt;
  return Rgb8{static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8 & 255u),
              static_cast<std::uint8_t>(value & 255u)};
}

std::string hex_text(const Rgb8& rgb) {
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

std::optional<double> real_of(std::string_view word) {
  double value = 0;
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || rest != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// Reads lines, with their numbers for messages.
class PaletteReader {
 public:
  PaletteReader(std::string_view text, const std::filesystem::path& file) : text_(text), file_(file) {}

  FilePalette read(PaletteFormat format) {
    palette_.name = std::string(file_.stem().string());
    switch (format) {
      case PaletteFormat::kGimp:
        read_gimp();
        break;
      case PaletteFormat::kFractint:
        read_map();
        break;
      case PaletteFormat::kGmt:
        read_slices();
        break;
    }
    if (palette_.stops.size() < 2) {
      fail(fmt::format("{} colour(s); a palette has 2 to {}", palette_.stops.size(), kMaxFileColours));
    }
    if (palette_.name.empty()) palette_.name = "palette";
    palette_.name = shown(palette_.name).substr(0, kMaxNameBytes);
    return std::move(palette_);
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    throw InputError(fmt::format("{}:{}: {}", file_.string(), std::max<std::size_t>(line_, 1), what));
  }

  bool next(std::string_view& line) {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    line = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++line_;
    return true;
  }

  void add(double at, const Rgb8& rgb, std::size_t most) {
    if (palette_.stops.size() == most) fail(fmt::format("more than {} colours", most));
    palette_.stops.push_back({at, rgb});
  }

  // In a cyclic palette, the distance from the last stop to the first equals that between neighbours.
  void spread() {
    const std::size_t count = palette_.stops.size();
    if (count < 2) return;
    const auto steps = static_cast<double>(palette_.cyclic ? count : count - 1);
    for (std::size_t i = 0; i < count; ++i) palette_.stops[i].at = static_cast<double>(i) / steps;
  }

  void read_gimp() {
    std::string_view line;
    if (!next(line) || trimmed(line) != "GIMP Palette") fail("the first line is not \"GIMP Palette\"");
    while (next(line)) {
      const std::string_view content = trimmed(line);
      if (content.empty() || content.front() == '#') continue;
      if (content.starts_with("Name:")) {
        palette_.name = trimmed(content.substr(5));
        continue;
      }
      if (content.starts_with("Columns:")) continue;
      add_line(content, kMaxFileColours);
    }
    spread();
  }

  void read_map() {
    palette_.cyclic = true;
    std::string_view line;
    while (next(line)) {
      const std::string_view content = trimmed(line);
      if (content.empty() || content.front() == ';') continue;
      add_line(content, kMaxMapColours);
    }
    spread();
  }

  void add_line(std::string_view content, std::size_t most) {
    const auto words = words_of(content);
    const auto rgb = words.size() < 3 ? std::nullopt : rgb_of(words[0], words[1], words[2]);
    if (!rgb) {
      fail(fmt::format("'{}' is not a colour; allowed: three whole numbers from 0 to 255, red green blue",
                       shown(content)));
    }
    add(0, *rgb, most);
  }

  void read_slices() {
    std::string_view line;
    std::optional<double> last_z;
    while (next(line)) {
      std::string_view content = trimmed(line);
      if (content.starts_with('#')) {
        if (!read_program_comment(content)) check_model(content);
        continue;
      }
      // A label, or a colour's comment, ends the slice.
      content = trimmed(content.substr(0, content.find(';')));
      if (content.empty()) continue;
      const auto words = words_of(content);
      const bool is_special = words[0] == "B" || words[0] == "F" || words[0] == "N";
      if (is_special) continue;
      std::size_t word = 0;
      const double low = read_z(words, word);
      const Rgb8 from = read_colour(words, word);
      const double high = read_z(words, word);
      const Rgb8 to = read_colour(words, word);
      // GMT's annotation flag for the slice may follow.
      const bool ends =
          word == words.size() ||
          (word + 1 == words.size() && (words[word] == "L" || words[word] == "U" || words[word] == "B"));
      if (!ends)
        fail(fmt::format("'{}' after the slice; allowed: L, U, B or a label after ;", shown(words[word])));
      if (exact_ && !(low >= 0 && low <= high && high <= 1))
        fail("a slice of exact places is not in order between 0 and 1");
      if (!exact_ && !(high > low))
        fail("a slice does not end above its beginning; z must increase from slice to slice");
      if (last_z && low < *last_z) fail("a slice begins below the end of the previous one");
      last_z = high;
      // A slice that begins where the previous one ended adds one colour.
      const bool goes_on = !palette_.stops.empty() && palette_.stops.back() == FilePalette::Stop{low, from};
      if (!goes_on) add(low, from, kMaxFileColours);
      add(high, to, kMaxFileColours);
    }
    if (!exact_) scale_places();
  }

  // Returns true if the comment belongs to this program.
  bool read_program_comment(std::string_view comment) {
    const auto words = words_of(comment);
    if (words.size() < 3 || words[0] != "#" || words[1] != kProgramComment) return false;
    const std::string_view key = words[2];
    const auto value =
        trimmed(comment.substr(static_cast<std::size_t>(key.data() + key.size() - comment.data())));
    const auto wrong = [&](std::string_view allowed) {
      fail(fmt::format("{} is '{}'; allowed: {}", key, shown(value), allowed));
    };
    const auto yes_no = [&] {
      if (value != "yes" && value != "no") wrong("yes, no");
      return value == "yes";
    };
    const auto colour = [&] {
      const auto rgb = hex_colour(value);
      if (!rgb) wrong("#rrggbb");
      return *rgb;
    };
    if (key == "name") {
      if (value.empty()) wrong("a name");
      palette_.name = value;
    } else if (key == "cyclic") {
      palette_.cyclic = yes_no();
    } else if (key == "reversed") {
      palette_.reversed = yes_no();
    } else if (key == "offset") {
      const auto offset = real_of(value);
      if (!offset || *offset < 0 || *offset > 1) wrong("a number from 0 to 1");
      palette_.offset = *offset;
    } else if (key == "hole") {
      palette_.hole = colour();
    } else if (key == "outside") {
      palette_.outside = colour();
    } else if (key == "places") {
      if (value != "exact") wrong("exact");
      if (!palette_.stops.empty()) fail("'places exact' must come before the first slice");
      exact_ = true;
    }
    return true;
  }

  void check_model(std::string_view comment) const {
    const std::size_t at = comment.find("COLOR_MODEL");
    const std::size_t equals = comment.find('=');
    if (at == std::string_view::npos || equals == std::string_view::npos || equals < at) return;
    std::string_view model = trimmed(comment.substr(equals + 1));
    if (model.starts_with('+')) model.remove_prefix(1);
    if (model != "RGB" && model != "rgb")
      fail(fmt::format("colour model {} is not supported; allowed: RGB", shown(model)));
  }

  double read_z(const std::vector<std::string_view>& words, std::size_t& word) const {
    const auto z = word < words.size() ? real_of(words[word]) : std::nullopt;
    if (!z) fail("not a slice; allowed: z0 colour z1 colour, with finite numbers z");
    ++word;
    return *z;
  }

  Rgb8 read_colour(const std::vector<std::string_view>& words, std::size_t& word) const {
    const auto wrong = [&](std::string_view text) {
      fail(fmt::format("'{}' is not a colour; allowed: R G B or R/G/B from 0 to 255, a grey, #rrggbb",
                       shown(text)));
    };
    if (word >= words.size()) wrong("");
    const std::string_view first = words[word];
    if (first.starts_with('#')) {
      const auto rgb = hex_colour(first);
      if (!rgb) wrong(first);
      ++word;
      return *rgb;
    }
    const std::size_t slash = first.find('/');
    if (slash != std::string_view::npos) {
      const std::size_t second = first.find('/', slash + 1);
      const auto rgb = second == std::string_view::npos
                           ? std::nullopt
                           : rgb_of(first.substr(0, slash), first.substr(slash + 1, second - slash - 1),
                                    first.substr(second + 1));
      if (!rgb) wrong(first);
      ++word;
      return *rgb;
    }
    // Three numbers, or one grey: "z0 grey z1 grey" has four words in all.
    if (words.size() <= 5) {
      const auto grey = channel(first);
      if (!grey) wrong(first);
      ++word;
      return {*grey, *grey, *grey};
    }
    const auto rgb = word + 2 < words.size() ? rgb_of(first, words[word + 1], words[word + 2]) : std::nullopt;
    if (!rgb) wrong(first);
    word += 3;
    return *rgb;
  }

  void scale_places() {
    if (palette_.stops.empty()) return;
    const double low = palette_.stops.front().at;
    // Halved, because the difference of two finite numbers may be infinite.
    const double span = palette_.stops.back().at / 2 - low / 2;
    if (!(span > 0)) fail("its slices are too narrow to distinguish");
    double before = 0;
    for (FilePalette::Stop& stop : palette_.stops) {
      stop.at = before = std::clamp((stop.at / 2 - low / 2) / span, before, 1.0);
    }
  }

  std::string_view text_;
  const std::filesystem::path& file_;
  std::size_t at_ = 0;
  std::size_t line_ = 0;
  bool exact_ = false;  ///< z is a position from 0 to 1
  FilePalette palette_;
};

}  // namespace

PaletteFormat palette_format(const std::filesystem::path& file) {
  const std::string extension = lower_extension(file);
  if (extension == ".gpl") return PaletteFormat::kGimp;
  if (extension == ".map") return PaletteFormat::kFractint;
  if (extension == ".cpt") return PaletteFormat::kGmt;
  throw InputError(fmt::format(
      "{}: unknown palette format; allowed: .gpl (GIMP), .map (Fractint), .cpt (GMT)", file.string()));
}

FilePalette parse_palette_file(std::string_view text, PaletteFormat format,
                               const std::filesystem::path& file) {
  return PaletteReader(text, file).read(format);
}

std::string cpt_text(const FilePalette& palette) {
  const auto yes_no = [](bool yes) { return yes ? "yes" : "no"; };
  std::string text = fmt::format(
      "# COLOR_MODEL = RGB\n# {0} name {1}\n# {0} cyclic {2}\n# {0} reversed {3}\n# {0} offset {4}\n"
      "# {0} places exact\n",
      kProgramComment, shown(palette.name), yes_no(palette.cyclic), yes_no(palette.reversed), palette.offset);
  if (palette.hole) text += fmt::format("# {} hole {}\n", kProgramComment, hex_text(*palette.hole));
  if (palette.outside) text += fmt::format("# {} outside {}\n", kProgramComment, hex_text(*palette.outside));
  const auto& stops = palette.stops;
  const auto has_width = [&](std::size_t i) { return stops[i].at < stops[i + 1].at; };
  for (std::size_t i = 0; i + 1 < stops.size(); ++i) {
    // A jump follows from the slices on both sides; GMT rejects a slice of zero width.
    const bool is_jump = !has_width(i) && i > 0 && i + 2 < stops.size() && has_width(i - 1) &&
                         has_width(i + 1) && stops[i].rgb != stops[i + 1].rgb;
    if (is_jump) continue;
    const auto colour = [](const Rgb8& rgb) { return fmt::format("{}/{}/{}", rgb[0], rgb[1], rgb[2]); };
    text += fmt::format("{} {} {} {}\n", stops[i].at, colour(stops[i].rgb), stops[i + 1].at,
                        colour(stops[i + 1].rgb));
  }
  return text;
}

std::string palette_text(const std::filesystem::path& file) {
  return read_input(file, kMaxPaletteBytes, "a palette of up to 1048576 bytes");
}

FilePalette read_palette_file(const std::filesystem::path& file) {
  const PaletteFormat format = palette_format(file);
  return parse_palette_file(palette_text(file), format, file);
}

}  // namespace loom::app
