#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "compute/core/error.h"

namespace loom {

/// The text that selects the fastest value.
inline constexpr std::string_view kAutoWord = "auto";

/// The form of a setting's values as text.
enum class FieldForm {
  kName,    ///< one of FieldInfo::names()
  kSwitch,  ///< "on", "off"
  kWhole,   ///< a whole number
  kReal,    ///< a decimal number
  kText,    ///< a text with a syntax of its own
  kOther,   ///< no text: the setting is written and read by code of its own
};

/// What everything that treats settings alike knows about one of them.
struct FieldInfo {
  std::string_view key = {};      ///< name in JSON and CSV: "intra_block"
  std::string_view option = {};   ///< name of the command-line option, without dashes, and of the sweep axis
  std::string_view label = {};    ///< name in messages: "intra-block mapping"
  std::string_view purpose = {};  ///< what it selects, for help: "How lambda and nu are computed"
  std::string_view undo = {};     ///< name in the list of undo steps; empty: changes are not undone
  bool in_scene = true;           ///< stored in scenes
  bool in_lesson = false;         ///< a lesson tells the user when it was changed
  bool in_sweep = false;          ///< an axis of sweeps
  /// Accepts kAutoWord: kWhole as a value, the others where the caller knows the fastest value.
  bool has_auto = false;
  bool is_flag = false;  ///< kSwitch: the option has no value and means "on"
  FieldForm form = FieldForm::kOther;
  std::uint64_t lowest = 0;  ///< the smallest number, for kWhole and kReal; the next member is the largest
  std::uint64_t highest = 0;
  /// All values of kName; the allowed numbers of kWhole if not every number of the range is allowed.
  std::vector<std::string> (*values)() = nullptr;

  std::vector<std::string> names() const;
  /// "bounding-box, lambda, compact", "a whole number from 1 to 1024"
  std::string allowed() const;
  /// Throws InputError for a text that is not a value, except for kText. `name` is the setting in the
  /// message:
  /// "--dwell"; empty: the label.
  void check(std::string_view text, std::string_view name = {}) const;
};

/// "NAME: 'TEXT' is not allowed; allowed: ALLOWED"
InputError bad_value(std::string_view name, std::string_view text, std::string_view allowed);

/// One setting of a type of settings: a row of a table. Code that treats all settings alike loops over the
/// table: command-line options, JSON members, CSV columns, sweep axes, form rows, undo names. A new setting
/// is a new row.
template <typename Settings>
struct Field : FieldInfo {
  void (*assign)(std::string_view text, Settings& settings) = nullptr;
  /// The value as text that `read` accepts; nothing if it does not apply to the other settings, or for
  /// kOther.
  std::optional<std::string> (*text)(const Settings& settings) = nullptr;
  void (*copy)(const Settings& from, Settings& to) = nullptr;
  bool (*equal)(const Settings& a, const Settings& b) = nullptr;
  /// Whether the other settings leave a choice; null: always.
  bool (*applies)(const Settings& settings) = nullptr;
  /// With which options it applies, for the error of an option without effect: "--map compact".
  std::string_view applies_with = {};

  bool varies(const Settings& settings) const { return applies == nullptr || applies(settings); }
  /// Sets the value given as text. Throws InputError as check().
  void read(std::string_view of_text, Settings& settings, std::string_view name = {}) const {
    check(of_text, name);
    assign(of_text, settings);
  }
};

/// The row of an option; null if there is none.
template <typename Settings>
const Field<Settings>* find_field(std::span<const Field<Settings>> fields, std::string_view option) {
  const auto found = std::ranges::find(fields, option, [](const Field<Settings>& one) { return one.option; });
  return found == fields.end() ? nullptr : &*found;
}

/// Builds rows for members of a type. `kMember` is a pointer to a member, or a function that returns a
/// reference to it from an object.
template <typename Settings>
struct FieldOf {
  template <auto kMember>
  using Value = std::remove_cvref_t<std::invoke_result_t<decltype(kMember), Settings&>>;

  /// Copied and compared only.
  template <auto kMember>
  static constexpr Field<Settings> other(FieldInfo info) {
    Field<Settings> field{info};
    field.text = [](const Settings&) -> std::optional<std::string> { return std::nullopt; };
    field.copy = [](const Settings& from, Settings& to) {
      std::invoke(kMember, to) = std::invoke(kMember, from);
    };
    field.equal = [](const Settings& a, const Settings& b) {
      return std::invoke(kMember, a) == std::invoke(kMember, b);
    };
    return field;
  }

  /// An enumeration whose values are `kChoices`, an array, with names by name_of().
  template <auto kMember, auto kChoices>
  static constexpr Field<Settings> choice(FieldInfo info) {
    info.form = FieldForm::kName;
    info.values = [] {
      std::vector<std::string> names;
      for (const auto one : kChoices) names.emplace_back(name_of(one));
      return names;
    };
    Field<Settings> field = other<kMember>(info);
    field.assign = [](std::string_view text, Settings& settings) {
      for (const auto one : kChoices) {
        if (name_of(one) == text) std::invoke(kMember, settings) = one;
      }
    };
    field.text = [](const Settings& settings) -> std::optional<std::string> {
      return std::string(name_of(std::invoke(kMember, settings)));
    };
    return field;
  }

  /// A bool.
  template <auto kMember>
  static constexpr Field<Settings> on_off(FieldInfo info) {
    info.form = FieldForm::kSwitch;
    Field<Settings> field = other<kMember>(info);
    field.assign = [](std::string_view text, Settings& settings) {
      std::invoke(kMember, settings) = text == "on";
    };
    field.text = [](const Settings& settings) -> std::optional<std::string> {
      return std::invoke(kMember, settings) ? "on" : "off";
    };
    return field;
  }

  /// A whole number from `info.lowest` to `info.highest`, which the type of the member holds.
  template <auto kMember>
  static constexpr Field<Settings> whole(FieldInfo info) {
    info.form = FieldForm::kWhole;
    return number<kMember>(info);
  }

  /// A double from `info.lowest` to `info.highest`.
  template <auto kMember>
  static constexpr Field<Settings> real(FieldInfo info) {
    info.form = FieldForm::kReal;
    return number<kMember>(info);
  }

  /// A value that `kParse` reads from a text, throwing InputError, and `kFormat` writes.
  template <auto kMember, auto kParse, auto kFormat>
  static constexpr Field<Settings> text(FieldInfo info) {
    info.form = FieldForm::kText;
    Field<Settings> field = other<kMember>(info);
    field.assign = [](std::string_view text, Settings& settings) {
      std::invoke(kMember, settings) = kParse(text);
    };
    field.text = [](const Settings& settings) -> std::optional<std::string> {
      return std::string(kFormat(std::invoke(kMember, settings)));
    };
    return field;
  }

 private:
  template <auto kMember>
  static constexpr Field<Settings> number(FieldInfo info) {
    Field<Settings> field = other<kMember>(info);
    field.assign = [](std::string_view text, Settings& settings) {
      std::from_chars(text.data(), text.data() + text.size(), std::invoke(kMember, settings));
    };
    field.text = [](const Settings& settings) -> std::optional<std::string> {
      return fmt::format("{}", std::invoke(kMember, settings));
    };
    return field;
  }
};

}  // namespace loom
