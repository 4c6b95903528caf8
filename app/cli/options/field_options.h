#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "compute/core/error.h"
#include "compute/core/field.h"

namespace loom::app {

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
