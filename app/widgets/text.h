#pragma once

#include <cstdint>
#include <string>

namespace loom::app {

/// "1 block", "12 345 blocks".
std::string plural(std::uint64_t count, const std::string& noun);

/// Text on one line, cut with an ellipsis at `width`, the whole of it shown on hover where it is cut.
void elided(const std::string& text, float width);

/// Text that ends at the right edge of the present table cell.
void right_aligned(const std::string& text);

}  // namespace loom::app
