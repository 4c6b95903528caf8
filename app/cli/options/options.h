#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <glm/vec2.hpp>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "compute/core/field.h"
#include "compute/distributed/process_group.h"

namespace loom::app {

/// Parses all of `text` as a decimal whole number from `lowest` to `highest`, without signs, spaces and
/// fractions. Throws InputError that names option and range.
std::uint64_t read_whole_number(std::string_view option, std::string_view text, std::uint64_t lowest,
                                std::uint64_t highest);
/// The same; every number of its type by default.
template <std::integral Number>
Number read_whole_number(std::string_view option, std::string_view text,
                         std::type_identity_t<Number> lowest = 0,
                         std::type_identity_t<Number> highest = std::numeric_limits<Number>::max()) {
  return static_cast<Number>(read_whole_number(option, text, static_cast<std::uint64_t>(lowest),
                                               static_cast<std::uint64_t>(highest)));
}

/// Parses all of `text` as a decimal number from `lowest` to `highest`. Throws InputError that names option
/// and range.
double read_real_number(std::string_view option, std::string_view text, double lowest, double highest);

/// Parses "1280x720": two whole numbers, each from 1 to `highest`. Throws InputError that names the option
/// and what is `allowed`.
glm::ivec2 read_sides(std::string_view option, std::string_view text, std::uint32_t highest,
                      std::string_view allowed);
/// Describes the allowed sizes of an image: "WIDTHxHEIGHT with sides from 1 to 16384".
std::string allowed_sides(std::uint32_t highest);

/// Parses "-1.5,0.5,-1,1": as many numbers as there are bounds, each within its bounds. `words` is the text
/// of the command line, split at commas or spaces. Throws InputError that names the option and what is
/// `allowed`.
struct Bounds {
  double lowest = 0;
  double highest = 0;
};
std::vector<double> read_numbers(std::string_view option, const std::vector<std::string>& words,
                                 std::span<const Bounds> bounds, std::string_view allowed);

/// Options that have an effect only beside others.
struct OptionNeed {
  std::string_view options;  ///< names, separated by spaces
  bool is_met = false;       ///< whether they have an effect beside the other options
  std::string_view allowed;  ///< "with --png"
};
/// Throws InputError that names the first typed option without an effect, and what would give it one.
void require_effect(const CLI::App& command, std::initializer_list<OptionNeed> needs);

/// The first of these options that was typed; empty if none was.
std::string first_typed(const CLI::App& command, std::span<const std::string> names);

/// Throws InputError if an option was typed besides `mode`, with which only `others` have an effect; names
/// separated by spaces.
void require_only(const CLI::App& command, std::string_view mode, std::string_view others);

using OptionList = std::vector<const CLI::Option*>;

/// Adds the options of `add` to a command, without some of them.
template <typename Add>
OptionList options_added_by(CLI::App& command, const Add& add,
                            std::initializer_list<std::string_view> without = {}) {
  const auto before = command.get_options();
  add();
  OptionList added;
  for (const CLI::Option* option : command.get_options()) {
    const bool left_out = std::find(without.begin(), without.end(), option->get_name()) != without.end();
    if (!left_out && std::find(before.begin(), before.end(), option) == before.end()) added.push_back(option);
  }
  return added;
}

/// Throws InputError if an option of the other workspace was typed, which would have no effect.
void reject_options(const OptionList& options, std::string_view workspace);

/// Adds an option with a text, std::string or std::optional. A text that is not empty is the default, which
/// --help shows.
template <typename Text>
CLI::Option& add_text(CLI::App& command, const std::string& names, Text& text, const std::string& type,
                      const std::string& help) {
  CLI::Option* const option = command.add_option(names, text, help)->type_name(type);
  if constexpr (std::is_same_v<Text, std::string>) {
    if (!text.empty()) option->capture_default_str();
  }
  return *option;
}

/// Adds an option that names an output file. An empty name is rejected before anything is computed.
template <typename Text>
CLI::Option& add_output_file(CLI::App& command, const std::string& names, Text& file, const std::string& help,
                             const std::string& type = "FILE") {
  CLI::Option& option = add_text(command, names, file, type, help);
  option.check([](const std::string& name) {
    return name.empty() ? std::string("the file name is empty") : std::string();
  });
  return option;
}

/// The devices of a subcommand that can distribute its work.
struct DeviceSelection {
  BackendSelection backend = {};     ///< that of the first device
  std::vector<Device> several = {};  ///< the named devices; empty: only `backend`
  /// The device numbers, for results.
  std::vector<int> numbers() const;
};

/// The number of --device, 0 if it was not typed. Throws InputError, also for the CPU, which has no device
/// numbers.
int read_device(const std::optional<std::string>& typed, BackendChoice backend);

/// `device` is that of the settings; `named` is whether --device was typed; `devices` is the text of
/// --devices. With several processes (`ranks`, or null), each uses the device of its number on its machine,
/// unless one is named. Throws InputError if both options are typed, if a device does not exist or is named
/// twice, and for --devices with several processes; MachineError.
DeviceSelection select_devices(BackendChoice backend, int device, bool named,
                               const std::optional<std::string>& devices, const ProcessGroup* ranks);

/// The values of settings as typed, by option; an option that was not typed has none.
using TypedFields = std::map<std::string, std::optional<std::string>, std::less<>>;

/// The typed value of an option; empty if it was not typed.
const std::optional<std::string>& typed_value(const TypedFields& typed, std::string_view option);

/// Adds the option of one field. `prefix` is put before the description; `default_text` is shown in it, empty
/// for none. `typed` must outlive the parse.
void add_field_option(CLI::App& command, const FieldInfo& field, TypedFields& typed,
                      const std::string& prefix, const std::string& default_text);

/// Adds the options of all fields that `is_wanted` selects; `defaults` are shown in the descriptions.
template <typename Settings, typename IsWanted>
void add_field_options(CLI::App& command, std::span<const Field<Settings>> fields, TypedFields& typed,
                       const std::string& prefix, const Settings& defaults, IsWanted is_wanted) {
  for (const Field<Settings>& field : fields) {
    if (field.form == FieldForm::kOther || field.option.empty() || !std::invoke(is_wanted, field)) continue;
    add_field_option(command, field, typed, prefix, field.text(defaults).value_or(""));
  }
}

template <typename Settings>
void add_field_options(CLI::App& command, std::span<const Field<Settings>> fields, TypedFields& typed,
                       const std::string& prefix, const Settings& defaults) {
  add_field_options(command, fields, typed, prefix, defaults, [](const FieldInfo&) { return true; });
}

/// Throws InputError if a typed value of one of the fields has no effect beside the other settings.
template <typename Settings>
void require_effect(const TypedFields& typed, std::span<const Field<Settings>> fields,
                    const Settings& settings) {
  for (const Field<Settings>& field : fields) {
    const auto& text = typed_value(typed, field.option);
    if (!text || field.varies(settings) || (field.has_auto && *text == kAutoWord)) continue;
    throw InputError(
        fmt::format("--{} has no effect here; allowed: with {}", field.option, field.applies_with));
  }
}

/// Applies the typed values. Throws InputError that names the option and what is allowed.
template <typename Settings>
void read_fields(const TypedFields& typed, std::span<const Field<Settings>> fields, Settings& settings) {
  for (const Field<Settings>& field : fields) {
    if (field.form == FieldForm::kOther || field.option.empty()) continue;
    if (const auto& text = typed_value(typed, field.option))
      field.read(*text, settings, "--" + std::string(field.option));
  }
  require_effect(typed, fields, settings);
}

}  // namespace loom::app
