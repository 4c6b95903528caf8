#include "app/widgets/number_field.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <charconv>
#include <cstring>
#include <limits>

namespace loom::app {

std::optional<std::uint64_t> parse_whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

void type_number(NumberFieldState& state, const std::string& text, std::uint64_t& value) {
  if (&text != &state.text) state.text = text;
  if (const auto number = parse_whole_number(text)) {
    value = *number;
    state.problem.clear();
  } else {
    state.problem = fmt::format("'{}' is not allowed; allowed: a whole number from 0 to {} (still {})", text,
                                std::numeric_limits<std::uint64_t>::max(), value);
  }
  state.value = value;
}

bool bounded_text_field(const char* id, std::string& text) {
  text.resize(kMaxFieldText);
  const bool entered =
      ImGui::InputText(id, text.data(), kMaxFieldText + 1, ImGuiInputTextFlags_EnterReturnsTrue);
  text.resize(std::strlen(text.c_str()));
  return entered;
}

void number_field(const char* id, NumberFieldState& state, std::uint64_t& value) {
  if (ImGui::InputText(id, &state.text)) {
    type_number(state, state.text, value);
    return;
  }
  const bool rests = !ImGui::IsItemActive() && state.problem.empty();
  if (value != state.value || (rests && parse_whole_number(state.text) != value) ||
      ImGui::IsItemDeactivated()) {
    if (state.problem.empty() || value != state.value) type_number(state, std::to_string(value), value);
  }
}

void number_field(const char* id, NumberFieldState& state, std::optional<std::uint64_t>& value) {
  if (value) return number_field(id, state, *value);
  if (ImGui::InputText(id, &state.text)) {
    value = parse_whole_number(state.text);
    std::uint64_t still = value.value_or(state.value);
    type_number(state, state.text, still);
    if (state.text.empty()) state.problem.clear();
  } else if (!ImGui::IsItemActive() && state.problem.empty()) {
    state.text.clear();
  }
}

}  // namespace loom::app
