#include "app/files/fractal_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "app/files/toml_document.h"
#include "compute/core/input_text.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

constexpr std::uintmax_t kMaxFileBytes = 1 << 20;
using Keys = std::vector<std::string_view>;
// A file has either a generator or a list of them.
const Keys kGeneratorKeys = {"s_x", "s_y", "offsets"};
const Keys kFileKeys = {"name", "s_x", "s_y", "offsets", "orientations", "levels", "repeat", "rule"};
const Keys kInlineKeys = {"s_x", "s_y", "offsets", "orientations"};
const Keys kSolidGeneratorKeys = {"name", "s_x", "s_y", "s_z", "offsets"};
const Keys kSolidFileKeys = {"name", "s_x", "s_y", "s_z", "offsets", "rule"};
constexpr std::string_view kAllowedSolidKeys = "name, s_x, s_y, s_z, offsets, rule";
constexpr std::string_view kAllowedKeys = "name, s_x, s_y, offsets, orientations, levels, repeat, rule";

std::string_view kind_of(const toml::node& node) {
  return value_for<toml::node_type::date_time>(
      {"nothing", "a table", "an array", "a string", "a whole number", "a number with a fraction",
       "true or false", "a date", "a time", "a date and time"},
      node.type());
}

/// Turns the parsed document into a fractal of either dimension; every error names the file and a line of it.
class FractalReader : TomlReader {
 public:
  FractalReader(const std::filesystem::path& file, const toml::table& document)
      : TomlReader(file.string()), document_(document) {}

  FractalFile read() const {
    allow(document_, kFileKeys, "a fractal");
    const bool has_levels = document_.contains("levels");
    Keys needed = {"name"};
    if (has_levels) {
      needed.push_back("levels");
      for (const std::string_view key : kInlineKeys) {
        if (const toml::node* const node = document_.get(key))
          fail(*node, fmt::format("both levels and {}; allowed: one of them", key));
      }
    } else {
      needed.insert(needed.end(), kGeneratorKeys.begin(), kGeneratorKeys.end());
      if (const toml::node* const node = document_.get("repeat"))
        fail(*node, "repeat without levels; allowed: repeat in a file with levels");
    }
    reject_missing_keys(document_, 1, needed);
    const std::string name = read_name();
    std::vector<Generator> generators;
    const toml::node& source = at(has_levels ? "levels" : "offsets");
    if (has_levels) {
      generators = read_levels(source);
    } else {
      generators.push_back(read_generator(document_));
    }
    const bool repeats = flag(document_, "repeat", true);
    const auto rule = read_rule(parse_rule, "B3/S23");
    const NbbFractal fractal =
        read_at(source, [&] { return NbbFractal(name, std::move(generators), repeats); });
    const bool has_own_limit = !repeats || !fractal.is_uniform();
    return {fractal, rule, has_own_limit ? static_cast<int>(line_of(source)) : 0};
  }

  SolidFile read_solid() const {
    allow(document_, kSolidFileKeys, "a fractal");
    reject_missing_keys(document_, 1, kSolidGeneratorKeys);
    const std::string name = read_name();
    const auto scale_of = [&](const char* key) { return read_scale(document_, key, kMaxSolidScale); };
    const std::array scale = {scale_of("s_x"), scale_of("s_y"), scale_of("s_z")};
    std::vector<Coord3> offsets;
    for (const auto& [x, y, z] : read_offsets(at("offsets"), scale)) offsets.push_back({x, y, z});
    const auto rule = read_rule(parse_solid_rule, "B5..7/S4..7");
    return {read_at(at("offsets"),
                    [&] {
                      return SolidFractal(name, {scale[0], scale[1], scale[2]}, offsets);
                    }),
            rule};
  }

 private:
  const toml::node& at(std::string_view key) const { return *document_.get(key); }

  void reject_missing_keys(const toml::table& table, std::size_t line, const Keys& needed) const {
    Keys missing;
    for (const std::string_view key : needed) {
      if (!table.contains(key)) missing.push_back(key);
    }
    if (!missing.empty())
      fail(line, fmt::format("missing: {}; needed: {}", fmt::join(missing, ", "), fmt::join(needed, ", ")));
  }

  std::string read_name() const {
    const toml::node& node = at("name");
    const auto allowed = fmt::format("allowed: a string of 1 to {} characters on one line", kMaxFractalName);
    if (!node.is_string()) fail(node, fmt::format("name is {}; {}", kind_of(node), allowed));
    const std::string name = node.as_string()->get();
    if (!is_fractal_name(name)) {
      fail(node, fmt::format("name is empty, too long or has control characters; {}", allowed));
    }
    return name;
  }

  /// A generator of a table that has all needed keys.
  Generator read_generator(const toml::table& table) const {
    Generator generator;
    generator.s_x = read_scale(table, "s_x", kMaxScale);
    generator.s_y = read_scale(table, "s_y", kMaxScale);
    for (const auto& [x, y] : read_offsets(*table.get("offsets"), std::array{generator.s_x, generator.s_y}))
      generator.offsets.push_back({x, y});
    if (const toml::node* const node = table.get("orientations"))
      generator.orientations = read_orientations(*node, generator);
    return generator;
  }

  std::vector<Symmetry> read_orientations(const toml::node& node, const Generator& generator) const {
    const auto allowed =
        fmt::format("allowed: an array of {} of id, r90, r180, r270, mx, my, t, at, one per offset",
                    generator.offsets.size());
    if (!node.is_array()) fail(node, fmt::format("orientations is {}; {}", kind_of(node), allowed));
    std::vector<Symmetry> orientations;
    for (const toml::node& entry : *node.as_array()) {
      if (!entry.is_string())
        fail(entry,
             fmt::format("orientation {} is {}; {}", orientations.size() + 1, kind_of(entry), allowed));
      try {
        orientations.push_back(parse_symmetry(entry.as_string()->get()));
      } catch (const InputError&) {
        fail(entry, fmt::format("orientation {} is '{}'; {}", orientations.size() + 1,
                                shown(entry.as_string()->get()), allowed));
      }
    }
    if (orientations.size() != generator.offsets.size())
      fail(node, fmt::format("{} orientations for {} offsets; {}", orientations.size(),
                             generator.offsets.size(), allowed));
    const bool turned =
        std::ranges::any_of(orientations, [](Symmetry q) { return q != Symmetry::kIdentity; });
    if (turned && generator.s_x != generator.s_y)
      fail(node, fmt::format("orientations with the scale {} x {}; allowed: with s_x equal to s_y",
                             generator.s_x, generator.s_y));
    return orientations;
  }

  std::vector<Generator> read_levels(const toml::node& node) const {
    const auto allowed = fmt::format("allowed: an array of 1 to {} names or tables with {}", kMaxLevels,
                                     fmt::join(kInlineKeys, ", "));
    if (!node.is_array()) fail(node, fmt::format("levels is {}; {}", kind_of(node), allowed));
    const toml::array& list = *node.as_array();
    if (list.empty() || list.size() > kMaxLevels)
      fail(node, fmt::format("levels has {} entries; {}", list.size(), allowed));
    std::vector<Generator> generators;
    for (const toml::node& entry : list) {
      const std::size_t number = generators.size() + 1;
      if (entry.is_string()) {
        generators.push_back(named_generator(entry, number));
      } else if (const toml::table* const table = entry.as_table()) {
        allow(*table, kInlineKeys, "a level");
        reject_missing_keys(*table, line_of(entry), kGeneratorKeys);
        generators.push_back(read_generator(*table));
      } else {
        fail(entry, fmt::format("level {} is {}; {}", number, kind_of(entry), allowed));
      }
    }
    reject_mixed_turns(list, generators);
    return generators;
  }

  Generator named_generator(const toml::node& entry, std::size_t number) const {
    std::string names;
    for (const NbbFractal& fractal : built_in_fractals()) {
      if (fractal.generators().size() != 1) continue;
      if (fractal.name() == entry.as_string()->get()) {
        Generator generator = fractal.generators().front();
        generator.name = fractal.name();
        return generator;
      }
      names += (names.empty() ? "" : ", ") + fractal.name();
    }
    fail(entry, fmt::format("level {}: unknown generator '{}'; allowed: {}", number,
                            shown(entry.as_string()->get()), names));
  }

  /// If a replica is turned, the squares of all levels are.
  void reject_mixed_turns(const toml::array& list, const std::vector<Generator>& generators) const {
    const auto turned = std::ranges::find_if(generators, [](const Generator& generator) {
      return std::ranges::any_of(generator.orientations, [](Symmetry q) { return q != Symmetry::kIdentity; });
    });
    const auto oblong = std::ranges::find_if(
        generators, [](const Generator& generator) { return generator.s_x != generator.s_y; });
    if (turned == generators.end() || oblong == generators.end()) return;
    const auto number = static_cast<std::size_t>(oblong - generators.begin());
    fail(line_of(*list.get(number)),
         fmt::format(
             "level {} has the scale {} x {}, and level {} has orientations; allowed with orientations: "
             "levels with s_x equal to s_y",
             number + 1, oblong->s_x, oblong->s_y, turned - generators.begin() + 1));
  }

  std::uint32_t read_scale(const toml::table& table, std::string_view key, std::uint32_t most) const {
    const toml::node& node = *table.get(key);
    const auto allowed = fmt::format("allowed: a whole number from 1 to {}", most);
    if (!node.is_integer()) fail(node, fmt::format("{} is {}; {}", key, kind_of(node), allowed));
    const std::int64_t value = node.as_integer()->get();
    if (value < 1 || value > most) fail(node, fmt::format("{} is {}; {}", key, value, allowed));
    return static_cast<std::uint32_t>(value);
  }

  template <typename Rule>
  std::optional<Rule> read_rule(Rule (*parse)(std::string_view), std::string_view example) const {
    const toml::node* const node = document_.get("rule");
    if (node == nullptr) return std::nullopt;
    if (!node->is_string()) {
      fail(*node, fmt::format("rule is {}; allowed: a string such as \"{}\"", kind_of(*node), example));
    }
    return read_at(*node, [&] { return parse(node->as_string()->get()); });
  }

  template <std::size_t kAxes>
  std::vector<std::array<std::uint32_t, kAxes>> read_offsets(
      const toml::node& node, const std::array<std::uint32_t, kAxes>& scale) const {
    constexpr bool kSolid = kAxes == 3;
    const auto allowed =
        fmt::format("allowed: {} with whole numbers x from 0 to {}{} y from 0 to {}{}",
                    kSolid ? "[x, y, z]" : "[x, y]", scale[0] - 1, kSolid ? "," : " and", scale[1] - 1,
                    kSolid ? fmt::format(" and z from 0 to {}", scale.back() - 1) : "");
    if (!node.is_array()) {
      fail(node, fmt::format("offsets is {}; allowed: an array of {}", kind_of(node),
                             kSolid ? "[x, y, z] triples" : "[x, y] pairs"));
    }
    std::vector<std::array<std::uint32_t, kAxes>> offsets;
    std::map<std::array<std::int64_t, kAxes>, std::size_t> line_of_offset;
    for (const toml::node& entry : *node.as_array()) {
      const std::size_t line = line_of(entry);
      const std::size_t number = offsets.size() + 1;
      const toml::array* list = entry.as_array();
      if (list == nullptr) fail(line, fmt::format("offset {} is {}; {}", number, kind_of(entry), allowed));
      if (list->size() != kAxes)
        fail(line, fmt::format("offset {} has {} numbers; {}", number, list->size(), allowed));
      std::array<std::int64_t, kAxes> at{};
      std::array<std::uint32_t, kAxes>& offset = offsets.emplace_back();
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        const toml::node& part = *list->get(axis);
        if (!part.is_integer())
          fail(part, fmt::format("offset {} contains {}; {}", number, kind_of(part), allowed));
        at[axis] = part.as_integer()->get();
        offset[axis] = static_cast<std::uint32_t>(at[axis]);
      }
      const auto is_outside = [&](std::size_t axis) { return at[axis] < 0 || at[axis] >= scale[axis]; };
      if (is_outside(0) || is_outside(1) || is_outside(kAxes - 1)) {
        fail(line, fmt::format("offset {}, [{}], lies outside the {} box; {}", number, fmt::join(at, ", "),
                               fmt::join(scale, " x "), allowed));
      }
      const auto [first, is_new] = line_of_offset.try_emplace(at, line);
      if (!is_new) {
        fail(line, fmt::format("offset {}, [{}], repeats the one of line {}; allowed: each offset once",
                               number, fmt::join(at, ", "), first->second));
      }
    }
    return offsets;
  }

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

std::string orientation_text(const Generator& generator) {
  std::string text;
  for (const Symmetry symmetry : generator.orientations)
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", name_of(symmetry));
  return text;
}

/// A generator as a line of `levels`.
std::string inline_text(const Generator& generator) {
  std::string offsets;
  for (const Coord32& at : generator.offsets)
    offsets += fmt::format("{}[{}, {}]", offsets.empty() ? "" : ", ", at.x, at.y);
  std::string text =
      fmt::format("  {{ s_x = {}, s_y = {}, offsets = [{}]", generator.s_x, generator.s_y, offsets);
  if (!generator.orientations.empty())
    text += fmt::format(", orientations = [{}]", orientation_text(generator));
  return text + " },\n";
}

}  // namespace

bool is_fractal_name(std::string_view name) {
  const bool has_control =
      std::any_of(name.begin(), name.end(), [](unsigned char c) { return std::iscntrl(c) != 0; });
  return !name.empty() && name.size() <= kMaxFractalName && !has_control;
}

std::string fractal_text(const FractalFile& file) {
  const NbbFractal& fractal = file.fractal;
  std::string text = fmt::format("name = {}\n", toml_string(fractal.name()));
  if (fractal.generators().size() > 1 || !fractal.repeats()) {
    text += "levels = [\n";
    for (const Generator& generator : fractal.generators())
      text += generator.name.empty() ? inline_text(generator)
                                     : fmt::format("  {},\n", toml_string(generator.name));
    text += fractal.repeats() ? "]\n" : "]\nrepeat = false\n";
    if (file.rule) text += fmt::format("rule = {}\n", toml_string(to_string(*file.rule)));
    return text;
  }
  const Generator& generator = fractal.generators().front();
  text += fmt::format("s_x = {}\ns_y = {}\noffsets = [\n", generator.s_x, generator.s_y);
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
  if (!generator.orientations.empty())
    text += fmt::format("orientations = [{}]\n", orientation_text(generator));
  if (file.rule) text += fmt::format("rule = {}\n", toml_string(to_string(*file.rule)));
  return text;
}

std::string fractal_text(const SolidFile& file) {
  const Coord3 scale = file.fractal.shape().scale;
  std::string text = fmt::format("name = {}\ns_x = {}\ns_y = {}\ns_z = {}\noffsets = [\n",
                                 toml_string(file.fractal.name()), scale.x, scale.y, scale.z);
  for (const Coord3& at : file.fractal.offsets()) text += fmt::format("  [{}, {}, {}],\n", at.x, at.y, at.z);
  text += "]\n";
  if (file.rule) text += fmt::format("rule = {}\n", toml_string(to_string(*file.rule)));
  return text;
}

bool is_solid_file(std::string_view text) {
  try {
    return parse_toml(text, "", "").contains("s_z");
  } catch (const InputError&) {
    return false;
  }
}

SolidFile parse_solid(std::string_view text, const std::filesystem::path& file) {
  const toml::table document = parse_toml(text, file.string(), kAllowedSolidKeys);
  return FractalReader(file, document).read_solid();
}

std::optional<SolidFile> read_solid_file(const std::filesystem::path& file) {
  std::string text;
  try {
    text = read_input(file, kMaxFileBytes, "");
  } catch (const InputError&) {
    return std::nullopt;
  }
  if (!is_solid_file(text)) return std::nullopt;
  return parse_solid(text, file);
}

FractalFile parse_fractal(std::string_view text, const std::filesystem::path& file) {
  const toml::table document = parse_toml(text, file.string(), kAllowedKeys);
  return FractalReader(file, document).read();
}

FractalFile read_fractal_file(const std::filesystem::path& file) {
  const auto wanted = fmt::format("a TOML file of up to {} bytes with {}", kMaxFileBytes, kAllowedKeys);
  return parse_fractal(read_input(file, kMaxFileBytes, wanted), file);
}

}  // namespace loom::app
