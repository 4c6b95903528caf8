#include "app/cli/options/options.h"

#include <fmt/ranges.h>

#include <cctype>
#include <charconv>
#include <system_error>

#include "app/text/text.h"

namespace loom::app {
namespace {

template <typename Number>
Number read_number(std::string_view option, std::string_view text, Number lowest, Number highest,
                   std::string_view kind) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  // Written so that "nan", which compares false with everything, is refused.
  const bool in_range = value >= lowest && value <= highest;
  if (error != std::errc{} || stop != end || !in_range) {
    throw bad_value(option, text, fmt::format("a {} from {} to {}", kind, lowest, highest));
  }
  return value;
}

}  // namespace

std::uint64_t read_whole_number(std::string_view option, std::string_view text, std::uint64_t lowest,
                                std::uint64_t highest) {
  return read_number<std::uint64_t>(option, text, lowest, highest, "whole number");
}

double read_real_number(std::string_view option, std::string_view text, double lowest, double highest) {
  return read_number<double>(option, text, lowest, highest, "number");
}

glm::ivec2 read_sides(std::string_view option, std::string_view text, std::uint32_t highest,
                      std::string_view allowed) {
  const std::size_t cross = text.find('x');
  if (cross == std::string_view::npos) throw bad_value(option, text, allowed);
  try {
    return {read_whole_number(option, text.substr(0, cross), 1, highest),
            read_whole_number(option, text.substr(cross + 1), 1, highest)};
  } catch (const InputError&) {
    throw bad_value(option, text, allowed);
  }
}

std::string allowed_sides(std::uint32_t highest) {
  return fmt::format("WIDTHxHEIGHT with sides from 1 to {}", highest);
}

std::vector<double> read_numbers(std::string_view option, const std::vector<std::string>& words,
                                 std::span<const Bounds> bounds, std::string_view allowed) {
  const std::string text = fmt::format("{}", fmt::join(words, ","));
  std::vector<double> numbers;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    if (numbers.size() == bounds.size()) throw bad_value(option, text, allowed);
    const Bounds& range = bounds[numbers.size()];
    try {
      numbers.push_back(read_real_number(option, std::string_view(text).substr(at, comma - at), range.lowest,
                                         range.highest));
    } catch (const InputError&) {
      throw bad_value(option, text, allowed);
    }
    at = comma + 1;
  }
  if (numbers.size() != bounds.size()) throw bad_value(option, text, allowed);
  return numbers;
}

namespace {

[[noreturn]] void refuse(const CLI::Option& option, std::string_view beside, std::string_view allowed) {
  throw InputError(fmt::format("{}{} has no effect {}; allowed: {}",
                               option.get_positional() ? "the argument " : "", option.get_name(), beside,
                               allowed));
}

}  // namespace

void require_effect(const CLI::App& command, std::initializer_list<OptionNeed> needs) {
  for (const OptionNeed& need : needs) {
    if (need.is_met) continue;
    for (const std::string_view name : split_words(need.options, " ")) {
      const CLI::Option* const option = command.get_option_no_throw(std::string(name));
      if (option != nullptr && option->count() > 0) refuse(*option, "here", need.allowed);
    }
  }
}

std::string first_typed(const CLI::App& command, std::span<const std::string> names) {
  const auto is_typed = [&](const std::string& name) { return command.count(name) > 0; };
  const auto found = std::ranges::find_if(names, is_typed);
  return found == names.end() ? std::string() : *found;
}

void require_only(const CLI::App& command, std::string_view mode, std::string_view others) {
  const auto names = split_words(others, " ");
  for (const CLI::Option* const option : command.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || name == mode || std::ranges::find(names, name) != names.end()) continue;
    refuse(*option, fmt::format("with {}", mode),
           fmt::format("{}, or without {}", fmt::join(names, ", "), mode));
  }
}

void reject_options(const OptionList& options, std::string_view workspace) {
  for (const CLI::Option* const option : options) {
    if (option->count() > 0) refuse(*option, "here", fmt::format("with --workspace {}", workspace));
  }
}

int read_device(const std::optional<std::string>& typed, BackendChoice backend) {
  if (!typed) return 0;
  const auto device =
      static_cast<int>(read_whole_number("--device", *typed, 0, std::numeric_limits<int>::max()));
  if (backend == BackendChoice::kCpu)
    throw InputError("--device selects a CUDA device; allowed: without --backend cpu");
  return device;
}

std::vector<int> DeviceSelection::numbers() const {
  std::vector<int> numbers;
  for (const Device& device : several) numbers.push_back(device.ordinal);
  return numbers;
}

DeviceSelection select_devices(BackendChoice backend, int device, bool named,
                               const std::optional<std::string>& devices, const ProcessGroup* ranks) {
  if (ranks != nullptr) {
    if (devices)
      throw InputError(
          "--devices is for one process; allowed: --device, or none (each process uses one device)");
    if (named || backend == BackendChoice::kCpu) return {select_backend(backend, device)};
    return {select_backend(backend, device_of_rank(*ranks))};
  }
  if (!devices) return {select_backend(backend, device)};
  if (named) throw InputError("--device and --devices exclude each other; allowed: one of them");
  DeviceSelection chosen{.several = read_devices(*devices, backend)};
  chosen.backend = {chosen.several.front(), "selected"};
  return chosen;
}

namespace {

std::string type_of(const FieldInfo& field) {
  if (field.form == FieldForm::kSwitch) return field.has_auto ? "on|off|auto" : "on|off";
  if (field.form == FieldForm::kWhole) return field.has_auto ? "auto|N" : "N";
  if (field.form == FieldForm::kReal) return "P";
  return field.form == FieldForm::kName ? "NAME" : "TEXT";
}

/// "Thread map: bounding-box, lambda, compact (lambda by default)", "Dwell limit: 1 to 65535 (512 by
/// default)"
std::string help_of(const FieldInfo& field, const std::string& prefix, const std::string& default_text) {
  std::string text(field.purpose);
  // A description after a prefix begins with a small letter, but for names and abbreviations.
  const bool is_word = text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])) != 0;
  if (!prefix.empty() && is_word)
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  text = prefix + text;
  if (field.is_flag) return text;
  const std::string names = fmt::format("{}", fmt::join(field.names(), ", "));
  std::string values = names;
  if (names.empty() && (field.form == FieldForm::kWhole || field.form == FieldForm::kReal))
    values = fmt::format("{} to {}", field.lowest, field.highest);
  if (field.has_auto) {
    values = fmt::format("{} (default, the fastest){}{}", kAutoWord, values.empty() ? "" : ", ", values);
  }
  if (!values.empty()) text += ": " + values;
  return field.has_auto || default_text.empty() ? text
                                                : fmt::format("{} ({} by default)", text, default_text);
}

}  // namespace

const std::optional<std::string>& typed_value(const TypedFields& typed, std::string_view option) {
  static const std::optional<std::string> none;
  const auto found = typed.find(option);
  return found == typed.end() ? none : found->second;
}

void add_field_option(CLI::App& command, const FieldInfo& field, TypedFields& typed,
                      const std::string& prefix, const std::string& default_text) {
  const std::string option(field.option);
  std::optional<std::string>& text = typed[option];
  const std::string help = help_of(field, prefix, default_text);
  if (field.is_flag) {
    command.add_flag_function(
        "--" + option, [&text](std::int64_t) { text = "on"; }, help);
  } else {
    add_text(command, "--" + option, text, type_of(field), help);
  }
}

}  // namespace loom::app
