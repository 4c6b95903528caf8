#pragma once

#include <initializer_list>
#include <string_view>

namespace loom::app {

// Tables of figures: a name at the left, its value at the right.

/// Begins one; `value_width` is the values' column, the names' being 1. EndTable() ends it where this is
/// true.
bool begin_rows(const char* id, float value_width = 1);
void row(const char* name, std::string_view value, std::string_view hint = {});

/// Titles of columns in the muted colour, one a column, from the next row on: the first at the left, the
/// others at the right.
void muted_titles(std::initializer_list<const char*> titles);
/// Right-aligned text in the muted colour.
void muted_value(std::string_view text);

/// A bar as long as `share` (0 to 1, cut to that) of the table cell, with a figure on it.
void bar(double share, std::string_view text);

}  // namespace loom::app
