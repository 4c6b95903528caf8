#include "app/files/fractal_file.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

constexpr std::uintmax_t kMaxFileBytes = 1 << 20;
constexpr std::array<std::string_view, 4> kNeededKeys = {"name", "s_x", "s_y", "offsets"};
constexpr std::string_view kNeeded = "name, s_x, s_y, offsets";
constexpr std::string_view kRuleKey = "rule";
constexpr std::string_view kAllowedKeys = "name, s_x, s_y, offsets, rule";

std::string_view kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::none:
      return "nothing";
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a number with a fraction";
    case toml::node_type::boolean:
      return "true or false";
    case toml::node_type::date:
      return "a date";
    case toml::node_type::time:
      return "a time";
    case toml::node_type::date_time:
      return "a date and time";
  }
  return "something else";
}

/// Turns the parsed document into a fractal; every error names the file and a line of it.
class FractalReader {
 public:
  FractalReader(const std::filesystem::path& file, const toml::table& document)
      : file_(file), document_(document) {}

  FractalFile read() const {
    reject_unknown_keys();
    reject_missing_keys();
    const std::string name = read_name();
    const auto s_x = read_scale("s_x");
    const auto s_y = read_scale("s_y");
    const auto offsets = read_offsets(s_x, s_y);
    const auto rule = read_rule();
    try {
      return {NbbFractal(name, s_x, s_y, offsets), rule};
    } catch (const InputError& error) {
      fail(line_of(at("offsets")), error.what());
    }
  }

 private:
  [[noreturn]] void fail(toml::source_index line, std::string_view what) const {
    throw InputError(fmt::format("{}:{}: {}", file_.string(), line, what));
  }
  static toml::source_index line_of(const toml::node& node) { return node.source().begin.line; }
  const toml::node& at(std::string_view key) const { return *document_.get(key); }

  void reject_unknown_keys() const {
    // A table is sorted by key; the error is about the unknown key that comes first in the file.
    const toml::key* first = nullptr;
    for (const auto& [key, value] : document_) {
      if (key.str() == kRuleKey || std::ranges::find(kNeededKeys, key.str()) != kNeededKeys.end()) continue;
      if (first == nullptr || key.source().begin.line < first->source().begin.line) first = &key;
    }
    if (first != nullptr) {
      fail(first->source().begin.line,
           fmt::format("unknown key '{}'; allowed: {}", shown(first->str()), kAllowedKeys));
    }
  }

  void reject_missing_keys() const {
    std::string missing;
    for (const std::string_view key : kNeededKeys) {
      if (!document_.contains(key)) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", key);
    }
    if (!missing.empty()) fail(1, fmt::format("missing: {}; needed: {}", missing, kNeeded));
  }

  std::string read_name() const {
    const toml::node& node = at("name");
    const auto allowed = fmt::format("allowed: a string of 1 to {} characters on one line", kMaxFractalName);
    if (!node.is_string()) fail(line_of(node), fmt::format("name is {}; {}", kind_of(node), allowed));
    const std::string name = node.as_string()->get();
    if (!is_fractal_name(name)) {
      fail(line_of(node), fmt::format("name is empty, too long or has control characters; {}", allowed));
    }
    return name;
  }

  std::uint32_t read_scale(std::string_view key) const {
    const toml::node& node = at(key);
    const auto allowed = fmt::format("allowed: a whole number from 1 to {}", kMaxScale);
    if (!node.is_integer()) fail(line_of(node), fmt::format("{} is {}; {}", key, kind_of(node), allowed));
    const std::int64_t value = node.as_integer()->get();
    if (value < 1 || value > kMaxScale) fail(line_of(node), fmt::format("{} is {}; {}", key, value, allowed));
    return static_cast<std::uint32_t>(value);
  }

  std::optional<LifeRule> read_rule() const {
    const toml::node* const node = document_.get(kRuleKey);
    if (node == nullptr) return std::nullopt;
    if (!node->is_string()) {
      fail(line_of(*node), fmt::format("rule is {}; allowed: a string such as \"B3/S23\"", kind_of(*node)));
    }
    try {
      return parse_rule(node->as_string()->get());
    } catch (const InputError& error) {
      fail(line_of(*node), error.what());
    }
  }

  std::vector<Coord32> read_offsets(std::uint32_t s_x, std::uint32_t s_y) const {
    const toml::node& node = at("offsets");
    const auto allowed =
        fmt::format("allowed: [x, y] with whole numbers x from 0 to {} and y from 0 to {}", s_x - 1, s_y - 1);
    if (!node.is_array()) {
      fail(line_of(node), fmt::format("offsets is {}; allowed: an array of [x, y] pairs", kind_of(node)));
    }
    std::vector<Coord32> offsets;
    std::map<std::pair<std::int64_t, std::int64_t>, toml::source_index> line_of_offset;
    for (const toml::node& entry : *node.as_array()) {
      const toml::source_index line = line_of(entry);
      const std::size_t number = offsets.size() + 1;
      const toml::array* pair = entry.as_array();
      if (pair == nullptr) fail(line, fmt::format("offset {} is {}; {}", number, kind_of(entry), allowed));
      if (pair->size() != 2)
        fail(line, fmt::format("offset {} has {} numbers; {}", number, pair->size(), allowed));
      for (const toml::node& part : *pair) {
        if (!part.is_integer())
          fail(line_of(part), fmt::format("offset {} contains {}; {}", number, kind_of(part), allowed));
      }
      const std::int64_t x = pair->get(0)->as_integer()->get();
      const std::int64_t y = pair->get(1)->as_integer()->get();
      if (x < 0 || y < 0 || x >= s_x || y >= s_y) {
        fail(line, fmt::format("offset {}, [{}, {}], lies outside the {} x {} box; {}", number, x, y, s_x,
                               s_y, allowed));
      }
      const auto [first, is_new] = line_of_offset.try_emplace({x, y}, line);
      if (!is_new) {
        fail(line, fmt::format("offset {}, [{}, {}], repeats the one of line {}; allowed: each offset once",
                               number, x, y, first->second));
      }
      offsets.push_back({static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)});
    }
    return offsets;
  }

  const std::filesystem::path& file_;
  const toml::table& document_;
};

/// A basic string of TOML.
std::string toml_string(std::string_view text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += c;
  }
  return all + "\"";
}

}  // namespace

bool is_fractal_name(std::string_view name) {
  const bool has_control =
      std::any_of(name.begin(), name.end(), [](unsigned char c) { return std::iscntrl(c) != 0; });
  return !name.empty() && name.size() <= kMaxFractalName && !has_control;
}

std::string fractal_text(const FractalFile& file) {
  const NbbFractal& fractal = file.fractal;
  const NbbShape& shape = fractal.shape();
  std::string text = fmt::format("name = {}\ns_x = {}\ns_y = {}\noffsets = [\n", toml_string(fractal.name()),
                                 shape.s_x, shape.s_y);
  std::uint32_t row = 0;
  bool begins = true;
  for (const Coord32& at : fractal.offsets()) {
    if (at.y != row && !begins) text += '\n';
    text += begins || at.y != row ? "  " : " ";
    text += fmt::format("[{}, {}],", at.x, at.y);
    row = at.y;
    begins = false;
  }
  text += "\n]\n";
  if (file.rule) text += fmt::format("rule = {}\n", toml_string(to_string(*file.rule)));
  return text;
}

FractalFile parse_fractal(std::string_view text, const std::filesystem::path& file) {
  check_toml_nesting(text, file.string());
  toml::table document;
  try {
    document = toml::parse(text, file.string());
  } catch (const toml::parse_error& error) {
    throw InputError(fmt::format("{}:{}: not TOML: {}; allowed: {}", file.string(), error.source().begin.line,
                                 shown(error.description()), kAllowedKeys));
  }
  return FractalReader(file, document).read();
}

FractalFile read_fractal_file(const std::filesystem::path& file) {
  const auto wanted = fmt::format("a TOML file of up to {} bytes with {}", kMaxFileBytes, kAllowedKeys);
  return parse_fractal(read_input(file, kMaxFileBytes, wanted), file);
}

}  // namespace loom::app
