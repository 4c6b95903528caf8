#pragma once

#include <string>

namespace loom::app {

/// A tooltip with wrapped text for the last item, shown on hover even where the item is disabled.
void tooltip(const std::string& text);

/// The label of a row of controls; the next control starts at a common column and fills the rest of the line.
void row_label(const char* label);
/// The width left in the line, for a control that follows something else in its row.
float rest_of_line();
/// The width of each of `parts` widgets that share the rest of the line, with the usual gap between them.
float part_of_line(int parts);

/// One button of a row of alternatives. Returns true when the user picks it. A non-empty `why_not` disables
/// it and shows on hover; otherwise `hint` does, if there is one.
bool choice_button(const char* label, bool selected, float width, const std::string& why_not = {},
                   const std::string& hint = {});

/// A radio button with the same conventions.
bool choice_radio(const char* label, bool selected, const std::string& why_not = {},
                  const std::string& hint = {});

/// Text in the muted colour, wrapped at the window's edge.
void note(const std::string& text);
/// Text in the warning colour, wrapped.
void warning(const std::string& text);

/// A section's heading; false where the user has folded it.
bool section(const char* title);
/// One with a cross that sets `shown` to false.
bool section(const char* title, bool& shown);

}  // namespace loom::app
