#include "compute/workload/rule_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "compute/core/error.h"
#include "compute/core/input_text.h"

namespace loom {
namespace {

// Names and rules as in LifeWiki's list of Life-like rules; the first is the papers' rule.
constexpr std::array kNamedRules = {
    NamedRule{"B2/S23", "the papers' rule"},
    NamedRule{"B3/S23", "Conway's Life"},
    NamedRule{"B36/S23", "HighLife"},
    NamedRule{"B2/S", "Seeds"},
    NamedRule{"B3678/S34678", "Day & Night"},
    NamedRule{"B1357/S1357", "Replicator"},
    NamedRule{"B1357/S02468", "Fredkin"},
    NamedRule{"B3/S12345", "Maze"},
    NamedRule{"B3/S1234", "Mazectric"},
    NamedRule{"B36/S125", "2x2"},
    NamedRule{"B35678/S5678", "Diamoeba"},
    NamedRule{"B368/S245", "Morley"},
    NamedRule{"B3/S012345678", "Life without Death"},
    NamedRule{"B2/S0", "Live Free or Die"},
    NamedRule{"B234/S", "Serviettes"},
    NamedRule{"B3/S023", "DotLife"},
    NamedRule{"B1/S1", "Gnarl"},
    NamedRule{"B34/S34", "34 Life"},
    NamedRule{"B4678/S35678", "Anneal"},
    NamedRule{"B3/S45678", "Coral"},
    NamedRule{"B38/S23", "Pedestrian Life"},
    NamedRule{"B5678/S45678", "Vote"},
    NamedRule{"B357/S1358", "Amoeba"},
    NamedRule{"B345/S5", "Long Life"},
    NamedRule{"B3678/S235678", "Stains"},
    NamedRule{"B3/S12", "Flock"},
    NamedRule{"B2/S/C3", "Brian's Brain"},
    NamedRule{"B2/S345/C4", "Star Wars"},
    NamedRule{"R5,C0,M1,S34..58,B34..45,NM", "Bugs"},
    NamedRule{"R5,C0,M1,S33..57,B34..45,NM", "Bosco's Rule"},
    NamedRule{"R4,C0,M1,S41..81,B41..81,NM", "Majority"},
    NamedRule{"R7,C0,M1,S100..200,B75..170,NM", "Waffle"},
    NamedRule{"R8,C0,M0,S163..223,B74..252,NM", "Globe"},
};

// Other names of the same rules, in the form of key_of().
constexpr std::array kAliases = {
    NamedRule{"B3/S23", "conway"},         NamedRule{"B3/S23", "life"},
    NamedRule{"B3/S23", "conwayslife"},    NamedRule{"B3/S23", "gameoflife"},
    NamedRule{"B2/S23", "papers"},         NamedRule{"B2/S23", "authors"},
    NamedRule{"B3678/S34678", "daynight"}, NamedRule{"B3678/S34678", "dayandnight"},
    NamedRule{"B3/S012345678", "lwod"},    NamedRule{"B34/S34", "34life"},
    NamedRule{"B368/S245", "move"}};

/// Lower-case letters and digits only: "Day & Night" becomes "daynight".
std::string key_of(std::string_view text) {
  std::string key;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') key += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) key += c;
  }
  return key;
}

/// Without spaces, in lower case.
std::string packed(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

/// Removes the digits 0 to 8 at the beginning of `text` and returns them as bits.
std::uint16_t take_counts(std::string_view& text) {
  unsigned counts = 0;
  while (!text.empty() && text.front() >= '0' && text.front() <= '8') {
    counts |= 1u << (text.front() - '0');
    text.remove_prefix(1);
  }
  return static_cast<std::uint16_t>(counts);
}

/// Removes "/c4", "/g4" or "/4", the number of states, from the end of a packed rule of two lists and returns
/// it; 2 if there is none. Throws InputError for a number out of range.
std::uint8_t take_states(std::string_view& text, std::string_view whole, bool letters) {
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos || slash == 0) return 2;
  std::string_view digits = text.substr(slash + 1);
  const bool letter = !digits.empty() && (digits.front() == 'c' || digits.front() == 'g');
  // Without letters, the number of states is the third one.
  if (!letter && (letters ? std::count(text.begin(), text.end(), '/') < 2 : text.find('/') == slash))
    return 2;
  if (letter) digits.remove_prefix(1);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) return 2;
  std::uint32_t states = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), states);
  if (digits.size() > 9 || states < 2 || states > LifeRule::kMaxStates) {
    throw InputError(
        fmt::format("rule '{}' has {} states; allowed: 2 to {}", shown(whole), digits, LifeRule::kMaxStates));
  }
  text = text.substr(0, slash);
  return static_cast<std::uint8_t>(states);
}

/// "b3/s23", "b3s23", "s23/b3": two lists, whose counts `take` removes from the beginning of the text.
template <typename Rule, typename Take>
std::optional<Rule> read_lists(std::string_view text, const Take& take) {
  Rule rule{0, 0};
  bool seen[2] = {false, false};
  for (int list = 0; list < 2; ++list) {
    if (list == 1 && !text.empty() && text.front() == '/') text.remove_prefix(1);
    if (text.empty() || (text.front() != 'b' && text.front() != 's')) return std::nullopt;
    const bool survival = text.front() == 's';
    if (std::exchange(seen[survival ? 1 : 0], true)) return std::nullopt;
    text.remove_prefix(1);
    (survival ? rule.survival : rule.birth) = take(text);
  }
  return text.empty() ? std::optional(rule) : std::nullopt;
}
std::optional<LifeRule> read_letters(std::string_view text) {
  return read_lists<LifeRule>(text, take_counts);
}

/// "23/3": survival, then birth.
std::optional<LifeRule> read_numbers(std::string_view text) {
  if (text.size() < 2) return std::nullopt;
  LifeRule rule{0, 0};
  rule.survival = take_counts(text);
  if (text.empty() || text.front() != '/') return std::nullopt;
  text.remove_prefix(1);
  rule.birth = take_counts(text);
  return text.empty() ? std::optional(rule) : std::nullopt;
}

/// Two lists and the number of states, of a packed text that is part of `whole`.
std::optional<LifeRule> read_notation(std::string_view packed_text, std::string_view whole) {
  const bool letters = packed_text.find_first_of("bs") == 0;
  const std::uint8_t states = take_states(packed_text, whole, letters);
  auto rule = letters ? read_letters(packed_text) : read_numbers(packed_text);
  if (rule) rule->states = states;
  return rule;
}

std::optional<LifeRule> read_name(std::string_view text) {
  const std::string key = key_of(text);
  if (key.empty()) return std::nullopt;
  for (const NamedRule& named : kNamedRules) {
    if (key == key_of(named.name)) return parse_rule(named.rule);
  }
  for (const NamedRule& alias : kAliases) {
    if (key == alias.name) return read_notation(packed(alias.rule), alias.rule);
  }
  return std::nullopt;
}

/// Reads one rule in Golly's notation of Larger than Life; every error quotes the whole of it.
class LargerReader {
 public:
  explicit LargerReader(std::string_view text) : text_(text), packed_(packed(text)), rest_(packed_) {}
  static bool is_one(std::string_view packed_text) {
    return packed_text.size() > 1 && packed_text[0] == 'r' && packed_text[1] >= '0' && packed_text[1] <= '9';
  }

  LifeRule read() {
    LifeRule rule{0, 0};
    LargerThanLife& larger = rule.larger;
    take("r");
    larger.radius = static_cast<std::uint8_t>(take_number("radius", 1, LargerThanLife::kMaxRadius));
    take(",c");
    const std::uint32_t states = take_number("number of states", 0, LifeRule::kMaxStates);
    rule.states = static_cast<std::uint8_t>(std::max(2u, states));
    take(",m");
    larger.middle = take_number("middle", 0, 1) == 1;
    take(",s");
    larger.survival = take_range();
    take(",b");
    larger.birth = take_range();
    take(",n");
    const std::size_t shape = std::string_view(kShapes).find(rest_);
    if (rest_.size() != 1 || shape == std::string_view::npos)
      fail("has no such neighbourhood", "NM (box), NN (diamond), NC (circle)");
    larger.shape = static_cast<Neighbourhood>(shape);
    const std::uint32_t most = larger.area() - (larger.middle ? 0 : 1);
    if (std::max(larger.survival.last, larger.birth.last) > most)
      fail("counts more neighbours than it has", fmt::format("0 to {}", most));
    return rule;
  }
  static constexpr const char* kShapes = "mnc";  ///< in the order of Neighbourhood

 private:
  [[noreturn]] void fail(std::string_view what, std::string_view allowed) const {
    throw InputError(fmt::format("rule '{}' {}; allowed: {}", shown(text_), what, allowed));
  }
  void take(std::string_view word) {
    if (!rest_.starts_with(word))
      fail("is not a rule of Larger than Life",
           "radius, states, middle, survival, birth and neighbourhood, as in R5,C0,M1,S34..58,B34..45,NM");
    rest_.remove_prefix(word.size());
  }
  std::uint32_t take_number(std::string_view what, std::uint32_t lowest, std::uint32_t highest) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error == std::errc::invalid_argument) take("a number");
    if (error != std::errc{} || value < lowest || value > highest) {
      fail(fmt::format("has the {} {}", what,
                       shown(rest_.substr(0, static_cast<std::size_t>(end - rest_.data())))),
           fmt::format("{} to {}", lowest, highest));
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  CountRange take_range() {
    CountRange range;
    range.first = static_cast<std::uint16_t>(take_number("count", 0, kMostCounted));
    take("..");
    range.last = static_cast<std::uint16_t>(take_number("count", 0, kMostCounted));
    if (range.first > range.last)
      fail(fmt::format("has the empty range {}..{}", range.first, range.last),
           "the smallest count first, as in 34..58");
    return range;
  }

  static constexpr std::uint32_t kMostCounted =
      (2 * LargerThanLife::kMaxRadius + 1) * (2 * LargerThanLife::kMaxRadius + 1);
  std::string_view text_;
  std::string packed_;
  std::string_view rest_;
};

constexpr std::string_view kAllowedInSpace =
    "allowed: counts from 0 to 26 with commas and ranges, as in B5..7/S4..7, with the number of states after "
    "them as in B4/S4/C5, or Bays' notation, as in 5766";

/// Reads one rule of three dimensions; every error quotes the whole of it.
class SpaceRuleReader {
 public:
  explicit SpaceRuleReader(std::string_view text) : text_(text), packed_(packed(text)), rest_(packed_) {}

  SolidRule read() {
    if (LargerReader::is_one(packed_)) {
      throw InputError(fmt::format("rule '{}' is of Larger than Life, which has two dimensions; {}",
                                   shown(text_), kAllowedInSpace));
    }
    if (rest_.empty()) fail_format();
    if (rest_.front() != 'b' && rest_.front() != 's') return read_bays();
    const std::uint8_t states = take_states(rest_, text_, true);
    auto rule = read_lists<SolidRule>(rest_, [this](std::string_view& text) {
      rest_ = text;
      const std::uint32_t counts = take_ranges();
      text = rest_;
      return counts;
    });
    if (!rule) fail_format();
    rule->states = states;
    return *rule;
  }

 private:
  [[noreturn]] void fail_format() const {
    throw InputError(
        fmt::format("rule '{}' is not a rule of three-dimensional life; {}", shown(text_), kAllowedInSpace));
  }
  [[noreturn]] void fail_count(std::string_view count) const {
    throw InputError(fmt::format("rule '{}': a cell cannot have {} neighbours; {}", shown(text_),
                                 shown(count), kAllowedInSpace));
  }

  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  std::uint32_t take_count() {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    const std::string_view digits = rest_.substr(0, static_cast<std::size_t>(end - rest_.data()));
    if (error == std::errc::invalid_argument) fail_format();
    if (error != std::errc{} || value > SolidRule::kNeighbours) fail_count(digits);
    rest_.remove_prefix(digits.size());
    return value;
  }

  /// The counts from `first` to `last`.
  std::uint32_t range(std::uint32_t first, std::uint32_t last) const {
    if (first > last) {
      throw InputError(fmt::format("rule '{}': the range {}..{} is empty; {}", shown(text_), first, last,
                                   kAllowedInSpace));
    }
    std::uint32_t counts = 0;
    for (std::uint32_t c = first; c <= last; ++c) counts |= 1u << c;
    return counts;
  }

  std::uint32_t take_ranges() {
    std::uint32_t counts = 0;
    if (rest_.empty() || rest_.front() < '0' || rest_.front() > '9') return counts;
    do {
      const std::uint32_t first = take_count();
      counts |= range(first, take("..") ? take_count() : first);
    } while (take(","));
    return counts;
  }

  SolidRule read_bays() {
    std::array<std::uint32_t, 4> limits{};
    if (rest_.size() == 4 && rest_.find_first_not_of("0123456789") == std::string_view::npos) {
      for (std::size_t i = 0; i < limits.size(); ++i) limits[i] = static_cast<std::uint32_t>(rest_[i] - '0');
    } else {
      for (std::size_t i = 0; i < limits.size(); ++i) {
        if (i > 0 && !take(",")) fail_format();
        limits[i] = take_count();
      }
      if (!rest_.empty()) fail_format();
    }
    return {.birth = range(limits[2], limits[3]), .survival = range(limits[0], limits[1])};
  }

  std::string_view text_;
  std::string packed_;
  std::string_view rest_;
};

std::string counts_text(std::uint32_t counts) {
  std::string text;
  for (std::uint32_t first = 0; first <= SolidRule::kNeighbours; ++first) {
    if ((counts >> first & 1u) == 0) continue;
    std::uint32_t last = first;
    while (last < SolidRule::kNeighbours && (counts >> (last + 1) & 1u) != 0) ++last;
    if (!text.empty()) text += ',';
    text += fmt::format("{}", first);
    if (last == first + 1) text += fmt::format(",{}", last);
    if (last > first + 1) text += fmt::format("..{}", last);
    first = last;
  }
  return text;
}

}  // namespace

std::span<const NamedRule> named_rules() {
  return kNamedRules;
}

std::string_view name_of(LifeRule rule) {
  const std::string text = to_string(rule);
  for (const NamedRule& named : kNamedRules) {
    if (named.rule == text) return named.name;
  }
  return {};
}

bool names_bounds(std::string_view text) {
  const std::size_t colon = text.find(':');
  return colon != std::string_view::npos && colon + 1 < text.size() &&
         std::string_view("TPKCS").find(text[colon + 1]) != std::string_view::npos;
}

LifeRule parse_rule(std::string_view text) {
  if (names_bounds(text)) text = text.substr(0, text.find(':'));
  if (LargerReader::is_one(packed(text))) return LargerReader(text).read();
  if (const auto rule = read_notation(packed(text), text)) return *rule;
  if (const auto rule = read_name(text)) return *rule;
  throw InputError(fmt::format(
      "rule '{}' is neither B…/S… notation nor the name of a rule; allowed: B, digits 0-8, /S, digits "
      "0-8, as in B3/S23, b3s23, 23/3, with the number of states after it as in B2/S345/C4, 345/2/4, "
      "Larger than Life as in R5,C0,M1,S34..58,B34..45,NM, or a name such as Conway, HighLife, Seeds",
      shown(text)));
}

std::string to_string(LifeRule rule) {
  if (const LargerThanLife& larger = rule.larger; rule.is_larger()) {
    return fmt::format("R{},C{},M{},S{}..{},B{}..{},N{:c}", larger.radius, rule.states > 2 ? rule.states : 0,
                       larger.middle ? 1 : 0, larger.survival.first, larger.survival.last, larger.birth.first,
                       larger.birth.last,
                       LargerReader::kShapes[static_cast<std::size_t>(larger.shape)] - 'a' + 'A');
  }
  std::string text = "B";
  for (int c = 0; c <= 8; ++c) {
    if (rule.birth >> c & 1) text += static_cast<char>('0' + c);
  }
  text += "/S";
  for (int c = 0; c <= 8; ++c) {
    if (rule.survival >> c & 1) text += static_cast<char>('0' + c);
  }
  return rule.states > 2 ? fmt::format("{}/C{}", text, rule.states) : text;
}

std::string name_of_state(std::uint32_t state) {
  if (state < 2) return state == 0 ? "dead" : "alive";
  return fmt::format("state {}", state);
}

SolidRule parse_solid_rule(std::string_view text) {
  return SpaceRuleReader(text).read();
}

std::string to_string(SolidRule rule) {
  const std::string text = fmt::format("B{}/S{}", counts_text(rule.birth), counts_text(rule.survival));
  return rule.states > 2 ? fmt::format("{}/C{}", text, rule.states) : text;
}

}  // namespace loom
