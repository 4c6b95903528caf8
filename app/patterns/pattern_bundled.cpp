#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "app/patterns/pattern.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/workload/rule_text.h"
#include "pattern_texts.h"

namespace loom::app::patterns {
namespace {

struct Text {
  std::string_view name;
  std::string_view text;
};
constexpr std::array kTexts = std::to_array<Text>({
    {"gasket-corner", embedded::gasket_corner_rle},
    {"gasket-six", embedded::gasket_six_rle},
    {"gasket-seven", embedded::gasket_seven_rle},
    {"gasket-sixteen", embedded::gasket_sixteen_rle},
    {"carpet-rotor", embedded::carpet_rotor_rle},
    {"carpet-twins", embedded::carpet_twins_rle},
    {"carpet-scatter", embedded::carpet_scatter_rle},
    {"vicsek-scissors", embedded::vicsek_scissors_rle},
    {"vicsek-eight", embedded::vicsek_eight_rle},
    {"x-single", embedded::x_single_rle},
    {"x-cross", embedded::x_cross_rle},
    {"h-pair", embedded::h_pair_rle},
    {"h-clockwork", embedded::h_clockwork_rle},
    {"h-burst", embedded::h_burst_rle},
    {"bottles-seven", embedded::bottles_seven_rle},
    {"candy-seed", embedded::candy_seed_rle},
    {"candy-burst", embedded::candy_burst_rle},
    {"candy-eight", embedded::candy_eight_rle},
    {"chandelier-twelve", embedded::chandelier_twelve_rle},
    {"cantor-beacon", embedded::cantor_beacon_rle},
});

/// Removes `word` and the number after it from the beginning of `text`. Returns the number.
std::optional<std::uint64_t> take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return std::nullopt;
  std::uint64_t value = 0;
  const char* const begin = text.data() + word.size();
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

}  // namespace

std::string PatternOutcome::words() const {
  if (dies) return fmt::format("dies after {} generations", settles);
  if (settles > 0 && period == 1) return fmt::format("stable after {} generations", settles);
  if (settles > 0) return fmt::format("has period {} after {} generations", period, settles);
  return period == 1 ? "still life" : fmt::format("period {}", period);
}

std::optional<PatternOutcome> parse_outcome(std::string_view text) {
  PatternOutcome fate;
  if (text == "still") return fate;
  if (const auto settles = take(text, "settles after ")) fate.settles = *settles;
  if (text.starts_with(", ")) text.remove_prefix(2);
  if (const auto dies = take(text, "dies after ")) {
    fate.settles = *dies;
    fate.dies = true;
  } else if (const auto period = take(text, "period ")) {
    fate.period = *period;
  } else {
    return std::nullopt;
  }
  return text.empty() && fate.period > 0 ? std::optional(fate) : std::nullopt;
}

std::optional<TargetField> target_field_of(const Pattern& pattern) {
  constexpr std::string_view kFractal = "fractal: ";
  for (const std::string& comment : pattern.comments) {
    const std::size_t comma = comment.find(", level ");
    if (!comment.starts_with(kFractal) || comma == std::string::npos) continue;
    TargetField target{.fractal = comment.substr(kFractal.size(), comma - kFractal.size())};
    const char* const begin = comment.data() + comma + 8;
    const auto [end, error] = std::from_chars(begin, comment.data() + comment.size(), target.level);
    if (error == std::errc{} && end == comment.data() + comment.size() && target.level >= 0) return target;
  }
  return std::nullopt;
}

const std::vector<BundledPattern>& bundled_patterns() {
  static const std::vector<BundledPattern> all = [] {
    constexpr std::string_view kDoes = "does: ";
    std::vector<BundledPattern> read;
    for (const Text& one : kTexts) {
      BundledPattern bundled{.name = std::string(one.name), .pattern = parse_rle(one.text, one.name)};
      bundled.target = target_field_of(bundled.pattern).value();
      for (const std::string& comment : bundled.pattern.comments) {
        if (comment.starts_with(kDoes))
          bundled.outcome = parse_outcome(std::string_view(comment).substr(kDoes.size())).value();
      }
      read.push_back(std::move(bundled));
    }
    return read;
  }();
  return all;
}

const BundledPattern& find_bundled_pattern(std::string_view name) {
  std::string names;
  for (const BundledPattern& one : bundled_patterns()) {
    if (one.name == name) return one;
    names += (names.empty() ? "" : ", ") + one.name;
  }
  throw InputError(fmt::format("unknown pattern '{}'; allowed: a file, or {}", name, names));
}

Pattern find_pattern(const std::string& name_or_file) {
  std::error_code ignored;
  const std::filesystem::path file = name_or_file;
  if (file.has_extension() || std::filesystem::exists(file, ignored)) return read_pattern_file(file);
  return find_bundled_pattern(name_or_file).pattern;
}

std::optional<LifeRule> long_lived_rule(const NbbFractal& fractal) {
  const auto found = std::ranges::find(catalog(), fractal);  // the name may be another fractal's
  if (found == catalog().end()) return std::nullopt;
  return parse_rule(kCatalogShapes[static_cast<std::size_t>(found - catalog().begin())].long_lived_rule);
}

}  // namespace loom::app::patterns
