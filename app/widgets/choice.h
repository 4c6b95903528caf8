#pragma once

#include <imgui.h>

#include <array>
#include <span>
#include <string_view>

#include "app/gui/theme.h"
#include "app/widgets/tooltip.h"

namespace loom::app {

/// The label of a row of controls; the next control starts at a common column and fills the rest of the line.
void row_label(const char* label);
/// Width left in the current line.
float remaining_width();
/// The width of each of `parts` widgets on the rest of the line, with the usual gap between them.
float equal_width(int parts);

/// The width of a button that fits its label.
float button_width(std::string_view label);
/// Buttons that share the rest of the line: each gets the width of its label and an equal part of the
/// remaining width. Construct before the first button. width() takes one of `labels`.
class ButtonRow {
 public:
  explicit ButtonRow(std::span<const char* const> labels);
  float width(const char* label) const;

 private:
  float share_ = 0;
};

/// One button of a row of alternatives. Returns true when the user picks it. A non-empty `disabled_reason`
/// disables it and shows on hover; otherwise `hint` does, if there is one. `accent`: of the selected one.
bool choice_button(const char* label, bool selected, float width, std::string_view disabled_reason = {},
                   std::string_view hint = {}, const glm::vec4& accent = theme::colours().accent);

/// A radio button with the same conventions.
bool choice_radio(const char* label, bool selected, std::string_view disabled_reason = {},
                  std::string_view hint = {});

/// A row with one button per choice, with its label and its hint.
template <typename Choice, std::size_t kCount>
void choice_row(const char* label, const std::array<Choice, kCount>& choices, Choice& present,
                const std::array<const char*, kCount>& labels, const std::array<const char*, kCount>& hints) {
  row_label(label);
  const ButtonRow line(labels);
  for (std::size_t i = 0; i < kCount; ++i) {
    if (i > 0) ImGui::SameLine();
    ImGui::PushID(label);
    if (choice_button(labels[i], present == choices[i], line.width(labels[i]), {}, hints[i]))
      present = choices[i];
    ImGui::PopID();
  }
}

/// Text in the muted colour, wrapped at the window's edge.
void note(std::string_view text);
/// Text in the warning colour, wrapped.
void warning(std::string_view text);

/// A section header. Returns false if the user has collapsed the section.
bool section(const char* title);
/// A section that is folded at first. While it is folded, `summary` is on its header.
bool folded_section(const char* title, std::string_view summary);
/// A section header with a close button, which sets `shown` to false.
bool section(const char* title, bool& shown);

}  // namespace loom::app
