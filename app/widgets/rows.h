#pragma once

#include <initializer_list>
#include <string_view>

namespace loom::app {

// Tables of metrics: names at the left, values at the right.

/// Begins a table; `value_width` is the width of the value column relative to the name column. If it returns
/// true, EndTable() ends the table.
bool begin_rows(const char* id, float value_width = 1);
void row(const char* name, std::string_view value, std::string_view hint = {});

/// The next row, with column titles in the muted colour: the first is left-aligned, the others right-aligned.
void muted_titles(std::initializer_list<const char*> titles);
/// Right-aligned text in the muted colour.
void muted_value(std::string_view text);

/// A bar over `share` (clamped to 0 to 1) of the table cell's width, with a text on it.
void bar(double share, std::string_view text);

}  // namespace loom::app
