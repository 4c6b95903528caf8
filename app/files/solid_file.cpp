#include "app/files/solid_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "app/files/fractal_file.h"
#include "app/files/toml_document.h"

namespace loom::app {
namespace {

constexpr std::uintmax_t kMaxSolidFileBytes = 1 << 20;
constexpr std::array<std::string_view, 5> kSolidKeys = {"name", "s_x", "s_y", "s_z", "offsets"};
constexpr std::string_view kAllowedSolidKeys = "name, s_x, s_y, s_z, offsets, rule";

/// Turns the parsed document into a fractal; every error names the file and a line of it.
class SolidReader {
 public:
  SolidReader(const std::filesystem::path& file, const toml::table& document)
      : file_(file), document_(document) {}

  SolidFile read() const {
    for (const auto& [key, value] : document_) {
      const bool known = key.str() == "rule" || std::ranges::find(kSolidKeys, key.str()) != kSolidKeys.end();
      if (!known) {
        fail(key.source().begin.line,
             fmt::format("unknown key '{}'; allowed: {}", shown(key.str()), kAllowedSolidKeys));
      }
    }
    for (const std::string_view key : kSolidKeys) {
      if (!document_.contains(key))
        fail(1, fmt::format("missing: {}; needed: name, s_x, s_y, s_z, offsets", key));
    }
    const std::string name = read_name();
    const Coord3 scale{read_scale("s_x"), read_scale("s_y"), read_scale("s_z")};
    const std::vector<Coord3> offsets = read_offsets(scale);
    const std::optional<SolidRule> rule = read_rule();
    try {
      return {SolidFractal(name, scale, offsets), rule};
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

  std::string read_name() const {
    const toml::node& node = at("name");
    if (!node.is_string() || !is_fractal_name(node.as_string()->get())) {
      fail(line_of(node),
           fmt::format("name is not a name; allowed: a string of 1 to {} characters on one line",
                       kMaxFractalName));
    }
    return node.as_string()->get();
  }

  std::uint32_t read_scale(std::string_view key) const {
    const toml::node& node = at(key);
    const std::int64_t value = node.is_integer() ? node.as_integer()->get() : 0;
    if (value < 1 || value > kMaxSolidScale) {
      fail(line_of(node),
           fmt::format("{} is not allowed; allowed: a whole number from 1 to {}", key, kMaxSolidScale));
    }
    return static_cast<std::uint32_t>(value);
  }

  std::vector<Coord3> read_offsets(Coord3 scale) const {
    const toml::node& node = at("offsets");
    const auto allowed = fmt::format(
        "allowed: [x, y, z] with whole numbers x from 0 to {}, y from 0 to {} and z from 0 to {}, each "
        "offset "
        "once",
        scale.x - 1, scale.y - 1, scale.z - 1);
    if (!node.is_array()) fail(line_of(node), "offsets is not an array; " + allowed);
    const std::array<std::uint32_t, 3> sides = {scale.x, scale.y, scale.z};
    std::vector<Coord3> offsets;
    for (const toml::node& entry : *node.as_array()) {
      const toml::array* triple = entry.as_array();
      std::array<std::uint32_t, 3> values{};
      bool valid = triple != nullptr && triple->size() == 3;
      for (std::size_t i = 0; valid && i < 3; ++i) {
        const auto* const number = triple->get(i)->as_integer();
        valid = number != nullptr && number->get() >= 0 && number->get() < sides[i];
        if (valid) values[i] = static_cast<std::uint32_t>(number->get());
      }
      const Coord3 offset{values[0], values[1], values[2]};
      if (!valid || std::ranges::find(offsets, offset) != offsets.end())
        fail(line_of(entry), fmt::format("offset {} is not allowed; {}", offsets.size() + 1, allowed));
      offsets.push_back(offset);
    }
    return offsets;
  }

  std::optional<SolidRule> read_rule() const {
    const toml::node* const node = document_.get("rule");
    if (node == nullptr) return std::nullopt;
    if (!node->is_string())
      fail(line_of(*node), "rule is not a string; allowed: a string such as \"B5..7/S4..7\"");
    try {
      return parse_solid_rule(node->as_string()->get());
    } catch (const InputError& error) {
      fail(line_of(*node), error.what());
    }
  }

  const std::filesystem::path& file_;
  const toml::table& document_;
};

}  // namespace

bool is_solid_file(std::string_view text) {
  try {
    return parse_toml(text, "", "").contains("s_z");
  } catch (const InputError&) {
    return false;
  }
}

SolidFile parse_solid(std::string_view text, const std::filesystem::path& file) {
  const toml::table document = parse_toml(text, file.string(), kAllowedSolidKeys);
  return SolidReader(file, document).read();
}

std::optional<SolidFile> read_solid_file(const std::filesystem::path& file) {
  std::string text;
  try {
    text = read_input(file, kMaxSolidFileBytes,
                      fmt::format("a TOML file of up to {} bytes", kMaxSolidFileBytes));
  } catch (const InputError&) {
    return std::nullopt;
  }
  if (!is_solid_file(text)) return std::nullopt;
  return parse_solid(text, file);
}

std::string fractal_text(const SolidFile& file) {
  const SolidFractal& fractal = file.fractal;
  const Coord3 scale = fractal.shape().scale;
  std::string name;
  for (const char c : fractal.name()) {
    if (c == '"' || c == '\\') name += '\\';
    name += c;
  }
  std::string text = fmt::format("name = \"{}\"\ns_x = {}\ns_y = {}\ns_z = {}\noffsets = [\n", name, scale.x,
                                 scale.y, scale.z);
  for (const Coord3& at : fractal.offsets()) text += fmt::format("  [{}, {}, {}],\n", at.x, at.y, at.z);
  text += "]\n";
  if (file.rule) text += fmt::format("rule = \"{}\"\n", to_string(*file.rule));
  return text;
}

}  // namespace loom::app
